import { type QrPlace, readPlace } from '#domain/dashboard.ts'
import { type DocumentType, findDocumentType } from '#domain/papers/document.ts'

export const GALLERY_LAYOUTS = ['grid', 'list'] as const
export type GalleryLayout = (typeof GALLERY_LAYOUTS)[number]

/** Where in the gallery somebody is, as the page's address says it. */
export type GalleryPlace = QrPlace & { type: DocumentType | undefined }

export function readGalleryPlace(query: Record<string, string | undefined>): GalleryPlace {
  return { ...readPlace(query), type: findDocumentType(query.type) }
}

/** What the address says beside the place that every tab has. */
export function galleryFields({ type }: GalleryPlace): Record<string, string> {
  return type ? { type } : {}
}

export function readGalleryLayout(value: string | undefined): GalleryLayout | undefined {
  return GALLERY_LAYOUTS.find((layout) => layout === value)
}
