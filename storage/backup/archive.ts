/** The one module that uses tar-stream. */
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { extract, type Header, type Pack, pack } from 'tar-stream'

type Bytes = AsyncIterable<Buffer> | Iterable<Buffer>
/** Reports progress by the number of bytes just processed. */
export type Advance = (bytes: number) => void
/** Adds a file of exactly `size` bytes; resolves with its SHA-256. */
export type Add = (name: string, size: number, content: Bytes) => Promise<string>

/** Makes a new archive as a stream, which `write` consumes and stores durably. */
export async function writeArchive(
  write: (archive: Readable) => Promise<void>,
  madeAt: Date,
  advance: Advance,
  fill: (add: Add) => Promise<void>,
): Promise<void> {
  const archive = pack()
  const broken = new AbortController()
  const written = write(Readable.from(archive, { objectMode: false })).catch((error) => {
    broken.abort(error)
    throw error
  })
  const add: Add = async (name, size, content) => {
    const hash = createHash('sha256')
    const { entry, added } = openEntry(archive, { name, size, mode: 0o600, mtime: madeAt })
    for await (const piece of content) {
      broken.signal.throwIfAborted()
      hash.update(piece)
      advance(piece.length)
      // A copy: the archive writes later, and a piece is valid only until the next.
      if (!entry.write(Buffer.from(piece))) await once(entry, 'drain', { signal: broken.signal })
    }
    entry.end(undefined)
    await Promise.race([added, written])
    return hash.digest('hex')
  }
  try {
    await fill(add)
    archive.finalize()
  } catch (error) {
    // A failed write makes the filling fail, and is the cause.
    const cause = broken.signal.aborted ? broken.signal.reason : error
    archive.destroy(error as Error)
    await written.catch(() => {})
    throw cause
  }
  await written
}

function openEntry(archive: Pack, header: Partial<Header> & { name: string }) {
  let settle = (_error?: Error | null) => {}
  const added = new Promise<void>((resolve, reject) => {
    settle = (error) => (error ? reject(error) : resolve())
  })
  added.catch(() => {})
  return { entry: archive.entry(header, settle), added }
}

export type Archived = {
  name: string
  size: number
  isFile: boolean
  /** must be consumed before the next entry is read */
  content: AsyncIterable<Buffer>
}

/** Returns the entries of an archive, one after the other. Throws when the archive is damaged. */
export async function* readArchive(
  archive: AsyncIterable<Uint8Array>,
): AsyncGenerator<Archived, void> {
  const reader = extract()
  const read = pipeline(archive, reader)
  read.catch(() => {})
  for await (const entry of reader) {
    const { name, size = 0, type } = entry.header
    yield { name, size, isFile: type === 'file', content: entry as AsyncIterable<Buffer> }
  }
  await read
}

/** Consumes a content, passing each piece to `see`. Resolves with its SHA-256. */
export async function hashContent(
  content: AsyncIterable<Buffer>,
  see: (piece: Buffer) => unknown,
): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of content) {
    hash.update(piece)
    await see(piece)
  }
  return hash.digest('hex')
}

/** Reads a whole content. Throws when it is larger than `most` bytes. */
export async function readSmall({ name, size, content }: Archived, most: number): Promise<Buffer> {
  if (size > most) throw new Error(`${name} is too large`)
  const pieces: Buffer[] = []
  for await (const piece of content) pieces.push(piece)
  return Buffer.concat(pieces)
}
