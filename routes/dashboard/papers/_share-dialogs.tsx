import type { ReactElement } from 'react'
import { DocumentShare, type DocumentShareProps } from '#components/papers/document-share.tsx'
import { ShareWays } from '#components/papers/share-ways.tsx'
import type { Document } from '#db/papers/documents.ts'
import { type QrPlace, tabAction, tabHref } from '#domain/dashboard.ts'
import { documentName } from '#domain/papers/document.ts'

/** The tabs on which documents are shared. */
export type SharingTab = 'documents' | 'gallery'

type ShareState = Pick<DocumentShareProps, 'problem' | 'message' | 'recipient' | 'link'>

/** Asks for the address of a mail, or shows the new link. */
export function shareDialog(
  tab: SharingTab,
  place: QrPlace,
  document: Document,
  state: ShareState = {},
): ReactElement {
  const action = tabAction(tab, `/${document.id}/share`, place)
  return <DocumentShare name={nameOf(document)} action={action} {...state} />
}

/** Offers the ways to share a document of the Documents tab. */
export function shareWaysDialog(place: QrPlace, document: Document): ReactElement {
  const { id } = document
  return (
    <ShareWays
      name={nameOf(document)}
      action={tabAction('documents', `/${id}/share`, place)}
      mail_href={tabHref('documents', place, { share: id })}
    />
  )
}

function nameOf({ document_type, document_side }: Document): string {
  return documentName(document_type, document_side)
}
