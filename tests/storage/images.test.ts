import { fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest'
import {
  drawThumbnail,
  findPdfProblem,
  redrawDocument,
  redrawPopupImage,
} from '#storage/image-process.ts'
import { drawPdf, picture } from '#tests/support/uploads.ts'

const LOWER_PRIORITY = 10
const folder = mkdtempSync(join(tmpdir(), 'driveqr-images-'))
afterAll(() => rmSync(folder, { recursive: true }))

/** Draws an image as it would be stored. */
function draw(jpeg: Buffer, to = join(folder, 'drawn')) {
  const from = join(folder, 'received')
  writeFileSync(from, jpeg)
  return redrawDocument(from, to, 'jpg')
}

let photo: Buffer
let small: Buffer
beforeAll(async () => {
  photo = await picture({ width: 400, height: 300, kind: 'jpeg' })
  small = await picture({ kind: 'jpeg' })
})

/** A JPEG's piece with its length, as it stands between others. */
function segment(marker: number, data: Buffer): Buffer {
  const head = Buffer.from([0xff, marker, 0, 0])
  head.writeUInt16BE(data.length + 2, 2)
  return Buffer.concat([head, data])
}

function insert(at: number, piece: Buffer): Buffer {
  return Buffer.concat([photo.subarray(0, at), piece, photo.subarray(at)])
}

/** A grey JPEG of `side` by `side` pixels, whose empty passes each go over the whole image. */
function jpegInPasses(side: number, passes: number): Buffer {
  const blocks = Math.ceil(side / 8) ** 2
  // Codes of one bit each: no difference, and the end of up to 32,767 blocks, whose number has 14 more bits.
  const table = (kind: number, symbol: number) =>
    segment(0xc4, Buffer.from([kind, 1, ...Array(15).fill(0), symbol]))
  const first = [
    segment(0xda, Buffer.from([1, 1, 0, 0, 0, 0])),
    Buffer.alloc(Math.ceil(blocks / 8)),
  ]
  const ends = Buffer.alloc(Math.ceil((Math.ceil(blocks / 2 ** 14) * 15) / 8))
  const pass = Buffer.concat([segment(0xda, Buffer.from([1, 1, 0, 1, 63, 0])), ends])
  const size = [side >> 8, side & 255]
  return Buffer.concat([
    Buffer.from([0xff, 0xd8]),
    segment(0xdb, Buffer.from([0, ...Array(64).fill(1)])),
    segment(0xc2, Buffer.from([8, ...size, ...size, 1, 1, 0x11, 0])),
    table(0x00, 0),
    table(0x10, 0xe0),
    ...first,
    ...Array(passes).fill(pass),
    Buffer.from([0xff, 0xd9]),
  ])
}

const SLOW = { tags: 'slow' }

const startOfScan = () => photo.lastIndexOf(Buffer.from([0xff, 0xda]))
const app = (n: number, text: string, rest = Buffer.alloc(0)) =>
  segment(0xe0 + n, Buffer.concat([Buffer.from(text, 'latin1'), rest]))

describe.runIf(process.platform === 'linux')('the process that draws images', SLOW, () => {
  /** The processes that a process has started. */
  function startedBy(pid: number): number[] {
    const threads = `/proc/${pid}/task`
    if (!existsSync(threads)) return []
    const lists = readdirSync(threads).map((thread) => `${threads}/${thread}/children`)
    return lists.flatMap((list) =>
      readFileSync(list, 'utf8').split(' ').filter(Boolean).map(Number),
    )
  }

  /** The one process that draws for this one. */
  function drawer(): number {
    const found = startedBy(process.pid)
    expect(found).toHaveLength(1)
    return found[0] ?? 0
  }

  const isRunning = (pid: number) =>
    existsSync(`/proc/${pid}`) && !/^State:\sZ/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
  const until = (condition: () => boolean) => expect.poll(condition).toBe(true)

  let large = ''
  beforeAll(async () => {
    large = join(folder, 'large')
    writeFileSync(large, await picture({ width: 6000, height: 5000, kind: 'jpeg' }))
  })

  /** Begins to draw a large picture, and returns when its first bytes are there. */
  async function beginLarge(name: string) {
    const to = join(folder, name)
    const drawn = redrawDocument(large, to, 'png')
    drawn.catch(() => undefined)
    await until(() => existsSync(to))
    return { drawn }
  }

  test('has a lower priority in all its threads, and knows no settings', async () => {
    await draw(small)
    const pid = drawer()
    for (const thread of readdirSync(`/proc/${pid}/task`)) {
      expect([thread, getPriority(Number(thread))]).toEqual([thread, LOWER_PRIORITY])
    }
    expect(getPriority()).toBe(0)
    const names = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0').filter(Boolean)
    expect(names.map((each) => each.split('=')[0]).sort()).toEqual([
      'FONTCONFIG_FILE',
      'NODE_CHANNEL_FD',
      'NODE_CHANNEL_SERIALIZATION_MODE',
    ])
  })

  test('opens a PDF in turn with the images, and says nothing of one when it is killed', async () => {
    const pdf = join(folder, 'policy.pdf')
    writeFileSync(pdf, await drawPdf({ userPassword: 'born-1989' }))
    const { drawn } = await beginLarge('before-a-pdf')
    const pid = drawer()
    const asked = findPdfProblem(pdf)
    await drawn
    expect([await asked, drawer()]).toEqual(['password', pid])
    const interrupted = findPdfProblem(pdf)
    await nextTurn()
    process.kill(pid, 'SIGKILL')
    expect(await interrupted).toBeNull()
    expect(await findPdfProblem(pdf)).toBe('password')
  })

  test('draws 20 images that come at once one after the other, in a single process', async () => {
    const drawn: string[] = []
    const names = Array.from({ length: 20 }, (_, i) => `at-once-${i}`)
    const begun = () => names.filter((name) => existsSync(join(folder, name)))
    // Their size does not change their order.
    const from = join(folder, 'middling')
    writeFileSync(from, await picture({ width: 1200, height: 1000, kind: 'jpeg' }))
    await Promise.all(
      names.map(async (name) => {
        await redrawDocument(from, join(folder, name), 'jpg')
        drawer()
        // This one, and maybe the first bytes of the next.
        expect(begun().length - drawn.length).toBeLessThanOrEqual(2)
        drawn.push(name)
      }),
    )
    expect(drawn).toEqual(names)
  })

  test('was killed: the image that it was drawing is refused, and no other', async () => {
    const { drawn } = await beginLarge('killed')
    const [killed, next] = [drawer(), draw(small)]
    process.kill(killed, 'SIGKILL')
    await expect(drawn).rejects.toMatchObject({
      kind: 'unavailable',
      message: 'Reading this image was interrupted. Try again in a moment.',
      retryAfter: 5,
    })
    expect(await next).toMatchObject({ width: 40, height: 30 })
    expect(drawer()).not.toBe(killed)
  })

  const TOO_LONG = 'This image takes too long to read. Try a smaller one.'

  test('is killed when an image takes a minute, and the next image starts another', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await draw(small)
    const slow = drawer()
    const drawn = redrawDocument(large, join(folder, 'a-slow-one'), 'png')
    const next = drawThumbnail(large, join(folder, 'after-a-slow-one'))
    await nextTurn()
    vi.advanceTimersByTime(60_000)
    await expect(drawn).rejects.toThrow(TOO_LONG)
    await until(() => !isRunning(slow))
    expect(await next).toMatchObject({ width: 400 })
    expect(drawer()).not.toBe(slow)
  })

  test('ends itself when an image takes too much of its time, and of no other’s', async () => {
    const program = fileURLToPath(new URL('../../storage/draw-images.ts', import.meta.url))
    const child = fork(program, ['500'], { execArgv: [] })
    onTestFinished(() => void child.kill('SIGKILL'))
    const from = join(folder, 'small')
    writeFileSync(from, small)
    const to = join(folder, 'by-one-with-half-a-second')
    for (let n = 0; n < 8; n++) {
      child.send({ as: 'thumbnail', from, to })
      expect((await once(child, 'message'))[0]).toMatchObject({ done: { width: 40 } })
    }
    writeFileSync(from, jpegInPasses(3_600, 999))
    child.send({ as: 'thumbnail', from, to })
    expect(await once(child, 'exit')).toEqual([null, 'SIGVTALRM'])
  })

  test('has ended itself: the image is refused, and the next image starts another', async () => {
    await draw(small)
    const slow = drawer()
    const [most] = readFileSync(`/proc/${slow}/cmdline`, 'utf8').split('\0').slice(-2)
    expect(most).toBe('15000')
    const drawn = redrawDocument(large, join(folder, 'one-that-ended-itself'), 'png')
    const next = drawThumbnail(large, join(folder, 'after-one-that-ended-itself'))
    process.kill(slow, 'SIGVTALRM')
    await expect(drawn).rejects.toThrow(TOO_LONG)
    expect(await next).toMatchObject({ width: 400 })
  })

  test('was killed while it had nothing to do: the next image starts another', async () => {
    await draw(small)
    const killed = drawer()
    process.kill(killed, 'SIGKILL')
    await until(() => startedBy(process.pid).length === 0)
    expect(await draw(small)).toMatchObject({ width: 40 })
  })

  test.each(['SIGINT', 'SIGTERM'] as const)('is not interrupted by %s', async (signal) => {
    const { drawn } = await beginLarge(signal)
    process.kill(drawer(), signal)
    expect(await drawn).toMatchObject({ width: 4000 })
  })

  test('ends after a minute without work, and not before', async () => {
    vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] })
    onTestFinished(() => void vi.useRealTimers())
    await draw(small)
    const pid = drawer()
    vi.advanceTimersByTime(59_000)
    await draw(small)
    vi.advanceTimersByTime(59_000)
    expect(drawer()).toBe(pid)
    vi.advanceTimersByTime(1_000)
    vi.useRealTimers()
    await until(() => !isRunning(pid))
    expect(await draw(small)).toMatchObject({ width: 40 })
  })

  /** A program that draws a picture, as the command line does. */
  function startProgram(from: string, name: string) {
    const script = `const { redrawDocument } = await import('#storage/image-process.ts')
      await redrawDocument(${JSON.stringify(from)}, ${JSON.stringify(join(folder, name))}, 'png')`
    return spawn(process.execPath, ['--input-type=module', '-e', script], { stdio: 'inherit' })
  }

  test('does not keep a command from ending', async () => {
    const from = join(folder, 'for-a-command')
    writeFileSync(from, small)
    const [status] = await once(startProgram(from, 'by-a-command'), 'exit')
    expect(status).toBe(0)
    expect(existsSync(join(folder, 'by-a-command'))).toBe(true)
  })

  test('ends with a killed server, in the middle of an image', async () => {
    const server = startProgram(large, 'by-a-server')
    await until(() => existsSync(join(folder, 'by-a-server')))
    const [pid = 0] = startedBy(server.pid ?? 0)
    expect(isRunning(pid)).toBe(true)
    server.kill('SIGKILL')
    await until(() => !isRunning(pid))
  })
})

