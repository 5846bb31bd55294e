import { stat } from 'node:fs/promises'
import { setTimeout as sleep } from 'node:timers/promises'
import type { FileStore } from '#storage/files.ts'
import { createZip } from '#storage/zip-file.ts'

const EXPORTS_FOLDER = 'exports'
const SEE_EVERY_MS = 1_000

type Add = Awaited<ReturnType<typeof createZip>>['add']
type Draft = {
  madeAt: Date
  fill: (add: Add) => Promise<void>
  /** Called each second while the ZIP is sent to where it stays. */
  see: () => Promise<void>
}

const nameOf = (id: string) => `${id}.zip`
const shelfOf = (files: Pick<FileStore, 'beside'>) => files.beside(EXPORTS_FOLDER)

/**
 * Stores the ZIP of an export, which any server can then read. It has its name once it is complete and on the
 * disk. Returns its size in bytes. Throws unavailable when too little free space is left.
 */
export async function writeExport(
  files: Pick<FileStore, 'beside' | 'newTemporary' | 'discard' | 'assertRoom'>,
  id: string,
  { madeAt, fill, see }: Draft,
): Promise<number> {
  const path = files.newTemporary()
  try {
    await writeZip(files, path, madeAt, fill)
    const { size } = await stat(path)
    await watched(shelfOf(files).put([{ path, name: nameOf(id) }]), see)
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
  const zip = await createZip(path, madeAt)
  try {
    await fill(async (...file) => {
      // No single one is as large as what stays free.
      await assertRoom(0)
      await zip.add(...file)
    })
    await zip.end()
  } finally {
    await zip.close()
  }
}

/** Settles with the work, or when it has ended after `see` has failed. */
async function watched(work: Promise<void>, see: Draft['see']): Promise<void> {
  const isOver = work.then(() => true)
  try {
    while (!(await Promise.race([isOver, sleep(SEE_EVERY_MS, false, { ref: false })]))) await see()
  } catch (error) {
    await Promise.allSettled([work])
    throw error
  }
}

/** The ZIP as a stream; undefined when it is not there. */
export async function readExport(files: Pick<FileStore, 'beside'>, id: string) {
  const shelf = shelfOf(files)
  const size = await shelf.size(nameOf(id))
  if (size === undefined) return undefined
  return { size, content: shelf.read(nameOf(id), { first: 0, last: size - 1 }) }
}

/** Whether the ZIP of an export is there, whichever server made it. */
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
