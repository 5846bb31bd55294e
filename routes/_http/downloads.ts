import { ReadableStream } from 'node:stream/web'
import { z } from '@hono/zod-openapi'
import { removeStoredFiles } from '#actions/papers/files.ts'
import type { Tables } from '#db/schema.ts'
import { PHOTO_FILE } from '#db/stored-files.ts'
import { type ByteRange, readRange } from '#domain/papers/byte-range.ts'
import {
  CONTENT_TYPES,
  cleanFileName,
  contentDisposition,
  type FileKind,
  kindOfStoredName,
} from '#domain/papers/file-kind.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { isNotModified } from '#routes/_http/headers.ts'
import { assertMayTry, countTry } from '#routes/_http/rate-limits.ts'

/** Describes the response of a call that returns a file. */
export function fileAnswer<T extends string>(description: string, type: T) {
  const schema = z.string().openapi({ format: 'binary' })
  return { description, content: { [type]: { schema } } as Record<T, { schema: typeof schema }> }
}

/** Describes the responses of a call that returns a stored file, or a part of it. */
export function storedFileAnswers(description: string, type: string) {
  const file = fileAnswer(description, type)
  return {
    200: file,
    206: { ...file, description: 'The part that the Range header requests' },
    304: { description: 'Unchanged' },
    416: { description: 'The file ends before the range' },
  }
}

/** Streams a download while it is generated, with backpressure. Counted by the limit `counted`. */
export function sendFile(
  c: AppContext,
  pieces: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  { name, type }: { name: string; type: string },
  counted: 'print' | 'export' = 'print',
): Response {
  assertMayTry(c, counted)
  // The answer to a HEAD is never generated.
  if (c.req.method !== 'HEAD') countTry(c, counted)
  c.header('Content-Type', type)
  c.header('Content-Disposition', `attachment; filename="${name}"`)
  return c.body(ReadableStream.from(pieces) as globalThis.ReadableStream)
}

const POLICY = "default-src 'none'; sandbox"
/** The strictest policy with which WebKit shows PDFs: docs/decisions/0020-pdf-policy.md. */
const SHOWN_PDF_POLICY =
  "default-src 'none'; style-src 'unsafe-inline'; sandbox allow-scripts allow-same-origin"

/** A stored file to send, after access was checked. */
export type Served = {
  stored_name: string
  file_name: string
  /** whether it is public, so that caches may keep it and revalidate it each time */
  isOpen: boolean
  way: 'inline' | 'attachment'
}

/** Sends a stored file or the requested range; undefined when the file is missing. */
export async function answerFile(c: AppContext, served: Served): Promise<Response | undefined> {
  const { stored_name } = served
  const kind = kindOfStoredName(stored_name)
  const size = await c.var.deps.files.size(stored_name)
  if (!kind || size === undefined) return undefined
  setHeaders(c, served, kind)
  const etag = `"${stored_name}"`
  c.header('ETag', etag)
  if (isNotModified(c, etag)) return c.body(null, 304)
  const isSame = (c.req.header('If-Range') ?? etag) === etag
  const range = isSame ? readRange(c.req.header('Range'), size) : undefined
  if (range === 'beyond') {
    c.header('Content-Range', `bytes */${size}`)
    return c.body(null, 416)
  }
  return answerPart(c, stored_name, size, range)
}

function setHeaders(c: AppContext, { file_name, isOpen, way }: Served, kind: FileKind): void {
  c.header('Content-Type', CONTENT_TYPES[kind])
  c.header('Content-Disposition', contentDisposition(way, cleanFileName(file_name, kind)))
  const isShownPdf = kind === 'pdf' && way === 'inline'
  c.header('Content-Security-Policy', isShownPdf ? SHOWN_PDF_POLICY : POLICY)
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex, noarchive')
  c.header('Cache-Control', isOpen ? 'public, max-age=0, must-revalidate' : 'private, no-store')
  c.header('Accept-Ranges', 'bytes')
}

function answerPart(c: AppContext, name: string, size: number, range: ByteRange | undefined) {
  const part = range ?? { first: 0, last: size - 1 }
  if (range) c.header('Content-Range', `bytes ${part.first}-${part.last}/${size}`)
  c.header('Content-Length', String(part.last - part.first + 1))
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return c.body(null, status)
  return c.body(c.var.deps.files.read(name, part), status)
}

/** Deletes files whose rows were deleted. */
export function removeFiles(c: AppContext, removed: { stored_names: string[] }): Promise<void> {
  return removeStoredFiles(loggedDeps(c), removed)
}

/** Sends the photo of a conversation; undefined when there is none. */
export async function answerPhoto(
  c: AppContext,
  { photo_name }: Pick<Tables['conversations'], 'photo_name'>,
): Promise<Response | undefined> {
  if (!photo_name) return undefined
  const served = { stored_name: photo_name, file_name: PHOTO_FILE } as const
  return answerFile(c, { ...served, isOpen: false, way: 'inline' })
}
