// @module-tag slow
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { setImmediate } from 'node:timers/promises'
import type { S3Client } from '@aws-sdk/client-s3'
import { afterEach, expect, test, vi } from 'vitest'
import { asRefusal } from '#storage/files.ts'
import { openObjects } from '#storage/s3-objects.ts'
import { openS3Shelf } from '#storage/s3-shelf.ts'
import { type Fault, KEY } from '#tests/support/s3-server.ts'
import { openTestStorage, prefixOf, s3Server, s3Settings } from '#tests/support/storage.ts'

const HOUR_MS = 3_600_000
const folders: string[] = []

afterEach(async () => {
  vi.useRealTimers()
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
  ;(await s3Server()).cause(() => undefined)
})

async function openStore() {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-s3-'))
  folders.push(dataDir)
  const server = await s3Server()
  const settings = await s3Settings(prefixOf(dataDir))
  const files = await openTestStorage(dataDir, settings)
  const keep = async (content: string | Buffer) => {
    const path = files.newTemporary()
    writeFileSync(path, content)
    const [name = ''] = await files.keep([{ path, kind: 'pdf' }])
    return name
  }
  const stored = () => server.namesIn(prefixOf(dataDir)).filter((name) => name !== 'install-id')
  const readAll = async (name: string, size: number) => {
    const stream = files.read(name, { first: 0, last: size - 1 })
    return Buffer.from(await new Response(stream).arrayBuffer())
  }
  return { dataDir, files, server, settings, keep, stored, readAll }
}

/** The first requests of a kind have these faults, one each. */
function first(wanted: string, faults: Fault[]) {
  const left = [...faults]
  return ({ method }: { method: string }) => (method === wanted ? left.shift() : undefined)
}

const MB = 1024 * 1024
const content = Buffer.alloc(12 * MB, 'a text of thirty-seven characters long')

test('an upload outlives a busy server, a broken connection and a slow answer', async () => {
  const { server, keep, readAll } = await openStore()
  server.cause(first('PUT', ['busy', 'cut', 'slow']))
  const small = await keep('small')
  expect((await readAll(small, 5)).toString()).toBe('small')
  server.cause(first('PUT', ['slow', 'busy', 'cut', 'busy']))
  const large = await keep(content)
  expect((await readAll(large, content.length)).equals(content)).toBe(true)
})

test('a download goes on where its connection broke', async () => {
  const { server, keep, readAll } = await openStore()
  const name = await keep(content)
  server.requests.length = 0
  server.cause(first('GET', ['cut', 'cut within the answer', 'cut within the answer', 'slow']))
  expect((await readAll(name, content.length)).equals(content)).toBe(true)
  expect(server.requests.length).toBeGreaterThan(3)
})

test('a download that the connection breaks again and again fails', async () => {
  const { server, keep, readAll } = await openStore()
  const name = await keep(content)
  server.cause(({ method }) => (method === 'GET' ? 'cut within the answer' : undefined))
  await expect(readAll(name, content.length)).rejects.toThrow()
})

test('a file that changed on the way is not handed out whole', async () => {
  const { server, keep, readAll } = await openStore()
  const name = await keep(content.subarray(0, 4 * MB))
  server.cause(first('GET', ['changed on the way']))
  await expect(readAll(name, 4 * MB)).rejects.toThrow(/checksum/i)
  expect((await readAll(name, 4 * MB)).equals(content.subarray(0, 4 * MB))).toBe(true)
})

test('a server that stays busy is a refusal with a time to retry, and keeps no half of a file', async () => {
  const { server, keep, stored, files } = await openStore()
  const name = await keep('there')
  server.cause(() => 'busy')
  const error = await keep('new').catch((each) => each)
  expect(asRefusal(error)).toMatchObject({ kind: 'unavailable', retryAfter: 5 })
  await expect(files.size(name)).rejects.toThrow('The storage failed')
  await expect(files.remove([name])).rejects.toThrow('The storage failed')
  server.cause(first('POST', ['busy', 'busy', 'busy', 'busy']))
  await expect(keep(content)).rejects.toThrow('The storage failed')
  server.cause(() => undefined)
  expect([stored(), server.uploads.size]).toEqual([[name], 0])
})

