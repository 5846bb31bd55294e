import { createHash } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { hashContent } from '#storage/backup/archive.ts'
import type { FileStore } from '#storage/files.ts'

/** Each waits for a server most of the time. */
const AT_ONCE = 8

type Moving = {
  from: FileStore
  to: FileStore
  names: string[]
  /** for copies on their way, on the disk of the data folder */
  folder: string
  /** receives the bytes that were just done */
  advance: (bytes: number) => void
}

/**
 * Copies stored files, but not those that an interrupted move has copied, and reads each back. Resolves
 * with how many bytes they have, and the names of those that were missing before.
 */
export async function moveFiles(moving: Moving): Promise<{ bytes: number; missing: string[] }> {
  const { names, folder, advance } = moving
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  const missing: string[] = []
  const left = names.values()
  let bytes = 0
  const work = async () => {
    for (const name of left) {
      const size = await moveFile(moving, name)
      if (size === undefined) missing.push(name)
      else bytes += size
      advance(size ?? 0)
    }
  }
  const workers = await Promise.allSettled(Array.from({ length: AT_ONCE }, work))
  for (const each of workers) if (each.status === 'rejected') throw each.reason
  return { bytes, missing: missing.toSorted() }
}

async function moveFile({ from, to, folder }: Moving, name: string): Promise<number | undefined> {
  const content = await from.whole(name)
  if (!content) return undefined
  const path = join(folder, name)
  const file = await open(path, 'w', 0o600)
  let size = 0
  let sum: string
  try {
    sum = await hashContent(content, async (piece) => {
      size += piece.length
      await file.writeFile(piece)
    })
  } finally {
    await file.close()
  }
  if ((await to.size(name)) !== size || (await sumOf(to, name)) !== sum) {
    await to.put([{ path, name }])
    if ((await sumOf(to, name)) !== sum) {
      throw new Error(`The copy of the file ${name} is not like the original: try again`)
    }
  }
  await rm(path, { force: true })
  return size
}

async function sumOf(files: FileStore, name: string): Promise<string> {
  const content = await files.whole(name)
  return content ? hashContent(content, () => {}) : createHash('sha256').digest('hex')
}
