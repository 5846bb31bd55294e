import { on, once } from 'node:events'
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { finished } from 'node:stream/promises'
import { Busboy, type BusboyFileStream, type BusboyInstance } from '@fastify/busboy'
import { DomainError } from '#domain/error.ts'
import type { FileRule } from '#domain/papers/file-kind.ts'
import { asRefusal, type FileStore } from '#storage/files.ts'
import { endTurn, inTime, type Turn, takeTurn, throttle, turnOf } from '#storage/upload-pace.ts'

/** A file on the disk under a temporary name, its original name, and the form's other fields. */
export type Upload = { path: string; file_name: string; fields: Record<string, string> }

/** A request whose body is read on demand. The memory of its pieces is transferred. */
export type Sent = {
  headers: Headers
  body: AsyncIterable<Uint8Array>
  account: string
  /** called when the upload may start; may throw to refuse it */
  begin?: () => void
  /** called when all of it has arrived; may throw to refuse it */
  arrived?: () => Promise<void>
  /** the name of the file's field; `file` by default */
  name?: string
  /**
   * Receives the form's other fields as they arrive, for a caller that also needs them when the file is
   * refused. Fields before the file are always read.
   */
  fields?: Record<string, string>
  /** called when there is a file */
  onFile?: () => void
  /** the length of the longest field in bytes, for texts that nobody types */
  longestField?: number
}

/** Room for the form around the file: field names, boundaries, short values. */
const FORM_BYTES = 64 * 1024
/** In seconds. */
const SLOW_RETRY_AFTER = 30
const LIMITS = {
  files: 1,
  fields: 20,
  parts: 21,
  // 2,000 letters of three bytes.
  fieldSize: 8192,
  headerPairs: 20,
  headerSize: 8192,
}

/**
 * Streams the file of a form to the disk and passes it to `work`. The temporary file is
 * removed afterwards unless `work` kept it. Throws too_large as soon as the limit is exceeded,
 * too_many when the account has too many uploads, and unavailable when the disk or queue is full.
 */
export function withUpload<T>(
  store: FileStore,
  rule: FileRule,
  sent: Sent,
  work: (upload: Upload) => Promise<T>,
): Promise<T> {
  return withForm(store, rule, sent, ({ file_name, ...upload }) => {
    if (!file_name) throw new DomainError('invalid.no_file')
    return work({ ...upload, file_name })
  })
}

type SentForm = Omit<Upload, 'file_name'> & { file_name: string | undefined }

/**
 * Does the same for a form whose file is optional. A small form takes a place only for its file, so that a
 * message without one is accepted while other uploads of its address have all their places.
 */
export async function withForm<T>(
  store: FileStore,
  rule: FileRule,
  sent: Sent,
  work: (form: SentForm) => Promise<T>,
): Promise<T> {
  // A caller that needs the fields gets them first.
  const isTooLarge = Number(sent.headers.get('Content-Length')) > rule.maxBytes + FORM_BYTES
  if (isTooLarge && !sent.fields) throw new DomainError(rule.tooLarge)
  const waits = isSmall(sent)
  let turn = waits
    ? turnOf(sent.account)
    : await begin(store, rule, sent).catch(async (error) => {
        await readTyped(sent, rule)
        throw error
      })
  const path = store.newTemporary()
  try {
    const received = await receive(sent, rule, path, turn)
    if (waits && received.file_name) turn = await begin(store, rule, sent)
    await sent.arrived?.()
    return await work({ path, ...received })
  } finally {
    await store.discard([path]).finally(() => endTurn(turn))
  }
}

function isSmall({ headers, fields }: Sent): boolean {
  const length = headers.get('Content-Length')
  return fields !== undefined && length !== null && Number(length) <= FORM_BYTES
}

async function begin(store: FileStore, rule: FileRule, { account, begin }: Sent): Promise<Turn> {
  const turn = await takeTurn(account)
  try {
    await store.assertRoom(rule.maxBytes)
    begin?.()
    return turn
  } catch (error) {
    endTurn(turn)
    throw error
  }
}

/** Reads the fields before the file of a form whose file is refused. */
async function readTyped(sent: Sent, rule: FileRule): Promise<void> {
  const { body, fields, onFile } = sent
  if (!fields) return
  const stop = new AbortController()
  const parser = openParser(sent, rule)
    .on('field', (name, value) => {
      fields[name] = value
    })
    .on('file', (_name, stream, fileName: string) => {
      if (fileName) onFile?.()
      stream.on('error', () => stop.abort())
      stream.resume()
      stop.abort()
    })
    .on('error', () => stop.abort())
  let bytes = 0
  for await (const chunk of inTime(body, () => stop.abort())) {
    parser.write(chunk)
    bytes += chunk.length
    if (stop.signal.aborted || bytes > FORM_BYTES) return
  }
}

type Received = { fields: Record<string, string>; file_name: string | undefined }