test('parts of an upload that was killed are removed, and those of a running one are not', async () => {
  const { dataDir, files, server } = await openStore()
  const key = `${prefixOf(dataDir)}/${'a'.repeat(26)}.pdf`
  const part = (hours: number) => ({
    key,
    at: new Date(Date.now() - hours * HOUR_MS),
    parts: new Map([[1, Buffer.from('part')]]),
  })
  server.uploads.set('killed', part(13))
  server.uploads.set('running', part(1))
  await files.sweep(async () => [], new Date())
  expect([...server.uploads.keys()]).toEqual(['running'])
  server.uploads.clear()
})

test('the lock of a killed backup is released after a while, and a running one keeps its own', async () => {
  const { files, keep, stored, server, dataDir } = await openStore()
  const name = await keep('held')
  await files.hold(new Date())
  const release = await files.hold(new Date())
  await files.remove([name])
  await release()
  expect(await files.size(name)).toBe(4)
  await files.sweep(async () => [name], new Date())
  expect(await files.size(name)).toBe(4)
  for (const [key, object] of server.objects) {
    if (key.startsWith(`${prefixOf(dataDir)}/holds/`)) {
      object.at = new Date(Date.now() - 13 * HOUR_MS)
    }
  }
  await files.sweep(async () => [name], new Date())
  expect(stored()).toEqual([])
})

test('a thousand files and more are listed', async () => {
  const { dataDir, files, server } = await openStore()
  const letters = 'abcdefghijklmnopqrstuvwxyz'
  const names = Array.from({ length: 2345 }, (_, n) => {
    const digits = [n % 26, Math.floor(n / 26) % 26, Math.floor(n / 676)]
    return `${digits.map((digit) => letters[digit]).join('')}${'a'.repeat(23)}.pdf`
  })
  const body = { body: Buffer.from('x'), at: new Date(), checksum: undefined }
  for (const name of names) server.objects.set(`${prefixOf(dataDir)}/${name}`, body)
  expect((await files.list()).toSorted()).toEqual(names.toSorted())
})

test('a folder of the bucket belongs to one installation', async () => {
  const { dataDir, settings } = await openStore()
  const { openStorage } = await import('#storage/open-storage.ts')
  const { readConfig } = await import('#config.ts')
  const { storage } = readConfig(settings)
  await expect(openStorage({ dataDir, storage }, 'another')).rejects.toThrow(
    /belong to another installation: give STORAGE_URL another prefix/,
  )
  await openStorage({ dataDir, storage }, 'installation')
})

test('a clock that is off by five minutes is no problem', async () => {
  const { keep, readAll, server } = await openStore()
  // The server's clock is this process's too, so the requests of before are looked at.
  const name = await keep('kept')
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 5 * 60_000 })
  expect((await readAll(name, 4)).toString()).toBe('kept')
  expect(server.requests.at(-1)?.method).toBe('GET')
})

test('a download that is cancelled leaves no body open, and is not asked for again', async () => {
  const bodies: Readable[] = []
  const answers: (() => void)[] = []
  const send = () =>
    new Promise((resolve) => {
      answers.push(() => {
        const body = new Readable({ read() {} })
        bodies.push(body)
        resolve({ Body: body })
      })
    })
  const at = { bucket: 'b', prefix: '', endpoint: undefined, region: 'r', credentials: KEY }
  const shelf = openS3Shelf(at, openObjects(at, { send } as unknown as S3Client))
  const begin = async () => {
    const reader = shelf.read('a.pdf', { first: 0, last: 9 }).getReader()
    const piece = reader.read()
    await setImmediate()
    return { reader, piece }
  }
  const waiting = await begin()
  await waiting.reader.cancel()
  answers[0]?.()
  await setImmediate()
  bodies[0]?.push('early')
  await waiting.piece
  const open = await begin()
  answers[1]?.()
  await setImmediate()
  await open.reader.cancel()
  await open.piece
  await setImmediate()
  expect(bodies.map(({ destroyed }) => destroyed)).toEqual([true, true])
  expect(answers).toHaveLength(2)
})
