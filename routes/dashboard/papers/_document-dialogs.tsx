import type { ReactElement } from 'react'
import { nameOf } from '#components/codes/qr-card.tsx'
import { DocumentDelete } from '#components/papers/document-delete.tsx'
import { getOwnQrCode, listOwnQrCodes, type OwnQrCode } from '#db/codes/qr-codes.ts'
import { type Document, getOwnDocument } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { formatPlate } from '#domain/codes/plate.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { type QrPlace, readPlace, tabAction } from '#domain/dashboard.ts'
import { documentName } from '#domain/papers/document.ts'
import { Island, type IslandProps } from '#islands/_island.tsx'
import type { AppContext } from '#routes/_http/deps.ts'

/** The longest useful list; an account with more codes starts from the button at a code. */
const MOST_CODES = 200

/** The dialog that the address asks for. Throws not_found for what is not the account's. */
export async function askedDocumentDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const { upload, delete: documentId } = c.req.query()
  const place = readPlace(c.req.query())
  if (upload) {
    const typed = upload === '1' ? {} : { qr_id: requireQrId(upload) }
    return documentUploadDialog(c, account, place, { typed })
  }
  if (!documentId) return undefined
  const { db } = c.var.deps
  return deleteDialog(place, await getOwnDocument(db, account.id, documentId))
}

type UploadState = Pick<IslandProps<'document-upload'>, 'typed' | 'message'>

/** There is none for an account without a code. */
export async function documentUploadDialog(
  c: AppContext,
  account: Account,
  place: QrPlace,
  state: UploadState,
): Promise<ReactElement | undefined> {
  const { db } = c.var.deps
  const { qr_codes } = await listOwnQrCodes(db, account, { limit: MOST_CODES })
  const { qr_id } = state.typed
  const isMissing = qr_id && !qr_codes.some((code) => code.qr_id === qr_id)
  if (isMissing) qr_codes.unshift(await getOwnQrCode(db, account, qr_id))
  const codes = qr_codes.filter((code) => !code.is_claimed_away).map(toOption)
  if (codes.length === 0) return undefined
  const props = { action: tabAction('documents', '/upload', place), codes, ...state }
  return <Island name="document-upload" props={props} />
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
