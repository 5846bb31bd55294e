import type { ReactElement } from 'react'
import { todayOf } from '#actions/papers/due.ts'
import { DocumentDelete } from '#components/papers/document-delete.tsx'
import { DocumentEnd } from '#components/papers/document-end.tsx'
import { type Document, getHandledDocument, getUnlockedDocument } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { requireQrId } from '#domain/codes/qr-id.ts'
import { type QrPlace, readPlace, tabAction, tabHref } from '#domain/dashboard.ts'
import { DOCUMENT_TYPES, documentName, findDocumentType } from '#domain/papers/document.ts'
import { dueState } from '#domain/papers/due.ts'
import { planOf } from '#domain/people/share.ts'
import { canUseGallery } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { publishDialog } from '#routes/dashboard/papers/_publish-dialogs.tsx'
import { shareDialog, shareWaysDialog } from '#routes/dashboard/papers/_share-dialogs.tsx'
import {
  documentReplaceDialog,
  documentUploadDialog,
} from '#routes/dashboard/papers/_upload-dialogs.tsx'

/** Renders the dialog that the address asks for. Throws not_found for a document of another account. */
export async function requestedDocumentDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const query = c.req.query()
  const { upload, type, replace, ends, publish, ways, share, delete: documentId } = query
  const place = readPlace(query)
  if (upload) {
    const document_type = findDocumentType(type) ?? ''
    const typed = upload === '1' ? {} : { qr_id: requireQrId(upload), document_type }
    return documentUploadDialog(c, account, { typed })
  }
  if (replace) return documentReplaceDialog(c, account, replace)
  if (ends) return documentEndDialog(c, account, ends)
  if (publish) return publishDialog(c, account, requireQrId(publish))
  const { db } = c.var.deps
  if (documentId) return deleteDialog(place, await getHandledDocument(db, account, documentId))
  const shared = ways ?? share
  if (!shared) return undefined
  const document = await getUnlockedDocument(db, account, shared)
  if (!canUseGallery(planOf(account, document.account_id))) return undefined
  return ways ? shareWaysDialog(place, document) : shareDialog('documents', place, document)
}

type EndState = { typed?: Record<string, string>; problem?: string }

/** Asks when a document ends. There is none for a type without an end. Throws not_found. */
export async function documentEndDialog(
  c: AppContext,
  account: Account,
  id: string,
  { typed, problem }: EndState = {},
): Promise<ReactElement | undefined> {
  const document = await getHandledDocument(c.var.deps.db, account, id)
  const { document_type, document_side, expires_on } = document
  if (!DOCUMENT_TYPES[document_type].hasEnd) return undefined
  const place = readPlace(c.req.query())
  const props = {
    name: documentName(document_type, document_side),
    state: expires_on ? dueState(expires_on, todayOf(c.var.deps)) : 'valid',
    typed: typed ?? { expires_on: expires_on ?? '', ...(!expires_on && { no_end: 'on' }) },
    problem,
    replace_href: tabHref('documents', place, { replace: id }),
    action: tabAction('documents', `/${id}/end`, place),
  } as const
  return <DocumentEnd {...props} />
}

function deleteDialog(place: QrPlace, document: Document): ReactElement {
  const { id, document_type, document_side, file_name, is_public } = document
  const name = documentName(document_type, document_side)
  const action = tabAction('documents', `/${id}/delete`, place)
  return <DocumentDelete name={name} file_name={file_name} is_public={is_public} action={action} />
}
