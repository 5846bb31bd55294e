import { type QrPlace, readPlace } from '#domain/dashboard.ts'
import { type DocumentType, findDocumentType } from '#domain/papers/document.ts'

export const GALLERY_LAYOUTS = ['grid', 'list'] as const
export type GalleryLayout = (typeof GALLERY_LAYOUTS)[number]

/** The search, page and type filter of the gallery, as in the page's address. */
export type GalleryPlace = QrPlace & { type: DocumentType | undefined }

export function readGalleryPlace(query: Record<string, string | undefined>): GalleryPlace {
  return { ...readPlace(query), type: findDocumentType(query.type) }
}

/** Returns the query parameters that only the gallery has. */
export function galleryFields({ type }: GalleryPlace): Record<string, string> {
  return type ? { type } : {}
}

export function readGalleryLayout(value: string | undefined): GalleryLayout | undefined {
  return GALLERY_LAYOUTS.find((layout) => layout === value)
}
