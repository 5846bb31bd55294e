import { open, readFile, stat } from 'node:fs/promises'
import { DomainError } from '#domain/error.ts'
import type { PdfProblem } from '#domain/papers/document.ts'
import {
  CONTENT_TYPES,
  cleanFileName,
  DOCUMENT_FILES,
  type FileKind,
  IMAGE_FILES,
} from '#domain/papers/file-kind.ts'
import { HEAD_BYTES, hasPdfEnd, PDF_TAIL_BYTES, sniffKind } from '#formats/sniff.ts'
import type { FileStore } from '#storage/files.ts'
import {
  drawThumbnail,
  findPdfProblem,
  redrawDocument,
  redrawLogo,
  redrawPopupImage,
  redrawSmallLogo,
} from '#storage/image-process.ts'
import type { Upload } from '#storage/uploads.ts'

export type KeptDocument = {
  file_name: string
  stored_name: string
  thumbnail_name: string | null
  file_size: number
  content_type: string
}

export type KeptImage = {
  file_name: string
  stored_name: string
  file_size: number
  width: number
  height: number
}

export type KeptPhoto = { photo_name: string; photo_thumbnail_name: string }

/**
 * Stores an uploaded document: a PDF unchanged, an image redrawn, so that its location and any
 * hidden data are dropped. Throws unsupported for other or damaged contents.
 */
export async function keepDocument(store: FileStore, upload: Upload): Promise<KeptDocument> {
  const { size } = await stat(upload.path)
  const kind = await kindOf(upload)
  if (kind === 'pdf') {
    const tail = await readPart(upload, Math.max(0, size - PDF_TAIL_BYTES), PDF_TAIL_BYTES)
    if (!hasPdfEnd(tail)) throw cutShort()
    const names = await store.keep([{ path: upload.path, kind }])
    return describeDocument(upload, kind, size, names)
  }
  if (kind !== 'jpg' && kind !== 'png') throw new DomainError(DOCUMENT_FILES.wrongKind)
  const [picture, thumbnail] = [store.newTemporary(), store.newTemporary()]
  try {
    const drawn = await redrawDocument(upload.path, picture, kind)
    await drawThumbnail(picture, thumbnail)
    const files = [{ path: picture, kind } as const, { path: thumbnail, kind: 'jpg' } as const]
    return describeDocument(upload, kind, drawn.size, await store.keep(files))
  } finally {
    await store.discard([picture, thumbnail])
  }
}

/** Returns why an uploaded document shows no page; null if it shows one. */
export async function findDocumentProblem(upload: Upload): Promise<PdfProblem | null> {
  return (await kindOf(upload)) === 'pdf' ? findPdfProblem(upload.path) : null
}

function describeDocument(
  { file_name }: Upload,
  kind: FileKind,
  file_size: number,
  [stored_name = '', thumbnail_name]: string[],
): KeptDocument {
  return {
    file_name: cleanFileName(file_name, kind),
    stored_name,
    thumbnail_name: thumbnail_name ?? null,
    file_size,
    content_type: CONTENT_TYPES[kind],
  }
}

/** Stores an image for the scan page, redrawn as WebP. Throws unsupported for other contents. */
export async function keepImage(store: FileStore, upload: Upload): Promise<KeptImage> {
  const kind = await sniffImage(upload)
  const picture = store.newTemporary()
  try {
    const { width, height, size } = await redrawPopupImage(upload.path, picture)
    const [stored_name = ''] = await store.keep([{ path: picture, kind: 'webp' }])
    const file_name = cleanFileName(upload.file_name, kind)
    return { file_name, stored_name, file_size: size, width, height }
  } finally {
    await store.discard([picture])
  }
}

/** Stores a finder's photo, redrawn as WebP, and its thumbnail. Throws unsupported for other contents. */
export async function keepPhoto(store: FileStore, upload: Upload): Promise<KeptPhoto> {
  // A photo that a script made smaller is empty when a browser sends its form again from an error page.
  if ((await stat(upload.path)).size === 0) throw new DomainError('unsupported.photo_not_kept')
  await sniffImage(upload)
  const [picture, thumbnail] = [store.newTemporary(), store.newTemporary()]
  try {
    await redrawPopupImage(upload.path, picture)
    await drawThumbnail(picture, thumbnail)
    const [photo_name = '', photo_thumbnail_name = ''] = await store.keep([
      { path: picture, kind: 'webp' },
      { path: thumbnail, kind: 'jpg' },
    ])
    return { photo_name, photo_thumbnail_name }
  } finally {
    await store.discard([picture, thumbnail])
  }
}

/** Stores a logo, and draws it small for pages as a WebP in base64. Throws unsupported for other contents. */
export async function keepLogo(
  store: FileStore,
  upload: Upload,
): Promise<{ logo: string; logo_file: string }> {
  await sniffImage(upload)
  const [large, small] = [store.newTemporary(), store.newTemporary()]
  try {
    await redrawLogo(upload.path, large)
    await redrawSmallLogo(large, small)
    const logo = (await readFile(small)).toString('base64')
    const [logo_file = ''] = await store.keep([{ path: large, kind: 'png' }])
    return { logo, logo_file }
  } finally {
    await store.discard([large, small])
  }
}

async function sniffImage(upload: Upload): Promise<FileKind> {
  const kind = await kindOf(upload)
  if (!kind || !IMAGE_FILES.kinds.includes(kind)) throw new DomainError(IMAGE_FILES.wrongKind)
  return kind
}

async function kindOf(upload: Upload): Promise<FileKind | undefined> {
  return sniffKind(await readPart(upload, 0, HEAD_BYTES))
}

async function readPart({ path }: Upload, from: number, length: number): Promise<Buffer> {
  const handle = await open(path, 'r')
  try {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, from)
    return buffer.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

function cutShort(): DomainError {
  return new DomainError('unsupported.pdf_cut_short')
}
