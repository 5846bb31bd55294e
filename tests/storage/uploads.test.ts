import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { PassThrough } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterEach, describe, expect, onTestFinished, test, vi } from 'vitest'
import { DOCUMENT_FILES } from '#domain/papers/file-kind.ts'
import { openFileStore } from '#storage/files.ts'
import { inTime } from '#storage/upload-pace.ts'
import { type Sent, withUpload } from '#storage/uploads.ts'
import { filesOn } from '#tests/support/storage.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const FORM_START = '--b\r\nContent-Disposition: form-data; name="file"; filename="rc.pdf"\r\n\r\n'
const FORM_END = '\r\n--b--\r\n'
const AT_ONCE = 8
const LONGEST_QUEUE = 16
const folders: string[] = []

afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true })
})

function sentForm(account: string, begin = () => {}): Sent {
  const { headers, body } = new Response(fileForm(PDF))
  return { headers, body: (body as ReadableStream<Uint8Array>).values(), account, begin }
}

function openUploads(upload = withUpload) {
  const dataDir = mkdtempSync(join(tmpdir(), 'driveqr-uploads-'))
  folders.push(dataDir)
  const files = openFileStore(dataDir)
  let working = 0
  let most = 0
  let finish: () => void = () => {}
  const finished = new Promise<void>((resolve) => {
    finish = resolve
  })
  const begun: string[] = []
  const start = (account: string, until = finished) => {
    const sent = sentForm(account, () => begun.push(account))
    return upload(files, DOCUMENT_FILES, sent, async ({ file_name }) => {
      most = Math.max(most, ++working)
      await until
      working--
      return file_name
    })
  }
  return { dataDir, files, start, begun, finish, most: () => most }
}

test('a number of uploads run at once, some wait, and one more is refused with a time to retry', async () => {
  const { dataDir, start, finish, most } = openUploads()
  const taken = Array.from({ length: AT_ONCE + LONGEST_QUEUE }, (_, i) => start(`account${i}`))
  await expect(start('late')).rejects.toMatchObject({ kind: 'unavailable', retryAfter: 5 })
  await vi.waitFor(() => expect(most()).toBe(AT_ONCE), 15_000)
  finish()
  expect(await Promise.all(taken)).toEqual(taken.map(() => 'rc.pdf'))
  expect(most()).toBe(AT_ONCE)
  expect(filesOn('folder', dataDir)).toEqual({ stored: [], incoming: [] })
  expect(await start('late')).toBe('rc.pdf')
})

test('one account has two uploads at once, and the third begins nothing', async () => {
  const { start, begun, finish } = openUploads()
  const taken = [start('asha'), start('asha'), start('ravi')]
  const message = 'Two files can be sent at a time. Try again in 5 seconds.'
  await expect(start('asha')).rejects.toMatchObject({ kind: 'too_many', message, retryAfter: 5 })
  await vi.waitFor(() => expect(begun.toSorted()).toEqual(['asha', 'asha', 'ravi']), 15_000)
  finish()
  await Promise.all(taken)
  expect(await start('asha')).toBe('rc.pdf')
})

test('a free place goes to an account with nothing under way before a second upload', async () => {
  const { start, begun, finish } = openUploads()
  let leave: () => void = () => {}
  const left = new Promise<void>((resolve) => {
    leave = resolve
  })
  const busy = Array.from({ length: AT_ONCE - 1 }, (_, i) => start(`account${i}`))
  const leaving = start('leaving', left)
  await vi.waitFor(() => expect(begun).toHaveLength(AT_ONCE), 15_000)
  const waiting = [start('account0'), start('account1'), start('fresh')]
  leave()
  await leaving
  await vi.waitFor(() => expect(begun.slice(AT_ONCE)).toEqual(['fresh']), 15_000)
  finish()
  await Promise.all([...busy, ...waiting])
})

