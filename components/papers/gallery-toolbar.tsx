import { FilterSelect, SearchField, ShowButton } from '#components/forms/search-form.tsx'
import { LayoutLinks } from '#components/ui/layout-links.tsx'
import { tabHref } from '#domain/dashboard.ts'
import { DOCUMENT_TYPE_IDS, typeLabel } from '#domain/papers/document.ts'
import {
  GALLERY_LAYOUTS,
  type GalleryLayout,
  type GalleryPlace,
  galleryFields,
} from '#domain/papers/gallery.ts'

const LAYOUTS = {
  grid: { label: 'Grid', icon: 'grid-medium' },
  list: { label: 'List', icon: 'list' },
} as const

const TYPES = [
  { id: '', label: 'All document types' },
  ...DOCUMENT_TYPE_IDS.map((id) => ({ id, label: typeLabel(id) })),
]

/** Search, the kind of document, and two ways to look at them. */
export function GalleryToolbar({ place, layout }: { place: GalleryPlace; layout: GalleryLayout }) {
  const first = { ...place, page: 1 }
  const layouts = GALLERY_LAYOUTS.map((id) => ({
    id,
    ...LAYOUTS[id],
    href: tabHref('gallery', first, { ...galleryFields(place), layout: id }),
  }))
  return (
    <div className="toolbar">
      <form className="gallery-filter" method="get" action="/dashboard">
        <input type="hidden" name="tab" value="gallery" />
        <SearchField search={place.q} label="Search documents" />
        <FilterSelect name="type" label="Document type" value={place.type ?? ''} options={TYPES} />
        <ShowButton />
      </form>
      <LayoutLinks label="View" layouts={layouts} current={layout} />
    </div>
  )
}
