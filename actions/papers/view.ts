import type { Document } from '#db/papers/documents.ts'
import type { PopupImage } from '#db/papers/popup-images.ts'
import { type Holder, handlesPapersOf } from '#domain/people/share.ts'

/** Returns the URL path of a stored file. */
export function fileUrl(storedName: string): string {
  return `/api/files/${storedName}`
}

/** Returns a document as everybody with access sees it. */
export function toDocumentView(document: Document) {
  return {
    id: document.id,
    qr_id: document.qr_id,
    document_type: document.document_type,
    document_side: document.document_side,
    is_public: document.is_public,
    file_name: document.file_name,
    file_url: fileUrl(document.stored_name),
    file_path: document.stored_name,
    file_size: document.file_size,
    content_type: document.content_type,
    uploaded_at: document.uploaded_at,
    expires_on: document.expires_on,
  }
}

/** Returns a document as those who see its code do. A PDF has no thumbnail. */
export function toOwnDocumentView(document: Document, viewer: Holder) {
  const { thumbnail_name, is_locked, pdf_problem } = document
  return {
    ...toDocumentView(document),
    thumbnail_url: thumbnail_name && !is_locked ? fileUrl(thumbnail_name) : null,
    is_own: handlesPapersOf(viewer, document.account_id),
    is_locked,
    pdf_problem,
  }
}

/** Returns a popup image as its account sees it. */
export function toPopupImageView(image: PopupImage) {
  return {
    id: image.id,
    file_name: image.file_name,
    file_path: image.stored_name,
    file_size: image.file_size,
    width: image.width,
    height: image.height,
    is_active: image.is_active,
    uploaded_at: image.uploaded_at,
    url: fileUrl(image.stored_name),
  }
}
