import { existsSync, mkdtempSync, rmSync, statSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test } from 'vitest'
import { openFileStore } from '#storage/files.ts'
import { filesIn } from '#tests/support/uploads.ts'

const STARTED_AT = new Date('2026-11-20T10:00:00.000Z')
const minutesBefore = (minutes: number) => new Date(STARTED_AT.getTime() - minutes * 60_000)
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function openStore() {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-files-'))
  folders.push(dataDir)
  const files = openFileStore(dataDir)
  const write = (content: string) => {
    const path = files.newTemporary()
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }
  const at = (name: string) => join(dataDir, 'files', name)
  const keepOne = async (content: string, changedAt: Date) => {
    const [name = ''] = await files.keep([{ path: write(content), kind: 'pdf' }])
    utimesSync(at(name), changedAt, changedAt)
    return name
  }
  return { dataDir, files, write, at, keepOne }
}

test('a kept file is readable by this user alone, under a name that says nothing', async () => {
  const { files, write, at, dataDir } = openStore()
  const names = await files.keep([
    { path: write('a'), kind: 'pdf' },
    { path: write('b'), kind: 'jpg' },
  ])
  expect(names).toEqual([
    expect.stringMatching(/^[a-z2-7]{26}\.pdf$/),
    expect.stringMatching(/^[a-z2-7]{26}\.jpg$/),
  ])
  const modes = [...names.map(at), at(''), at('incoming')].map(
    (path) => statSync(path).mode & 0o777,
  )
  expect(modes).toEqual([0o600, 0o600, 0o700, 0o700])
  expect(filesIn({ dataDir }).incoming).toEqual([])
})

test('two files that belong together are both kept, or neither', async () => {
  const { files, write, dataDir } = openStore()
  const gone = files.newTemporary()
  const both = [
    { path: write('a'), kind: 'png' as const },
    { path: gone, kind: 'jpg' as const },
  ]
  await expect(files.keep(both)).rejects.toThrow('ENOENT')
  expect(filesIn({ dataDir }).stored).toEqual([])
})

test('a start removes what a crash left, and nothing that may still get its row', async () => {
  const { files, write, keepOne, dataDir } = openStore()
  const withRow = await keepOne('row', minutesBefore(500))
  const orphan = await keepOne('orphan', minutesBefore(61))
  const young = await keepOne('young', minutesBefore(59))
  const left = write('left')
  utimesSync(left, minutesBefore(1), minutesBefore(1))
  const coming = write('coming')
  const missing = `${'a'.repeat(26)}.pdf`
  writeFileSync(join(dataDir, 'files', 'notes.txt'), 'the operator’s own')
  const swept = await files.sweep(async () => [withRow, missing], STARTED_AT)
  expect(swept).toEqual({ temporary: 1, orphans: [orphan], missing: [missing] })
  const { stored } = filesIn({ dataDir })
  expect(stored.toSorted()).toEqual([withRow, young, 'notes.txt'].toSorted())
  expect([left, coming].map((path) => existsSync(path))).toEqual([false, true])
})

test('a file that comes while the folder is looked through is not missing', async () => {
  const { files, keepOne } = openStore()
  const late = () => keepOne('late', STARTED_AT).then((name) => [name])
  expect((await files.sweep(late, STARTED_AT)).missing).toEqual([])
})

test('only stored files are measured and removed', async () => {
  const { files, dataDir, keepOne, at } = openStore()
  const other = join(dataDir, 'driveqr.db')
  writeFileSync(other, 'the database')
  await files.remove(['../driveqr.db', '..', '', 'incoming'])
  expect(existsSync(other)).toBe(true)
  expect(await files.size('../driveqr.db')).toBeUndefined()
  const name = await keepOne('four', STARTED_AT)
  expect(await files.size(name)).toBe(4)
  await files.remove([name, name])
  expect([existsSync(at(name)), await files.size(name)]).toEqual([false, undefined])
})

test('a reader gets the requested part, and one that stops early leaves no file open', async () => {
  const { files, keepOne } = openStore()
  const name = await keepOne('x'.repeat(600_000), STARTED_AT)
  const part = files.read(name, { first: 10, last: 524_297 })
  expect((await new Response(part).arrayBuffer()).byteLength).toBe(524_288)
  const reader = files.read(name, { first: 0, last: 599_999 }).getReader()
  await reader.read()
  await reader.cancel()
  await files.remove([name])
  await expect(new Response(files.read(name, { first: 0, last: 9 })).text()).rejects.toThrow()
})
