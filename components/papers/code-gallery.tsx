import { Plate } from '#components/codes/plate.tsx'
import { GalleryCard, type GalleryCardView } from '#components/papers/gallery-card.tsx'
import { Empty, NothingFound } from '#components/ui/empty.tsx'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { tabHref } from '#domain/dashboard.ts'
import { counted } from '#domain/number.ts'
import type { GalleryLayout } from '#domain/papers/gallery.ts'

export type CodeGalleryView = {
  qr_id: string
  name: string
  vehicle_registration: string | null
  documents: GalleryCardView[]
}

/** The papers of one code, as far as they are on this page. */
export function CodeGallery({ view, layout }: { view: CodeGalleryView; layout: GalleryLayout }) {
  const { qr_id, name, vehicle_registration, documents } = view
  const { length } = documents
  return (
    <section className="stack gap-3" aria-label={`${name}, ${formatQrId(qr_id)}`}>
      <div className="row">
        {vehicle_registration && <Plate registration={vehicle_registration} />}
        <h2 className="text-lg">{name}</h2>
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