/** Peculiarities of JPEGs from phones. */
const ODDITIES: Record<string, () => Buffer> = {
  'a maker’s trailer': () => Buffer.concat([photo, Buffer.from('SEFHe\0\0\0SEFT')]),
  'zeros to the end of a block': () => Buffer.concat([photo, Buffer.alloc(512)]),
  'a second picture for bright screens': () =>
    Buffer.concat([insert(2, app(2, 'MPF\0', Buffer.alloc(80))), small]),
  'a film behind it': () =>
    Buffer.concat([photo, Buffer.from('\0\0\0\x18ftypmp42'), Buffer.alloc(5000, 7)]),
  'EXIF that leads nowhere': () =>
    insert(2, app(1, 'Exif\0\0MM\0*\0\0\0\x08\xff\xff', Buffer.alloc(40, 0xee))),
  'a broken colour profile': () => insert(2, app(2, 'ICC_PROFILE\0\x01\x01', Buffer.alloc(200, 3))),
  'stray bytes between its pieces': () => insert(startOfScan(), Buffer.from([0, 0, 0])),
  'an unknown colour transform': () => insert(2, app(14, 'Adobe\0\x64\0\0\0\0\x07')),
}

describe('a photo', () => {
  test.each(Object.keys(ODDITIES))('with %s is taken', async (oddity) => {
    const drawn = await draw(ODDITIES[oddity]?.() ?? Buffer.alloc(0))
    expect(drawn).toMatchObject({ width: 400, height: 300 })
  })

  test('in a thousand passes is taken, and in more it is refused', async () => {
    expect(await draw(jpegInPasses(16, 999))).toMatchObject({ width: 16 })
    await expect(draw(jpegInPasses(16, 1_000))).rejects.toMatchObject({
      kind: 'unsupported',
      message: 'This image is damaged and cannot be read',
    })
  })

  test.each([1, 10, 100, 900])('that lacks its last %i bytes is refused', async (bytes) => {
    await expect(draw(photo.subarray(0, -bytes))).rejects.toThrow(
      'This image is damaged and cannot be read',
    )
  })

  test.each([1, 100])('in WebP that lacks its last %i bytes is refused', async (bytes) => {
    const whole = await picture({ width: 400, height: 300, kind: 'webp' })
    const from = join(folder, 'received')
    writeFileSync(from, whole)
    const to = join(folder, 'drawn.webp')
    expect(await redrawPopupImage(from, to)).toMatchObject({ width: 400, height: 300 })
    writeFileSync(from, whole.subarray(0, -bytes))
    await expect(redrawPopupImage(from, to)).rejects.toThrow(
      'This image is damaged and cannot be read',
    )
  })

  test('that finds the disk full while it is drawn is refused with that reason', async () => {
    const full = '/dev/full'
    await expect(draw(photo, full)).rejects.toThrow('Storage is full')
    const from = join(folder, 'received')
    await expect(drawThumbnail(from, full)).rejects.toThrow('Storage is full')
    await expect(redrawPopupImage(from, full)).rejects.toThrow('Storage is full')
  })
})
