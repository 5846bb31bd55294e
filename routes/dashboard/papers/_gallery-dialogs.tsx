import type { ReactElement } from 'react'
import { fileUrl } from '#actions/papers/view.ts'
import { DocumentShow } from '#components/papers/document-show.tsx'
import { ShareLinkEnd } from '#components/papers/share-links.tsx'
import { getOpenDocument } from '#db/papers/document-search.ts'
import { type Document, getUnlockedDocument } from '#db/papers/documents.ts'
import type { Account } from '#db/schema.ts'
import { readPlace } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import { documentName } from '#domain/papers/document.ts'
import { planOf } from '#domain/people/share.ts'
import { canUseGallery } from '#domain/plans/plan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { readShareLinks } from '#routes/dashboard/papers/_gallery-view.ts'
import { shareDialog } from '#routes/dashboard/papers/_share-dialogs.tsx'

/** Renders the dialog that the address asks for. Throws not_found for a document or link of another account. */
export async function requestedGalleryDialog(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const { db } = c.var.deps
  const { show, share, unshare } = c.req.query()
  if (unshare) return unshareDialog(c, account, unshare)
  if (!show && !share) return undefined
  const document = show
    ? await getOpenDocument(db, account, show)
    : await getUnlockedDocument(db, account, share ?? '')
  if (!canUseGallery(planOf(account, document.account_id))) return undefined
  return show ? showDialog(document) : shareDialog('gallery', readPlace(c.req.query()), document)
}

async function unshareDialog(c: AppContext, account: Account, id: string): Promise<ReactElement> {
  const link = (await readShareLinks(c, account)).find((each) => each.id === id)
  if (!link) throw new DomainError('not_found.link')
  return <ShareLinkEnd link={link} />
}

function showDialog(document: Document): ReactElement {
  const { document_type, document_side, file_name, content_type, stored_name } = document
  const name = documentName(document_type, document_side)
  const isImage = content_type.startsWith('image/')
  return (
    <DocumentShow name={name} file_name={file_name} is_image={isImage} url={fileUrl(stored_name)} />
  )
}
