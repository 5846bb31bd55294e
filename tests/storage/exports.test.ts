import { randomBytes } from 'node:crypto'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { createZip } from '#formats/zip.ts'
import { readExport, removeExports, writeExport } from '#storage/exports.ts'
import { filesOn, openTestStorage, prefixOf, s3Server, s3Settings } from '#tests/support/storage.ts'
import { readZip } from '#tests/support/zip.ts'

const folders: string[] = []
const nothing = async () => {}
const madeAt = new Date('2026-11-20T10:00:00.000Z')

afterEach(async () => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  ;(await s3Server()).cause(() => undefined)
})

/** Two servers of one installation. On S3 each has a data folder of its own. */
async function openServers(where: 'folder' | 's3') {
  const [first, second] = [newFolder(), newFolder()]
  const settings = where === 's3' ? await s3Settings(prefixOf(first)) : {}
  const files = await openTestStorage(first, settings)
  const others = await openTestStorage(where === 's3' ? second : first, settings)
  const write = (id: string, text: string, onProgress = nothing) =>
    writeExport(files, id, {
      madeAt,
      fill: (add) => add('a.txt', textOf(text)),
      onProgress,
    })
  return { files, others, write, left: () => filesOn('folder', first).incoming }
}

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-exports-'))
  folders.push(folder)
  return folder
}

async function* textOf(text: string) {
  yield Buffer.from(text)
}

async function textIn(files: Parameters<typeof readExport>[0], id: string) {
  const found = await readExport(files, id)
  if (!found) return undefined
  const zip = Buffer.from(await new Response(found.content).arrayBuffer())
  expect(zip.length).toBe(found.size)
  return String(readZip(zip).get('a.txt'))
}

describe.each(['folder', 's3'] as const)('%s', (where) => {
  test('an export that one server made is handed over and removed by another', {
    tags: 'slow',
  }, async () => {
    const { others, files, write, left } = await openServers(where)
    await write('one', 'of one')
    await write('two', 'of two')
    expect(left()).toEqual([])
    expect([await textIn(others, 'one'), await textIn(others, 'two')]).toEqual(['of one', 'of two'])
    await removeExports(others, async () => ['two'])
    expect([await textIn(files, 'one'), await textIn(files, 'two')]).toEqual([undefined, 'of two'])
  })

  test('an export is made anew under its name, and is no stored file', async () => {
    const { files, write } = await openServers(where)
    await write('one', 'before')
    await write('one', 'after')
    expect(await textIn(files, 'one')).toBe('after')
    expect(await files.list()).toEqual([])
    const later = new Date(Date.now() + 24 * 3_600_000)
    await files.sweep(async () => [], later)
    expect(await textIn(files, 'one')).toBe('after')
  })

  test('an export that fails leaves nothing', async () => {
    const { files, left } = await openServers(where)
    const fill = () => Promise.reject(new Error('no more'))
    const writing = writeExport(files, 'one', { madeAt, fill, onProgress: nothing })
    await expect(writing).rejects.toThrow('no more')
    expect([left(), await textIn(files, 'one')]).toEqual([[], undefined])
  })
})

test('while an export is sent to S3, it is said that it goes on; one that is no longer wanted ends after it', {
  tags: 'slow',
}, async () => {
  const { files, write, left } = await openServers('s3')
  const server = await s3Server()
  server.cause(({ method }) => (method === 'PUT' ? 'very slow' : undefined))
  const onProgress = vi.fn(nothing)
  await write('one', 'sent slowly', onProgress)
  expect(onProgress).toHaveBeenCalled()
  expect(await textIn(files, 'one')).toBe('sent slowly')
  await expect(write('two', 'unwanted', () => Promise.reject(new Error('gone')))).rejects.toThrow(
    'gone',
  )
  expect(left()).toEqual([])
  // It has come by then, so that a sweep finds it.
  await removeExports(files, async () => ['one'])
  expect(await files.beside('exports').list()).toEqual(['one.zip'])
})

test('one leaves the room that uploads leave for the database too', async () => {
  const { files, left } = await openServers('folder')
  let room = 3
  const assertRoom = async () => {
    if (room-- === 0) throw new Error('Storage is full')
  }
  const added: string[] = []
  const writing = writeExport({ ...files, assertRoom }, 'one', {
    madeAt,
    async fill(add) {
      for (const name of ['a', 'b', 'c', 'd', 'e']) {
        await add(name, textOf(name))
        added.push(name)
      }
    },
    onProgress: nothing,
  })
  await expect(writing).rejects.toThrow('Storage is full')
  expect(added).toEqual(['a', 'b', 'c'])
  expect([await textIn(files, 'one'), left()]).toEqual([undefined, []])
})

test('a ZIP that cannot be written ends what it is made of', async () => {
  const ended = vi.fn()
  let pieces = 0
  const zip = createZip(async () => {
    // A disk that fails in the middle.
    if (++pieces === 5) throw new Error('full')
  }, madeAt)
  async function* rows() {
    try {
      for (;;) yield randomBytes(64 * 1024)
    } finally {
      ended()
    }
  }
  await expect(zip.add('rows.json', rows())).rejects.toThrow('full')
  await vi.waitFor(() => expect(ended).toHaveBeenCalled())
})
