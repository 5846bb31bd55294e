import type { ReactElement } from 'react'
import { todayOf } from '#actions/papers/due.ts'
import { nameOf } from '#components/codes/qr-card.tsx'
import { DocumentDelete } from '#components/papers/document-delete.tsx'
import { DocumentEnd } from '#components/papers/document-end.tsx'
import { getOwnQrCode, listOwnQrCodes, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { type Document, getOpenOwnDocument, getOwnDocument } from '#db/papers/documents.ts'
import { listDue } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { type QrPlace, readPlace, tabAction, tabHref } from '#domain/dashboard.ts'
import {
  DOCUMENT_REFUSALS,
  DOCUMENT_TYPES,
  type DocumentType,
  documentName,
  findDocumentType,
} from '#domain/papers/document.ts'
import { dueState } from '#domain/papers/due.ts'
import { FILE_REFUSALS } from '#domain/papers/file-kind.ts'
import { canUseGallery } from '#domain/plans/plan.ts'
import { Island, type IslandProps } from '#islands/_island.tsx'
import { englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { publishDialog } from '#routes/dashboard/papers/_publish-dialogs.tsx'
import { shareDialog, shareWaysDialog } from '#routes/dashboard/papers/_share-dialogs.tsx'

/** The longest useful list; an account with more codes starts from the button at a code. */
const MOST_CODES = 200

/** Renders the dialog that the address asks for. Throws not_found for a document of another account. */
export async function requestedDocumentDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const { upload, type, ends, publish, ways, share, delete: documentId } = c.req.query()
  const place = readPlace(c.req.query())
  if (upload) {
    const document_type = findDocumentType(type) ?? ''
    const typed = upload === '1' ? {} : { qr_id: requireQrId(upload), document_type }
    return documentUploadDialog(c, account, place, { typed })
  }
  if (ends) return documentEndDialog(c, account, ends)
  if (publish) return publishDialog(c, account, requireQrId(publish))
  const { db } = c.var.deps
  if (documentId) return deleteDialog(place, await getOwnDocument(db, account.id, documentId))
  const shared = ways ?? share
  if (!shared || !canUseGallery(account.subscription_plan)) return undefined
  const document = await getOpenOwnDocument(db, account.id, shared)
  return ways ? shareWaysDialog(place, document) : shareDialog('documents', place, document)
}

type UploadState = Pick<IslandProps<'document-upload'>, 'typed' | 'message'> & {
  form_key?: string | undefined
}

/** Renders the upload dialog; undefined for an account without a code. */
export async function documentUploadDialog(
  c: AppContext,
  account: Account,
  place: QrPlace,
  { form_key = randomToken(), ...state }: UploadState,
): Promise<ReactElement | undefined> {
  const { db } = c.var.deps
  const { qr_codes } = await listOwnQrCodes(db, account, { limit: MOST_CODES })
  const { qr_id } = state.typed
  const isMissing = qr_id && !qr_codes.some((code) => code.qr_id === qr_id)
  if (isMissing) qr_codes.unshift(await getOwnQrCode(db, account, qr_id))
  const codes = qr_codes.filter((code) => !code.is_claimed_away).map(toOption)
  if (codes.length === 0) return undefined
  const ends = await endsOf(c, account, codes)
  const today = todayOf(c.var.deps)
  const props = {
    action: tabAction('documents', '/upload', place),
    codes,
    ends,
    today,
    form_key,
    texts: englishTexts([...FILE_REFUSALS, ...DOCUMENT_REFUSALS]),
    ...state,
  }
  return <Island name="document-upload" props={props} />
}

/** Lists the present ends of the documents of these codes, by code and type. */
async function endsOf(c: AppContext, account: Account, codes: { qr_id: string }[]) {
  const qrIds = codes.map(({ qr_id }) => qr_id)
  const ends: Record<string, Partial<Record<DocumentType, string>>> = {}
  for (const { kind, qr_id, document_type, ends_on } of await listDue(c.var.deps.db, account, {
    qrIds,
  })) {
    const type = kind === 'insurance' ? kind : document_type
    if (type) ends[qr_id] = { ...ends[qr_id], [type]: ends_on }
  }
  return ends
}

type EndState = { typed?: Record<string, string>; problem?: string }

/** Asks when a document ends. There is none for a type without an end. Throws not_found. */
export async function documentEndDialog(
  c: AppContext,
  account: Account,
  id: string,
  { typed, problem }: EndState = {},
): Promise<ReactElement | undefined> {
  const document = await getOwnDocument(c.var.deps.db, account.id, id)
  const { qr_id, document_type, document_side, expires_on } = document
  if (!DOCUMENT_TYPES[document_type].hasEnd) return undefined
  const place = readPlace(c.req.query())
  const upload = tabHref('documents', place, { upload: qr_id, type: document_type })
  const props = {
    name: documentName(document_type, document_side),
    state: expires_on ? dueState(expires_on, todayOf(c.var.deps)) : 'valid',
    typed: typed ?? { expires_on: expires_on ?? '', ...(!expires_on && { no_end: 'on' }) },
    problem,
    upload_href: upload,
    action: tabAction('documents', `/${id}/end`, place),
  } as const
  return <DocumentEnd {...props} />
}

function toOption(code: OwnQrCode) {
  const { qr_id, vehicle_registration } = code
  const plate = vehicle_registration && formatPlate(vehicle_registration)
  const words = plate ? [plate, nameOf(code)] : [nameOf(code), formatQrId(qr_id)]
  return { qr_id, label: words.join(' · ') }
}

function deleteDialog(place: QrPlace, document: Document): ReactElement {
  const { id, document_type, document_side, file_name, is_public } = document
  const name = documentName(document_type, document_side)
  const action = tabAction('documents', `/${id}/delete`, place)
  return <DocumentDelete name={name} file_name={file_name} is_public={is_public} action={action} />
}
