import { type ByteRange, readRange } from '#domain/byte-range.ts'
import {
  CONTENT_TYPES,
  cleanFileName,
  contentDisposition,
  type FileKind,
  kindOfStoredName,
} from '#domain/file-kind.ts'
import type { AppContext } from '#routes/_deps.ts'
import type { StoredFile } from '#storage/files.ts'
import { streamPart } from '#storage/reading.ts'

const POLICY = "default-src 'none'; sandbox"

/** Which stored file to answer with, once it is settled that whoever asks may have it. */
export type Served = {
  stored_name: string
  file_name: string
  /** whether caches between here and there may keep it for a minute */
  isOpen: boolean
  way: 'inline' | 'attachment'
}

/** Answers with a stored file or the part that was asked for; undefined when it is not there. */
export async function answerFile(c: AppContext, served: Served): Promise<Response | undefined> {
  const kind = kindOfStoredName(served.stored_name)
  const file = await c.var.deps.files.open(served.stored_name)
  if (!file || !kind) return undefined
  setHeaders(c, served, kind)
  const etag = `"${served.stored_name}"`
  c.header('ETag', etag)
  if (isKnown(c.req.header('If-None-Match'), etag)) return answerEmpty(c, file, 304)
  const asked = c.req.header('If-Range')
  const isSame = asked === undefined || asked === etag
  const range = isSame ? readRange(c.req.header('Range'), file.size) : undefined
  if (range === 'beyond') {
    c.header('Content-Range', `bytes */${file.size}`)
    return answerEmpty(c, file, 416)
  }
  return answerPart(c, file, range)
}

function setHeaders(c: AppContext, { file_name, isOpen, way }: Served, kind: FileKind): void {
  c.header('Content-Type', CONTENT_TYPES[kind])
  c.header('Content-Disposition', contentDisposition(way, cleanFileName(file_name, kind)))
  c.header('Content-Security-Policy', POLICY)
  c.header('Referrer-Policy', 'no-referrer')
  c.header('X-Robots-Tag', 'noindex, noarchive')
  c.header('Cache-Control', isOpen ? 'public, max-age=60' : 'private, no-store')
  c.header('Accept-Ranges', 'bytes')
}

function answerPart(c: AppContext, file: StoredFile, range: ByteRange | undefined) {
  const { handle, size } = file
  const part = range ?? { first: 0, last: size - 1 }
  if (range) c.header('Content-Range', `bytes ${part.first}-${part.last}/${size}`)
  c.header('Content-Length', String(part.last - part.first + 1))
  const status = range ? 206 : 200
  if (c.req.method === 'HEAD') return answerEmpty(c, file, status)
  return c.body(streamPart(handle, part), status)
}

async function answerEmpty(c: AppContext, { handle }: StoredFile, status: 200 | 206 | 304 | 416) {
  await handle.close()
  return c.body(null, status)
}

function isKnown(header: string | undefined, etag: string): boolean {
  const known = (header ?? '').split(',').map((tag) => tag.trim().replace(/^W\//, ''))
  return known.includes(etag) || known.includes('*')
}

/** Deletes files whose rows are gone. One that stays behind is in the log, and swept at a start. */
export async function removeFiles(
  { var: { deps, requestId } }: AppContext,
  { stored_names }: { stored_names: string[] },
): Promise<void> {
  await deps.files.remove(stored_names).catch((err) => {
    deps.log.error({ requestId, err }, 'files left behind')
  })
}
