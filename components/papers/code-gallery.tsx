import { CodeHeading, type CodeHeadingView } from '#components/papers/code-heading.tsx'
import { GalleryCard, type GalleryCardView } from '#components/papers/gallery-card.tsx'
import { Empty, NothingFound } from '#components/ui/empty.tsx'
import { tabHref } from '#domain/dashboard.ts'
import { counted } from '#domain/number.ts'
import type { GalleryLayout } from '#domain/papers/gallery.ts'

export type CodeGalleryView = {
  qr_id: string
  heading: CodeHeadingView
  /** the code's name, as a screen reader reads it */
  about: string
  documents: GalleryCardView[]
}

/** The papers of one code, as far as they are on this page. */
export function CodeGallery({ view, layout }: { view: CodeGalleryView; layout: GalleryLayout }) {
  const { heading, about, documents } = view
  const { length } = documents
  return (
    <section className="stack gap-3" aria-label={about}>
      <div className="row">
        <CodeHeading view={heading} />
        <span className="small">{counted(length, 'document')}</span>
      </div>
      <div className={layout === 'grid' ? 'cards cards-10' : 'gallery-list'}>
        {documents.map((document) => (
          <GalleryCard key={document.id} view={document} />
        ))}
      </div>
    </section>
  )
}

export function NoDocumentsFound() {
  return (
    <NothingFound what="documents" href={tabHref('gallery')}>
      Nothing matches. Try a kind of document, a file name or a number plate.
    </NothingFound>
  )
}

export function NoDocuments() {
  return (
    <Empty
      icon="gallery"
      title="Nothing here yet"
      action={
        <a className="btn btn-main" href={tabHref('documents')}>
          Go to Documents
        </a>
      }
    >
      <p>Upload a document to see it in the gallery.</p>
    </Empty>
  )
}
