import {
  existsSync,
  mkdtempSync,
  rmSync,
  statSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import { filesOn, openTestStorage, prefixOf, s3Server, s3Settings } from '#tests/support/storage.ts'

const STARTED_AT = new Date('2026-11-20T10:00:00.000Z')
const minutesBefore = (minutes: number) => new Date(STARTED_AT.getTime() - minutes * 60_000)
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

async function openStore(where: 'folder' | 's3') {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-files-'))
  folders.push(dataDir)
  const settings = where === 's3' ? await s3Settings(prefixOf(dataDir)) : {}
  const files = await openTestStorage(dataDir, settings)
  const write = (content: string) => {
    const path = files.newTemporary()
    writeFileSync(path, content, { mode: 0o600 })
    return path
  }
  const at = (name: string) => join(dataDir, 'files', name)
  const put = async (name: string, content: string, changedAt = new Date()) => {
    if (where === 'folder') {
      writeFileSync(at(name), content)
      return utimesSync(at(name), changedAt, changedAt)
    }
    const stored = { body: Buffer.from(content), at: changedAt, checksum: undefined }
    ;(await s3Server()).objects.set(`${prefixOf(dataDir)}/${name}`, stored)
  }
  const keepOne = async (content: string, changedAt: Date) => {
    const [name = ''] = await files.keep([{ path: write(content), kind: 'pdf' }])
    await put(name, content, changedAt)
    return name
  }
  const stored = () => filesOn(where, dataDir).stored.toSorted()
  return { dataDir, files, write, at, put, keepOne, stored }
}

const contentOf = async (pieces: AsyncIterable<Buffer> | undefined) => {
  const all: Buffer[] = []
  for await (const piece of pieces ?? []) all.push(Buffer.from(piece))
  return Buffer.concat(all).toString()
}
const text = (stream: ReadableStream) => new Response(stream).text()

describe.each(['folder', 's3'] as const)('%s', (where) => {
  test('a kept file has a name that says nothing, and no temporary file is left', async () => {
    const { files, write, stored, dataDir } = await openStore(where)
    const paths = [write('a'), write('b')] as const
    const names = await files.keep([
      { path: paths[0], kind: 'pdf' },
      { path: paths[1], kind: 'jpg' },
    ])
    await files.discard([...paths])
    expect(names).toEqual([
      expect.stringMatching(/^[a-z2-7]{26}\.pdf$/),
      expect.stringMatching(/^[a-z2-7]{26}\.jpg$/),
    ])
    expect(stored()).toEqual(names.toSorted())
    expect((await files.list()).toSorted()).toEqual(names.toSorted())
    expect(filesOn(where, dataDir).incoming).toEqual([])
  })

  test('two files that belong together are both kept, or neither', async () => {
    const { files, write, stored } = await openStore(where)
    const gone = files.newTemporary()
    const both = [
      { path: write('a'), kind: 'png' as const },
      { path: gone, kind: 'jpg' as const },
    ]
    await expect(files.keep(both)).rejects.toThrow('ENOENT')
    expect(stored()).toEqual([])
  })

  test('a start removes what a crash left, and nothing that may still get its row', async () => {
    const { files, write, put, keepOne, stored } = await openStore(where)
    const withRow = await keepOne('row', minutesBefore(500))
    const orphan = await keepOne('orphan', minutesBefore(61))
    const young = await keepOne('young', minutesBefore(59))
    const left = write('left')
    utimesSync(left, minutesBefore(1), minutesBefore(1))
    const coming = write('coming')
    const missing = `${'a'.repeat(26)}.pdf`
    await put('notes.txt', 'the operator’s own', minutesBefore(500))
    const swept = await files.sweep(async () => [withRow, missing], STARTED_AT)
    expect(swept).toMatchObject({ orphans: [orphan], missing: [missing] })
    expect(stored()).toEqual([withRow, young, 'notes.txt'].toSorted())
    expect([left, coming].map((path) => existsSync(path))).toEqual([false, true])
  })

  test('a file that comes while the storage is looked through is not missing', async () => {
    const { files, keepOne } = await openStore(where)
    const late = () => keepOne('late', STARTED_AT).then((name) => [name])
    expect((await files.sweep(late, STARTED_AT)).missing).toEqual([])
  })

  test('only stored files are measured and removed', async () => {
    const { files, put, keepOne, stored } = await openStore(where)
    await put('notes.txt', 'the operator’s own')
    await files.remove(['../driveqr.db', '..', '', 'incoming', 'notes.txt'])
    expect(await files.size('../driveqr.db')).toBeUndefined()
    expect(await files.size('notes.txt')).toBeUndefined()
    const name = await keepOne('four', STARTED_AT)
    expect(await files.size(name)).toBe(4)
    await files.remove([name, name])
    expect([stored(), await files.size(name)]).toEqual([['notes.txt'], undefined])
  })

  test('a reader gets the requested part, and one that stops early can go', async () => {
    const { files, keepOne } = await openStore(where)
    const letters = Array.from({ length: 600_000 }, (_, i) => String.fromCharCode(97 + (i % 26)))
    const content = letters.join('')
    const name = await keepOne(content, STARTED_AT)
    for (const [first, last] of [
      [10, 524_297],
      [0, 0],
      [0, 70_000],
      [599_999, 599_999],
      [0, 599_999],
    ] as const) {
      expect(await text(files.read(name, { first, last }))).toBe(content.slice(first, last + 1))
    }
    const reader = files.read(name, { first: 0, last: 599_999 }).getReader()
    await reader.read()
    await reader.cancel()
    await files.remove([name])
    await expect(text(files.read(name, { first: 0, last: 9 }))).rejects.toThrow()
  })

  test('a file of many megabytes comes back as it was', { tags: 'slow' }, async () => {
    const { files, write } = await openStore(where)
    const content = 'driveqr '.repeat(1_600_000)
    const [name = ''] = await files.keep([{ path: write(content), kind: 'pdf' }])
    expect(await files.size(name)).toBe(content.length)
    const range = { first: 0, last: content.length - 1 }
    expect((await text(files.read(name, range))) === content).toBe(true)
    expect((await contentOf(await files.whole(name))) === content).toBe(true)
  })

  test('a file that is removed during a backup is readable until it ends, and gone then', async () => {
    const { files, keepOne, stored } = await openStore(where)
    const [held, before] = [await keepOne('held', new Date()), await keepOne('before', new Date())]
    await files.remove([before])
    const release = await files.hold(new Date())
    await files.remove([held])
    expect(await contentOf(await files.whole(held))).toBe('held')
    await release()
    expect([await files.size(held), await files.size(before)]).toEqual([undefined, undefined])
    expect(stored()).toEqual([])
  })

  test('a check changes nothing', async () => {
    const { files, keepOne, stored } = await openStore(where)
    await keepOne('there', STARTED_AT)
    const before = stored()
    await files.check()
    expect(stored()).toEqual(before)
  })
})

test('files in a folder are readable by this user alone', async () => {
  const { files, write, at } = await openStore('folder')
  const names = await files.keep([{ path: write('a'), kind: 'pdf' }])
  const modes = [...names.map(at), at(''), at('incoming')].map(
    (path) => statSync(path).mode & 0o777,
  )
  expect(modes).toEqual([0o600, 0o700, 0o700])
})

test('a link in the folder is not followed', async () => {
  const { files, at, dataDir } = await openStore('folder')
  const secret = join(dataDir, 'secret.key')
  writeFileSync(secret, 'secret')
  const name = `${'a'.repeat(26)}.pdf`
  symlinkSync(secret, at(name))
  expect(await files.size(name)).toBeUndefined()
  await expect(files.whole(name)).rejects.toThrow('ELOOP')
  await expect(text(files.read(name, { first: 0, last: 5 }))).rejects.toThrow('ELOOP')
})
