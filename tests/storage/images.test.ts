import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { getPriority, tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { drawThumbnail, redrawDocument, redrawPopupImage } from '#storage/images.ts'
import { picture } from '#tests/support/uploads.ts'

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

const startOfScan = () => photo.lastIndexOf(Buffer.from([0xff, 0xda]))
const app = (n: number, text: string, rest = Buffer.alloc(0)) =>
  segment(0xe0 + n, Buffer.concat([Buffer.from(text, 'latin1'), rest]))

test.runIf(process.platform === 'linux')(
  'pictures are drawn after pages are answered',
  async () => {
    await draw(small)
    const threads = readdirSync('/proc/self/task').filter(
      (thread) => readFileSync(`/proc/self/task/${thread}/comm`, 'utf8') === 'libuv-worker\n',
    )
    expect(threads.length).toBeGreaterThan(0)
    for (const thread of threads) expect(getPriority(Number(thread))).toBe(10)
    expect(getPriority()).toBe(0)
  },
)

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

  test('that took too long is not called damaged, whatever was said of it', async () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValueOnce(0).mockReturnValue(10_001)
    const drawn = draw(photo.subarray(0, -900)).finally(() => clock.mockRestore())
    await expect(drawn).rejects.toThrow('This image takes too long to read. Try a smaller one.')
  })

  test('that finds the disk full while it is drawn is told so', async () => {
    const full = '/dev/full'
    await expect(draw(photo, full)).rejects.toThrow('Storage is full')
    const from = join(folder, 'received')
    await expect(drawThumbnail(from, full)).rejects.toThrow('Storage is full')
    await expect(redrawPopupImage(from, full)).rejects.toThrow('Storage is full')
  })
})
