import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, expect, test, vi } from 'vitest'
import { DOCUMENT_FILES } from '#domain/file-kind.ts'
import { openFileStore } from '#storage/files.ts'
import { type Sent, withUpload } from '#storage/uploads.ts'
import { fileForm, filesIn, PDF } from '#tests/support/uploads.ts'

const AT_ONCE = 8
const LONGEST_QUEUE = 16
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function sentForm(): Sent {
  const { headers, body } = new Response(fileForm(PDF))
  return { headers, body: (body as ReadableStream<Uint8Array>).values() }
}

function openUploads() {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-uploads-'))
  folders.push(dataDir)
  const files = openFileStore(dataDir)
  let working = 0
  let most = 0
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const start = () => {
    return withUpload(files, DOCUMENT_FILES, sentForm(), async ({ file_name }) => {
      most = Math.max(most, ++working)
      await finished
      working--
      return file_name
    })
  }
  return { dataDir, files, start, finish, most: () => most }
}

test('so many uploads are taken at once, a few wait, and one more is told to come again', async () => {
  const { dataDir, start, finish, most } = openUploads()
  const taken = Array.from({ length: AT_ONCE + LONGEST_QUEUE }, start)
  await expect(start()).rejects.toMatchObject({ code: 'unavailable' })
  await vi.waitFor(() => expect(most()).toBe(AT_ONCE))
  finish()
  expect(await Promise.all(taken)).toEqual(taken.map(() => 'rc.pdf'))
  expect(most()).toBe(AT_ONCE)
  expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  expect(await start()).toBe('rc.pdf')
})

test('what the work kept stays, and the rest of a failed upload goes', async () => {
  const { dataDir, files } = openUploads()
  const send = (work: (path: string) => Promise<unknown>) => {
    return withUpload(files, DOCUMENT_FILES, sentForm(), ({ path }) => work(path))
  }
  await expect(send(() => Promise.reject(new Error('no row')))).rejects.toThrow('no row')
  expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  const names = await send((path) => files.keep([{ path, kind: 'pdf' }]))
  expect(filesIn({ dataDir })).toEqual({ stored: names, incoming: [] })
})
