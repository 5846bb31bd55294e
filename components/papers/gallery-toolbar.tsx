import { Icon } from '#components/icons/icon.tsx'
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

/** Search, the kind of document, and two ways to look at them. */
export function GalleryToolbar({ place, layout }: { place: GalleryPlace; layout: GalleryLayout }) {
  return (
    <div className="toolbar">
      <form className="gallery-filter" method="get" action="/dashboard">
        <input type="hidden" name="tab" value="gallery" />
        <div className="search">
          <Icon name="search" />
          <input
            className="input"
            type="search"
            name="q"
            aria-label="Search documents"
            placeholder="Search"
            defaultValue={place.q}
            enterKeyHint="search"
          />
        </div>
        <select
          className="select"
          aria-label="Document type"
          name="type"
          defaultValue={place.type ?? ''}
          data-action="submit-on-change"
        >
          <option value="">All document types</option>
          {DOCUMENT_TYPE_IDS.map((id) => (
            <option key={id} value={id}>
              {typeLabel(id)}
            </option>
          ))}
        </select>
        <button className="btn without-script" type="submit">
          Show
        </button>
      </form>
      <nav className="segments" aria-label="View">
        {GALLERY_LAYOUTS.map((id) => (
          <a
            key={id}
            href={tabHref(
              'gallery',
              { ...place, page: 1 },
              { ...galleryFields(place), layout: id },
            )}
            title={LAYOUTS[id].label}
            aria-current={id === layout ? 'true' : undefined}
          >
            <span className="vh">{LAYOUTS[id].label}</span>
            <Icon name={LAYOUTS[id].icon} />
          </a>
        ))}
      </nav>
    </div>
  )
}
