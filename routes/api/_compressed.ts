import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import type { AppContext } from '#routes/_http/context.ts'
import { isNotModified } from '#routes/_http/headers.ts'
import { acceptsGzip } from '#routes/_http/render.tsx'

/** A document that is the same for everybody, encoded once, so that answers share its memory. */
export type Compressed = Record<
  'plain' | 'gzipped',
  { bytes: Uint8Array<ArrayBuffer>; etag: string }
>

export function compress(text: string): Compressed {
  const bytes = Buffer.from(text)
  const hash = createHash('sha256').update(bytes).digest('base64url').slice(0, 22)
  return {
    plain: { bytes, etag: `"${hash}"` },
    gzipped: { bytes: gzipSync(bytes, { level: 9 }), etag: `"${hash}-gzip"` },
  }
}

export function answerCompressed(
  c: AppContext,
  compressed: Compressed,
  headers: { 'Content-Type': string; Vary: string },
): Response {
  const isGzipped = acceptsGzip(c)
  const { bytes, etag } = compressed[isGzipped ? 'gzipped' : 'plain']
  c.header('Content-Type', headers['Content-Type'])
  c.header('Vary', headers.Vary, { append: true })
  c.header('Cache-Control', 'public, max-age=0, must-revalidate')
  c.header('ETag', etag)
  if (isNotModified(c, etag)) return c.body(null, 304)
  if (isGzipped) c.header('Content-Encoding', 'gzip')
  return c.body(bytes)
}
