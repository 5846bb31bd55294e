import type { ReactElement } from 'react'
import { DocumentDelete } from '#components/document-delete.tsx'
import { nameOf } from '#components/qr-card.tsx'
import { type Document, getOwnDocument } from '#db/documents.ts'
import { getOwnQrCode, listOwnQrCodes, type OwnQrCode } from '#db/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { type QrPlace, readPlace, tabAction } from '#domain/dashboard.ts'
import { documentName } from '#domain/document.ts'
import { formatPlate } from '#domain/plate.ts'
import { formatQrId } from '#domain/qr-id.ts'
import { Island } from '#islands/_island.tsx'
import type { IslandProps } from '#islands/_registry.ts'
import type { AppContext } from '#routes/_deps.ts'
import { requireQrId } from '#routes/api/_qr-schema.ts'

/** More than anybody looks through; whoever has more comes from a code's own button. */
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
    return uploadDialog(c, account, place, { typed })
  }
  if (!documentId) return undefined
  const { db } = c.var.deps
  return deleteDialog(place, await getOwnDocument(db, account.id, documentId))
}

type UploadState = Pick<IslandProps<'document-upload'>, 'typed' | 'message'>

/** There is none for an account without a code. */
export async function uploadDialog(
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
