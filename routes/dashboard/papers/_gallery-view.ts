import { fileUrl } from '#actions/papers/view.ts'
import type { CodeGalleryView } from '#components/papers/code-gallery.tsx'
import { headingOf } from '#components/papers/code-heading.tsx'
import type { GalleryCardView } from '#components/papers/gallery-card.tsx'
import type { ShareLinkView } from '#components/papers/share-links.tsx'
import { type FoundDocument, searchDocuments } from '#db/papers/document-search.ts'
import { listShareLinks, type ShareLink } from '#db/papers/share-links.ts'
import type { Account } from '#db/schema.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { accessibleName } from '#domain/codes/code-title.ts'
import { tabHref } from '#domain/dashboard.ts'
import { documentName, inTypeOrder, sideLabel, typeLabel } from '#domain/papers/document.ts'
import { type GalleryPlace, galleryFields } from '#domain/papers/gallery.ts'
import { handlesPapersOf, type Whose } from '#domain/people/share.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { countPages, rowsOfPage } from '#routes/_http/lists.ts'

const DOCUMENTS_A_PAGE = 48

export async function readGallery(
  c: AppContext,
  account: Account,
  { whose, ...place }: GalleryPlace & { whose: Whose | null },
) {
  const { q, type, page } = place
  const href = (to: number) => tabHref('gallery', { ...place, page: to }, galleryFields(place))
  const wanted = { search: q, type, whose, ...rowsOfPage(page, DOCUMENTS_A_PAGE) }
  const { documents, total } = await searchDocuments(c.var.deps.db, account, wanted)
  const pages = countPages({ total, size: DOCUMENTS_A_PAGE, page }, href)
  const qrIds = [...new Set(documents.map(({ qr_id }) => qr_id))]
  const sections = qrIds.map((qrId) =>
    toSection(
      account,
      place,
      documents.filter(({ qr_id }) => qr_id === qrId),
    ),
  )
  return { sections, pages, href }
}

function toSection(account: Account, place: GalleryPlace, all: FoundDocument[]): CodeGalleryView {
  const [{ code }] = all as [FoundDocument]
  return {
    qr_id: code.qr_id,
    heading: headingOf(code),
    about: accessibleName(code),
    documents: inTypeOrder(all).map((document) => toCardView(account, place, document)),
  }
}

function toCardView(
  account: Account,
  place: GalleryPlace,
  document: FoundDocument,
): GalleryCardView {
  const { id, document_type, document_side, file_name, is_public, thumbnail_name } = document
  const name = documentName(document_type, document_side)
  const dialogHref = (dialog: 'show' | 'share') =>
    tabHref('gallery', place, { ...galleryFields(place), [dialog]: id })
  return {
    id,
    name,
    about: `${name} of ${accessibleName(document.code)}`,
    label: typeLabel(document_type),
    side: sideLabel(document_side),
    file_name,
    is_public,
    is_own: handlesPapersOf(account, document.account_id),
    is_locked: document.is_locked,
    thumbnail_url: thumbnail_name && fileUrl(thumbnail_name),
    file_url: fileUrl(document.stored_name),
    show_href: dialogHref('show'),
    share_href: dialogHref('share'),
  }
}

export async function readShareLinks(c: AppContext, account: Account): Promise<ShareLinkView[]> {
  const { db, clock, config } = c.var.deps
  const links = await listShareLinks(db, account, clock())
  return links.map((link) => ({
    id: link.id,
    name: documentName(link.document_type, link.document_side),
    file_name: link.file_name,
    sent: sentWords(link),
    until: formatDate(link.expires_at, config.timezone),
  }))
}

const METHOD_WORDS = { whatsapp: 'WhatsApp', email: 'Email', download: 'Download' } as const

function sentWords({ share_method, recipient }: ShareLink): string {
  const way = METHOD_WORDS[share_method]
  return recipient ? `${way} to ${displayPhone(recipient)}` : way
}