describe('while somebody waits for a place', () => {
  /** An upload each of eight accounts, the first the slowest, by a clock that is put forward. */
  async function openSlow(bytesPerMs: number) {
    vi.useFakeTimers({ toFake: ['performance', 'setInterval', 'clearInterval'] })
    vi.resetModules()
    onTestFinished(() => void vi.useRealTimers())
    const { withUpload } = await import('#storage/uploads.ts')
    const { files, start, begun } = openUploads(withUpload)
    const headers = new Headers({ 'Content-Type': 'multipart/form-data; boundary=b' })
    const slow = Array.from({ length: AT_ONCE }, (_, i) => {
      const body = new PassThrough()
      body.write(FORM_START)
      const sent = { headers, body, account: `account${i}`, begin: () => {} }
      const taken = withUpload(files, DOCUMENT_FILES, sent, async () => 'taken')
      return { body, ended: taken.catch(({ message }) => message) }
    })
    const goOn = async (seconds: number) => {
      for (let passed = 0; passed < seconds; passed += 5) {
        await sleep(20)
        vi.advanceTimersByTime(5_000)
        for (const [i, { body }] of slow.entries()) {
          body.write(Buffer.alloc(5_000 * bytesPerMs * (1 + i / AT_ONCE)))
        }
      }
      await sleep(20)
    }
    const finish = () => {
      for (const { body } of slow) body.end(FORM_END)
      return Promise.all(slow.map(({ ended }) => ended))
    }
    const startFor = (account: string, until = Promise.resolve()) => start(account, until)
    return { start: startFor, begun, goOn, finish }
  }

  test('the slowest upload gives way, and no more of them than have to', async () => {
    const { start, begun, goOn, finish } = await openSlow(10)
    await goOn(60)
    const second = start('account7')
    await goOn(30)
    expect(begun).toEqual([])
    const late = start('late')
    await goOn(10)
    expect(await late).toBe('rc.pdf')
    await vi.waitFor(() => expect(begun).toEqual(['late', 'account7']), 15_000)
    const gaveWay = 'The upload was slow while others waited. Try again in a moment.'
    expect(await finish()).toEqual([gaveWay, ...Array(AT_ONCE - 1).fill('taken')])
    expect(await second).toBe('rc.pdf')
  })

  test('another ends for a newcomer when the first has ended', async () => {
    const { start, begun, goOn, finish } = await openSlow(10)
    let leave = () => {}
    const left = new Promise<void>((resolve) => {
      leave = resolve
    })
    await goOn(30)
    const late = start('late', left)
    await goOn(10)
    await vi.waitFor(() => expect(begun).toEqual(['late']), 15_000)
    const later = start('later', left)
    await goOn(10)
    await vi.waitFor(() => expect(begun).toEqual(['late', 'later']), 15_000)
    leave()
    expect(await Promise.all([late, later])).toEqual(['rc.pdf', 'rc.pdf'])
    expect((await finish()).slice(2)).toEqual(Array(AT_ONCE - 2).fill('taken'))
  })

  test('none gives way in its first twenty seconds', async () => {
    const { start, begun, goOn, finish } = await openSlow(10)
    const late = start('late')
    await goOn(15)
    expect(begun).toEqual([])
    await goOn(10)
    expect(await late).toBe('rc.pdf')
    await finish()
  })

  test('none gives way that comes at 512 kbit/s', async () => {
    const { start, begun, goOn, finish } = await openSlow(100)
    const late = start('late')
    await goOn(40)
    expect(begun).toEqual([])
    expect(await finish()).toEqual(Array(AT_ONCE).fill('taken'))
    expect(await late).toBe('rc.pdf')
  })
})

test('all uploads together have 16 MB a second, and one second of it at once after a pause', async () => {
  vi.useFakeTimers({ toFake: ['performance', 'setTimeout', 'clearTimeout'] })
  vi.resetModules()
  onTestFinished(() => void vi.useRealTimers())
  const { throttle } = await import('#storage/upload-pace.ts')
  const MEGABYTES = 1_000_000
  /** Returns the number of megabytes that may be read after a time. */
  const readable = async (count: number, afterMs: number) => {
    let read = 0
    for (let n = 0; n < count; n++) void throttle(MEGABYTES).then(() => read++)
    await vi.advanceTimersByTimeAsync(afterMs)
    return read
  }
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await readable(48, 0)).toBe(16)
  await vi.advanceTimersByTimeAsync(2_000)
  expect(await readable(16, 900)).toBeLessThan(16)
  await vi.advanceTimersByTimeAsync(3_600_000)
  expect(await readable(20, 100)).toBeLessThan(20)
})

test('a client is let go when its upload ends early', async () => {
  let isOver = false
  async function* endless() {
    try {
      for (;;) yield Buffer.alloc(10_000)
    } finally {
      isOver = true
    }
  }
  for await (const piece of inTime(endless(), () => undefined)) if (piece) break
  await vi.waitFor(() => expect(isOver).toBe(true), 15_000)
})

test('a client may lag for a time, catches up by sending, and is too slow after that', async () => {
  const [lagMs, pieceMs] = [200, 50]
  async function* every(bytes: number, count: number) {
    for (let i = 0; i < count; i++) {
      await sleep(pieceMs)
      yield Buffer.alloc(bytes)
    }
  }
  const read = async (body: AsyncIterable<Uint8Array>) => {
    const tooSlow = vi.fn()
    let total = 0
    for await (const piece of inTime(body, tooSlow, lagMs)) total += piece.length
    return { total, isTooSlow: tooSlow.mock.calls.length > 0 }
  }
  // 64 kbit/s are 8 bytes a millisecond.
  const steady = 8 * pieceMs * 2
  expect(await read(every(steady, 12))).toEqual({ total: 12 * steady, isTooSlow: false })
  const trickle = await read(every(1, 12))
  expect(trickle.isTooSlow).toBe(true)
  expect(trickle.total).toBeLessThan(6)
  // A burst at the beginning buys no more time than the lag.
  async function* burst() {
    yield Buffer.alloc(1_000_000)
    yield* every(1, 12)
  }
  expect((await read(burst())).isTooSlow).toBe(true)
})

