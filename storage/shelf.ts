import type { ByteRange } from '#domain/papers/byte-range.ts'

/** The code of an error when the shelf does not work. `cause` is the client's error. */
export const SHELF_FAILED = 'SHELF_FAILED'

/** Where stored files are: a folder or a bucket. A name is given to one file ever. */
export type Shelf = {
  /** where it is, for the operator */
  place: string
  /** Stores local files under names, flushed when it resolves. The local ones may be gone after it. */
  put(files: { path: string; name: string }[]): Promise<void>
  /** Deletes a stored file, or keeps it until no hold is left. A missing one is ignored. */
  remove(name: string): Promise<void>
  /** Size in bytes; undefined for missing files and links. Held files are not missing. */
  size(name: string): Promise<number | undefined>
  /** A part of a stored file, opened on the first read. */
  read(name: string, part: ByteRange): ReadableStream
  /** A whole file in large pieces, each valid until the next is asked for; undefined when it is missing. */
  whole(name: string): Promise<AsyncIterable<Buffer> | undefined>
  /** The names of all stored files, and of others that are there. */
  list(): Promise<string[]>
  /** When a file was stored; undefined when it is missing. */
  changedAt(name: string): Promise<Date | undefined>
  /** Removes what an upload or backup that was killed long before `now` left beside stored files. */
  clean(now: Date): Promise<void>
  /** A shelf in a folder of its own beside the stored files, which knows nothing of them. */
  beside(folder: string): Shelf
  /** Keeps removed files readable until the answer is called. */
  hold(now: Date): Promise<() => Promise<void>>
  /** Rejects while files cannot be read; it is cheap enough for a call each second. */
  probe(): Promise<void>
  /** Throws an Error with one line for the operator when files cannot be stored and read here. */
  check(): Promise<void>
}
