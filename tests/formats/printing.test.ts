// @module-tag slow
import { describe, expect, test } from 'vitest'
import { planLabels } from '#domain/codes/labels.ts'
import { drawLabels } from '#formats/label-pdf.ts'
import { zipCodes } from '#formats/qr-zip.ts'
import { readSheets } from '#tests/support/pdf.ts'
import { readZip } from '#tests/support/zip.ts'

const NOW = new Date('2026-11-20T10:00:00.000Z')
const CODES = Array.from({ length: 130 }, (_, n) => {
  const qr_id = String(n).padStart(12, '0')
  return { qr_id, url: `https://keys.example.in/scan/${qr_id}` }
})

async function piecesOf(file: AsyncIterable<Uint8Array>): Promise<Uint8Array[]> {
  const pieces: Uint8Array[] = []
  for await (const piece of file) pieces.push(piece)
  return pieces
}

async function nextOf(file: AsyncGenerator<Uint8Array, void>): Promise<Uint8Array> {
  const { value } = await file.next()
  if (!value) throw new Error('The file is at its end')
  return value
}

/** Codes that count how many of them were read. */
function* counted(taken: { codes: number }) {
  for (const code of CODES) {
    taken.codes++
    yield code
  }
}

describe('files of many codes', () => {
  const plan = planLabels({ sheet: 'a4' }, { M: 29, Q: 33 })
  const printing = { plan, start: 1, outline: false, now: NOW }

  test('label sheets are written a page at a time', async () => {
    const pieces = await piecesOf(drawLabels(CODES, printing))
    const pdf = Buffer.concat(pieces)
    expect(readSheets(pdf).map(({ blackShapes }) => blackShapes.length)).toEqual([
      20, 20, 20, 20, 20, 20, 10,
    ])
    const first = drawLabels(CODES, printing)
    let page: Buffer = Buffer.alloc(0)
    while (readSheets(page).length === 0) page = Buffer.concat([page, await nextOf(first)])
    expect(readSheets(page)).toHaveLength(1)
    expect(page.length).toBeLessThan(pdf.length / 4)
  })

  test('a ZIP is written as its pictures are drawn, and drawn no further than it is read', async () => {
    const packing = { list: 'codes', prefix: 'DriveQR', size: 10, now: NOW }
    const taken = { codes: 0 }
    const reader = zipCodes(counted(taken), packing)
    await reader.next()
    expect(taken.codes).toBe(10)
    await reader.return()
    expect(taken.codes).toBe(10)
    const whole = readZip(Buffer.concat(await piecesOf(zipCodes(CODES, packing))))
    expect(whole.size).toBe(1 + 2 * CODES.length)
  })

  test('leave the thread to others between the pictures, however many are drawn at once', {
    tags: 'slow',
  }, async () => {
    let read = 0
    let most = 0
    const count = () => {
      most = Math.max(most, read)
      read = 0
      watching = setImmediate(count)
    }
    let watching = setImmediate(count)
    function* noted() {
      for (const code of CODES.slice(0, 40)) {
        read++
        yield code
      }
    }
    const packing = { list: '', prefix: 'DriveQR', now: NOW }
    const zips = Array.from({ length: 6 }, () => zipCodes(noted(), { ...packing, size: 40 }))
    const begun = await Promise.all(zips.map((zip) => zip.next().then(() => zip)))
    most = 0
    read = 0
    await Promise.all(begun.map(piecesOf))
    clearImmediate(watching)
    expect(Math.max(most, read)).toBeLessThan(4)
  })

  test('are the same bytes for the same codes at the same time', async () => {
    const twice = [drawLabels(CODES, printing), drawLabels(CODES, printing)]
    const [one, two] = await Promise.all(twice.map(piecesOf))
    expect(Buffer.concat(one ?? [])).toEqual(Buffer.concat(two ?? []))
  })
})
