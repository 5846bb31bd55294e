import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import type { Syscall } from '#lab/drills/_syscalls.ts'

const SECTOR = 512

type Change = { at: number; offset: number; data: Buffer } | { at: number; length: number }
type File = { safe: Buffer; size: number; changes: Change[] }
type Naming = { at: number; name: string; file: File | undefined }
type Directory = { safe: Map<string, File>; now: Map<string, File>; namings: Naming[] }

export type Disk = ReturnType<typeof openDisk>

/**
 * Opens a simulated disk that keeps synced data and may lose anything else: any sector of a file,
 * and the latest changes of names in a folder. The folder's initial contents count as synced.
 */
export function openDisk(root: string) {
  const folders = new Map<string, Directory>()
  readFolder(root)

  function readFolder(path: string): void {
    const safe = new Map<string, File>()
    for (const entry of readdirSync(path, { withFileTypes: true })) {
      const inside = join(path, entry.name)
      if (entry.isDirectory()) readFolder(inside)
      else if (!entry.name.endsWith('-shm')) safe.set(entry.name, newFile(readFileSync(inside)))
    }
    folders.set(path, { safe, now: new Map(safe), namings: [] })
  }

  function find(path: string): File | undefined {
    return folders.get(dirname(path))?.now.get(basename(path))
  }

  function name(path: string, file: File | undefined, at: number): void {
    const folder = folders.get(dirname(path))
    if (!folder || path.endsWith('-shm')) return
    folder.namings.push({ at, name: basename(path), file })
    if (file) folder.now.set(basename(path), file)
    else folder.now.delete(basename(path))
  }

  /** `at` is the number of the call, as in the `since` of a sync. */
  function apply(call: Syscall, at: number): void {
    if (call.call === 'answer') return
    const file = find(call.path)
    if (call.call === 'sync') sync(call.path, call.since)
    else if (!file) {
      if (call.call === 'create') name(call.path, newFile(Buffer.alloc(0)), at)
    } else if (call.call === 'write') {
      const offset = call.offset ?? file.size
      file.size = Math.max(file.size, offset + call.data.length)
      file.changes.push(...sectorsOf(call.data, offset, at))
    } else if (call.call === 'truncate') cut(file, call.length, at)
    else if (call.call === 'create' && call.empties) cut(file, 0, at)
    else if (call.call === 'rename' || call.call === 'unlink') {
      name(call.path, undefined, at)
      if (call.call === 'rename') name(call.to, file, at)
    }
  }

  function sync(path: string, since: number): void {
    const file = find(path)
    if (file) {
      file.safe = withChanges(
        file.safe,
        file.changes.filter(({ at }) => at < since),
      )
      file.changes = file.changes.filter(({ at }) => at >= since)
    }
    const folder = folders.get(path)
    if (!folder) return
    for (const { name, file } of folder.namings.filter(({ at }) => at < since)) {
      setName(folder.safe, name, file)
    }
    folder.namings = folder.namings.filter(({ at }) => at >= since)
  }

  /**
   * Writes the files after a power cut in which each unsynced sector was kept with this
   * probability.
   */
  function writeImage(to: string, chance: number): void {
    for (const [path, { safe, namings }] of folders) {
      const into = join(to, path.slice(root.length))
      mkdirSync(into, { recursive: true })
      const names = new Map(safe)
      const kept = Math.floor(Math.random() * (namings.length + 1))
      for (const { name, file } of namings.slice(0, kept)) setName(names, name, file)
      for (const [name, file] of names) {
        const changes = file.changes.filter(() => Math.random() < chance)
        writeFileSync(join(into, name), withChanges(file.safe, changes))
      }
    }
  }

  /**
   * Throws when replaying the calls does not give the real files, because then they prove nothing.
   */
  function assertFaithful(): void {
    for (const [path, { now }] of folders) {
      for (const [name, { safe, changes }] of now) {
        const inside = join(path, name)
        if (withChanges(safe, changes).equals(readFileSync(inside))) continue
        throw new Error(`${inside} differs from the replay of its system calls`)
      }
    }
  }

  return { apply, writeImage, assertFaithful }
}

function cut(file: File, length: number, at: number): void {
  file.size = length
  file.changes.push({ at, length })
}

const newFile = (safe: Buffer): File => ({ safe, size: safe.length, changes: [] })

function setName(names: Map<string, File>, name: string, file: File | undefined): void {
  if (file) names.set(name, file)
  else names.delete(name)
}

function sectorsOf(data: Buffer, offset: number, at: number): Change[] {
  const sectors: Change[] = []
  for (let from = 0; from < data.length; ) {
    const to = Math.min(data.length, from + SECTOR - ((offset + from) % SECTOR))
    sectors.push({ at, offset: offset + from, data: data.subarray(from, to) })
    from = to
  }
  return sectors
}

function withChanges(safe: Buffer, changes: Change[]): Buffer {
  const ends = changes.map((each) => ('data' in each ? each.offset + each.data.length : 0))
  const room = Buffer.alloc(ends.reduce((most, end) => Math.max(most, end), safe.length))
  safe.copy(room)
  let size = safe.length
  for (const change of changes) {
    if ('data' in change) {
      change.data.copy(room, change.offset)
      size = Math.max(size, change.offset + change.data.length)
    } else {
      room.fill(0, change.length)
      size = change.length
    }
  }
  return room.subarray(0, size)
}
