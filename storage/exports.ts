import { writeSync } from 'node:fs'
import { open, stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import { createZip, type Zip } from '#formats/zip.ts'
import type { FileStore } from '#storage/files.ts'

const EXPORTS_FOLDER = 'exports'
const PROGRESS_INTERVAL_MS = 1_000
/** Flushed at intervals, because scans would wait for a flush of the whole file at its end. */
const FLUSH_BYTES = 4 * 1024 * 1024

type Draft = {
  madeAt: Date
  fill: (add: Zip['add']) => Promise<void>
  /** called each second while the finished ZIP is sent to the storage */
  onProgress: () => Promise<void>
}

const nameOf = (id: string) => `${id}.zip`
const shelfOf = (files: Pick<FileStore, 'beside'>) => files.beside(EXPORTS_FOLDER)

/**
 * Stores the ZIP of an export, which any server can then read. The ZIP gets its name when it is complete and on
 * the disk. Returns its size in bytes. Throws unavailable when too little free space is left.
 */
export async function writeExport(
  files: Pick<FileStore, 'beside' | 'newTemporary' | 'discard' | 'assertRoom'>,
  id: string,
  { madeAt, fill, onProgress }: Draft,
): Promise<number> {
  const path = files.newTemporary()
  try {
    await writeZip(files, path, madeAt, fill)
    const { size } = await stat(path)
    await reportWhile(shelfOf(files).put([{ path, name: nameOf(id) }]), onProgress)
    return size
  } finally {
    await files.discard([path])
  }
}

async function writeZip(
  { assertRoom }: Pick<FileStore, 'assertRoom'>,
  path: string,
  madeAt: Date,
  fill: Draft['fill'],
): Promise<void> {
  const file = await createFlushedFile(path)
  const zip = createZip(file.write, madeAt)
  try {
    await fill(async (...entry) => {
      // No single entry is as large as the free space that must remain.
      await assertRoom(0)
      await zip.add(...entry)
    })
    await zip.end()
    await file.flush()
  } finally {
    await file.close()
  }
}

/** Opens a new file that is flushed to the disk while more of it is read and written. */
async function createFlushedFile(path: string) {
  const handle = await open(path, 'w', 0o600)
  let unflushed = 0
  let flushing = Promise.resolve()
  return {
    async write(piece: Uint8Array): Promise<void> {
      // Blocks, which takes half the time, in a thread that answers no requests.
      for (let from = 0; from < piece.length; ) from += writeSync(handle.fd, piece, from)
      unflushed += piece.length
      if (unflushed < FLUSH_BYTES) return
      unflushed = 0
      await flushing
      flushing = handle.datasync()
      flushing.catch(() => undefined)
    },
    async flush(): Promise<void> {
      await flushing
      await handle.sync()
    },
    async close(): Promise<void> {
      await Promise.allSettled([flushing])
      await handle.close()
    },
  }
}

/** Calls `onProgress` at intervals until the work has ended. Throws the first error of either after that. */
async function reportWhile(work: Promise<void>, onProgress: Draft['onProgress']): Promise<void> {
  const isOver = work.then(() => true)
  try {
    while (!(await Promise.race([isOver, sleep(PROGRESS_INTERVAL_MS, false, { ref: false })]))) {
      await onProgress()
    }
  } catch (error) {
    await Promise.allSettled([work])
    throw error
  }
}

/** Returns the ZIP as a stream, or undefined when there is none. */
export async function readExport(files: Pick<FileStore, 'beside'>, id: string) {
  const shelf = shelfOf(files)
  const size = await shelf.size(nameOf(id))
  if (size === undefined) return undefined
  return { size, content: shelf.read(nameOf(id), { first: 0, last: size - 1 }) }
}

/** Checks whether the ZIP of an export exists, on whichever server it was made. */
export async function hasExport(files: Pick<FileStore, 'beside'>, id: string): Promise<boolean> {
  return (await shelfOf(files).size(nameOf(id))) !== undefined
}

/** Removes the files of exports that are not among the ids. */
export async function removeExports(
  files: Pick<FileStore, 'beside'>,
  listIds: () => Promise<string[]>,
): Promise<void> {
  const shelf = shelfOf(files)
  // Before the ids: an export has its row before its file, and may be made in between.
  const names = await shelf.list()
  const kept = (await listIds()).map(nameOf)
  for (const name of names) if (!kept.includes(name)) await shelf.remove(name)
}