async function receive(sent: Sent, rule: FileRule, path: string, turn: Turn): Promise<Received> {
  const { body, name: wanted = 'file', fields = Object.create(null), onFile } = sent
  const received: Received = { fields, file_name: undefined }
  const stop = new AbortController()
  const { signal } = stop
  let reason: unknown
  const fail = (error: unknown) => {
    reason ??= error
    stop.abort()
  }
  const tooLarge = () => fail(new DomainError(rule.tooLarge))
  const tooSlow = () => fail(new DomainError('invalid.upload_slow'))
  const tooMany = () => fail(new DomainError('invalid.form_fields'))
  turn.abort = () => {
    fail(new DomainError('unavailable.upload_slow', { retryAfter: SLOW_RETRY_AFTER }))
  }
  const parser = openParser(sent, rule)
  let writing: Promise<void> | undefined
  parser
    // Kept to the end: pieces in its buffer can still break the form.
    .on('error', fail)
    .on('field', (name, value) => {
      received.fields[name] = value
    })
    .on('file', (name: string, stream: BusboyFileStream, fileName: string) => {
      // An error of a file without a listener would end the process.
      stream.on('error', fail)
      if (name !== wanted || !fileName) return stream.resume()
      received.file_name = fileName
      onFile?.()
      stream.once('limit', tooLarge)
      writing = writePieces(path, piecesOf(stream, signal))
      return writing.catch(fail)
    })
  for (const limit of ['filesLimit', 'fieldsLimit', 'partsLimit'] as const)
    parser.on(limit, tooMany)
  try {
    const most = rule.maxBytes + FORM_BYTES
    await feed(body, parser, { turn, most, tooLarge, tooSlow, fail, signal })
    await writing
  } catch {
    stop.abort()
    await writing?.catch(fail)
    throw asUploadRefusal(reason)
  }
  return received
}

/**
 * Yields the pieces of a stream as they arrive, and pauses it after the last one. Its own iterator copies
 * waiting pieces into one, and leaves them to the garbage collector.
 */
export async function* piecesOf(stream: Readable, signal?: AbortSignal): AsyncGenerator<Buffer> {
  if (stream.destroyed) return
  const ends = { close: ['end', 'close'], highWaterMark: 1, lowWaterMark: 1 }
  try {
    for await (const [piece] of on(stream, 'data', { ...ends, signal })) yield piece
  } finally {
    stream.pause()
  }
}

/** The memory of pieces of bodies. The parser's own memory can hold a piece of the file too. */
const given = new WeakSet<ArrayBufferLike>()

/**
 * Writes the file, and frees the memory of each piece at once. Left to the garbage collector, every 10 MB
 * would make it mark the whole heap, with threads that delay scans. Memory that also holds another part of
 * the form is not freed here.
 */
async function writePieces(path: string, pieces: AsyncIterable<Buffer>): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  try {
    for await (const piece of pieces) {
      await file.writeFile(piece)
      const { buffer } = piece as Buffer<ArrayBuffer>
      if (piece.length === buffer.byteLength && given.has(buffer)) buffer.transfer(0)
    }
  } finally {
    await file.close()
  }
}

function openParser({ headers, longestField: fieldSize = LIMITS.fieldSize }: Sent, rule: FileRule) {
  try {
    return new Busboy({
      headers: { 'content-type': headers.get('Content-Type') ?? '' },
      limits: { ...LIMITS, fieldSize, fileSize: rule.maxBytes },
    })
  } catch {
    throw malformed()
  }
}

type Feeding = {
  turn: Turn
  most: number
  tooLarge: () => void
  tooSlow: () => void
  fail: (error: unknown) => void
  signal: AbortSignal
}

/** Passes the body to the parser. Fields and headers count too, so that no part of a form is unlimited. */
async function feed(body: Sent['body'], parser: BusboyInstance, feeding: Feeding): Promise<void> {
  const { turn, most, tooLarge, tooSlow, fail, signal } = feeding
  const parsed = finished(parser, { signal })
  parsed.catch(fail)
  for await (const chunk of inTime(body, tooSlow)) {
    // Read first: a freed piece has no length.
    const { length } = chunk
    given.add(chunk.buffer)
    turn.bytes += length
    if (turn.bytes > most) tooLarge()
    signal.throwIfAborted()
    if (!parser.write(chunk)) await once(parser, 'drain', { signal })
    await throttle(length)
  }
  turn.abort = undefined
  signal.throwIfAborted()
  parser.end()
  await parsed
}

/** Returns the refusal for an error. One that is neither a limit nor the disk's means a malformed form. */
function asUploadRefusal(reason: unknown): unknown {
  const refusal = asRefusal(reason)
  const isDiskFault = refusal instanceof Error && 'syscall' in refusal
  return refusal instanceof DomainError || isDiskFault ? refusal : malformed()
}

function malformed(): DomainError {
  return new DomainError('invalid.form_incomplete')
}