test('time that the server takes to read is not counted against the client', async () => {
  async function* atOnce() {
    for (let i = 0; i < 4; i++) yield Buffer.alloc(1)
  }
  const tooSlow = vi.fn()
  for await (const _ of inTime(atOnce(), tooSlow, 100)) await sleep(60)
  expect(tooSlow).not.toHaveBeenCalled()
})

/** Receives a body of these pieces, which come one after the other. */
async function receive(pieces: Iterable<Buffer>, pauseMs = 20) {
  const { files } = openUploads()
  const headers = new Headers({ 'Content-Type': 'multipart/form-data; boundary=b' })
  async function* body() {
    for (const piece of pieces) {
      yield piece
      if (pauseMs) await sleep(pauseMs)
    }
  }
  const sent = { headers, body: body(), account: 'asha', begin: () => {} }
  return withUpload(files, DOCUMENT_FILES, sent, async ({ path, fields }) => ({
    file: readFileSync(path),
    fields,
  }))
}

test('the memory of a piece is freed when it is written, unless it holds more than the file', async () => {
  const pieces = ['a', 'b', 'c'].map((letter) => Buffer.alloc(64 * 1024, letter))
  const last = Buffer.from(new TextEncoder().encode(`last${FORM_END}`).buffer)
  const file = Buffer.concat([...pieces, Buffer.from('last')])
  expect((await receive([Buffer.from(FORM_START), ...pieces, last])).file).toEqual(file)
  expect(pieces.map(({ buffer }) => buffer.byteLength)).toEqual([0, 0, 0])
  expect(last.toString()).toBe(`last${FORM_END}`)
})

test('a file and a field that end almost like the form arrive whole', async () => {
  const field = '\r\n--b\r\nContent-Disposition: form-data; name="note"\r\n\r\nfirst\r\n--'
  const pieces = [`${FORM_START}rc\r\n--`, field, `second${FORM_END}`]
  const { file, fields } = await receive(pieces.map((text) => Buffer.from(text)))
  expect(file.toString()).toBe('rc\r\n--')
  expect(fields).toEqual({ note: 'first\r\n--second' })
})

test('a field without end is refused at the size of the largest form, and a file of another field is none', async () => {
  const note = '--b\r\nContent-Disposition: form-data; name="note"\r\n\r\n'
  let read = 0
  function* endless() {
    yield Buffer.from(note)
    // Ends far beyond the part that is read.
    for (; read < 200; read++) yield Buffer.alloc(64 * 1024, 'a')
  }
  await expect(receive(endless(), 0)).rejects.toThrow('File is larger than 10 MB')
  expect(read).toBeLessThan(170)
  const other = `${FORM_START.replace('name="file"', 'name="other"')}%PDF-${FORM_END}`
  await expect(receive([Buffer.from(other)])).rejects.toThrow('Please select a file')
})

test.each([
  'name="other"; filename="a.pdf"',
  'name="file"; filename=""',
  'name="file"; filename="a.pdf"',
])('a form that ends in the middle of its file is refused (%s)', async (named) => {
  const begun = `--b\r\nContent-Disposition: form-data; ${named}\r\nContent-Type: application/pdf\r\n\r\n%PDF-`
  await expect(receive([Buffer.from(begun)])).rejects.toThrow('The form is incomplete')
})

test('a form that ends in a second file is refused, although its pieces waited for the first', async () => {
  const uncaught: unknown[] = []
  const note = (error: unknown) => uncaught.push(error)
  process.on('uncaughtExceptionMonitor', note)
  onTestFinished(() => void process.off('uncaughtExceptionMonitor', note))
  const other = FORM_START.replace('--b', '\r\n--b')
  for (let kb = 1; kb < 16; kb++) {
    const pieces = [FORM_START, Buffer.alloc(60 * 1024), Buffer.alloc(kb * 1024), `${other}abc`]
    const sent = receive(
      pieces.map((piece) => Buffer.from(piece)),
      0,
    )
    await expect(sent).rejects.toThrow('The form has too many fields')
  }
  await sleep(50)
  expect(uncaught).toEqual([])
})

test('a failed upload leaves only the files that were kept already', async () => {
  const { dataDir, files } = openUploads()
  const send = (work: (path: string) => Promise<unknown>) => {
    return withUpload(files, DOCUMENT_FILES, sentForm('asha'), ({ path }) => work(path))
  }
  await expect(send(() => Promise.reject(new Error('no row')))).rejects.toThrow('no row')
  expect(filesOn('folder', dataDir)).toEqual({ stored: [], incoming: [] })
  const names = await send((path) => files.keep([{ path, kind: 'pdf' }]))
  expect(filesOn('folder', dataDir)).toEqual({ stored: names, incoming: [] })
})
