import type { ReactElement } from 'react'
import { todayOf } from '#actions/papers/due.ts'
import { getOwnQrCode, listOwnQrCodes, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { getUnlockedDocument } from '#db/papers/documents.ts'
import { listDue } from '#db/papers/due.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { nameOf } from '#domain/codes/code-title.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { readPlace, tabAction } from '#domain/dashboard.ts'
import { DOCUMENT_REFUSALS, type DocumentType, documentName } from '#domain/papers/document.ts'
import { FILE_REFUSALS } from '#domain/papers/file-kind.ts'
import { has } from '#domain/people/roles.ts'
import { Island, type IslandProps } from '#islands/_island.tsx'
import { englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** The longest useful list; an account with more codes starts from the button at a code. */
const MOST_CODES = 200

type Upload = IslandProps<'document-upload'>
type UploadState = Pick<Upload, 'typed' | 'message'> & {
  form_key?: string | undefined
}

/** Renders the upload dialog; undefined for an account without a code. */
export async function documentUploadDialog(
  c: AppContext,
  account: Account,
  state: UploadState,
): Promise<ReactElement | undefined> {
  const { db } = c.var.deps
  const { qr_codes } = await listOwnQrCodes(db, account, { limit: MOST_CODES })
  const { qr_id } = state.typed
  const isMissing = qr_id && !qr_codes.some((code) => code.qr_id === qr_id)
  if (isMissing) qr_codes.unshift(await getOwnQrCode(db, account, qr_id))
  const codes = qr_codes
    .filter(({ access, is_claimed_away }) => has(access, 'papers') && !is_claimed_away)
    .map(toOption)
  if (codes.length === 0) return undefined
  return uploadIsland(c, state, { codes, ends: await endsOf(c, account, codes) })
}

/** Renders the upload dialog for another file of a document. Throws not_found. */
export async function documentReplaceDialog(
  c: AppContext,
  account: Account,
  id: string,
  sent?: UploadState,
): Promise<ReactElement> {
  const document = await getUnlockedDocument(c.var.deps.db, account, id)
  const { qr_id, document_type, document_side, is_public, expires_on } = document
  const typed = {
    qr_id,
    document_type,
    document_side: document_side ?? '',
    ...(is_public && { is_public: 'on' }),
    ...(expires_on && { expires_on }),
  }
  const name = documentName(document_type, document_side)
  return uploadIsland(c, sent ?? { typed }, { replaces: { id, name }, codes: [], ends: {} })
}

function uploadIsland(
  c: AppContext,
  { form_key = randomToken(), ...state }: UploadState,
  shown: Pick<Upload, 'codes' | 'ends' | 'replaces'>,
): ReactElement {
  const { replaces } = shown
  const place = readPlace(c.req.query())
  const rest: Record<string, string> = replaces ? { replaces: replaces.id } : {}
  const props = {
    action: tabAction('documents', '/upload', place, rest),
    today: todayOf(c.var.deps),
    form_key,
    texts: englishTexts([...FILE_REFUSALS, ...DOCUMENT_REFUSALS]),
    ...shown,
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

function toOption(code: OwnQrCode) {
  const { qr_id, vehicle_registration } = code
  const plate = vehicle_registration && formatPlate(vehicle_registration)
  const words = plate ? [plate, nameOf(code)] : [nameOf(code), formatQrId(qr_id)]
  return { qr_id, label: words.join(' · ') }
}
