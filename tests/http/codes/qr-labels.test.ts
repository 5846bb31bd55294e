import { describe, expect, test } from 'vitest'
import type { Box } from '#domain/codes/label-sheets.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { readCode, readSheets, renderSheet, wordsIn } from '#tests/support/pdf.ts'

const HOST = 'https://keys.example.in'

async function openWithCodes(count: number, publicUrl = HOST) {
  const app = await openTestApp({ env: { PUBLIC_URL: publicUrl } })
  const owner = await app.signUp()
  const codes = []
  for (let n = 0; n < count; n++) {
    const created_at = new Date(Date.UTC(2026, 9, 31, 0, 0, -n)).toISOString()
    codes.push(await insertCode(app.db, owner.id, { created_at }))
  }
  const print = async (query: string, as: { bearerToken: string } | undefined = owner) => {
    const answer = await app.ask('GET', `/api/qr/labels.pdf?${query}`, as && { as })
    const pdf = Buffer.from(await answer.arrayBuffer())
    const detail = answer.status === 200 ? undefined : JSON.parse(String(pdf)).detail
    return { status: answer.status, headers: answer.headers, pdf, detail }
  }
  return { ...app, owner, codes, ids: codes.map(({ qr_id }) => qr_id), print }
}

const round = ({ x, y, width, height }: Box) =>
  [x, y, width, height].map((length) => Math.round(length * 100) / 100)

/** Expects every code of a page at its place in the PDF, and with its text. */
async function expectReadable(pdf: Buffer, page: number, ids: string[], version: number) {
  const boxes = readSheets(pdf)[page]?.blackShapes ?? []
  expect(boxes).toHaveLength(ids.length)
  const picture = await renderSheet(pdf, page)
  for (const [n, box] of boxes.entries()) {
    const quiet = (4 / (17 + 4 * version)) * box.width
    const square = {
      x: box.x - quiet + 0.1,
      y: box.y - quiet + 0.1,
      width: box.width + 2 * quiet - 0.2,
      height: box.height + 2 * quiet - 0.2,
    }
    const { dark, ...read } = readCode(picture, square)
    expect(read).toEqual({ text: `${HOST}/scan/${ids[n]}`, version })
    for (const side of ['x', 'y', 'width', 'height'] as const) {
      expect(Math.abs(dark[side] - box[side]), `${side} of code ${n}`).toBeLessThanOrEqual(0.101)
    }
  }
}

describe('the label sheet', () => {
  test('is filled with its codes in turn, from the start to the end of the first page', async () => {
    const { print, ids } = await openWithCodes(2)
    const { pdf } = await print('all=1&fill=1&start=16')
    const [a = '', b = ''] = ids
    await expectReadable(pdf, 0, [a, b, a, b, a], 3)
    const more = await openWithCodes(5)
    const { pdf: two } = await more.print('all=1&fill=1&start=17')
    expect(readSheets(two).map(({ blackShapes }) => blackShapes.length)).toEqual([4, 1])
    expect((await print('all=1&fill=2')).detail).toBe('fill must be 1')
  })

  test('is A4 with tags for key rings, 25 mm each, that can all be read', async () => {
    const { print, ids } = await openWithCodes(21)
    const { status, headers, pdf } = await print('all=1')
    expect(status).toBe(200)
    expect(headers.get('Content-Type')).toBe('application/pdf')
    expect(headers.get('Content-Disposition')).toBe('attachment; filename="DriveQR-labels.pdf"')
    expect(headers.get('Label-Warning')).toBeNull()
    const sheets = readSheets(pdf)
    expect(sheets.map(({ blackShapes }) => blackShapes.length)).toEqual([20, 1])
    for (const { width, height } of sheets) {
      expect(width).toBeCloseTo(210, 4)
      expect(height).toBeCloseTo(297, 4)
    }
    // Five tags of 36 mm with 2.5 mm between them are in the middle of the page.
    const [first, second] = sheets[0]?.blackShapes ?? []
    expect(first?.width).toBeCloseTo(25, 3)
    expect(first?.x).toBeCloseTo(10 + (36 - 25) / 2, 3)
    expect((second?.x ?? 0) - (first?.x ?? 0)).toBeCloseTo(38.5, 3)
    await expectReadable(pdf, 0, ids.slice(0, 20), 3)
    await expectReadable(pdf, 1, ids.slice(20), 3)
  })

  test.each([
    ['size=50', 6, 50],
    ['size=70', 4, 70],
  ])('holds stickers for a windscreen with %s, %i a page', async (query, perPage, side) => {
    const { print, ids } = await openWithCodes(perPage)
    const { pdf } = await print(`all=1&${query}`)
    expect(readSheets(pdf).map(({ blackShapes }) => blackShapes.length)).toEqual([perPage])
    for (const box of readSheets(pdf)[0]?.blackShapes ?? []) expect(box.width).toBeCloseTo(side, 3)
    // A sticker's error correction takes a version more than a tag's.
    await expectReadable(pdf, 0, ids, 4)
  })

  test.each([
    ['62mm', 62, 4],
    ['29mm', 29, 3],
    ['24mm', 24, 3],
  ])('of %s has one code a page, each of which can be read', async (sheet, across, version) => {
    const { print, ids } = await openWithCodes(3)
    const { pdf } = await print(`all=1&sheet=${sheet}`)
    const sheets = readSheets(pdf)
    expect(sheets.map(({ blackShapes }) => blackShapes.length)).toEqual([1, 1, 1])
    for (const [page, { width, height }] of sheets.entries()) {
      expect(width).toBeCloseTo(across, 3)
      expect(height).toBeGreaterThan(across)
      await expectReadable(pdf, page, ids.slice(page, page + 1), version)
    }
  })

  test('is US Letter where that is asked for', async () => {
    const { print, ids } = await openWithCodes(21)
    const { pdf } = await print('all=1&sheet=letter')
    const [first] = readSheets(pdf)
    expect([first?.width, first?.height].map((side) => side?.toFixed(1))).toEqual([
      '215.9',
      '279.4',
    ])
    await expectReadable(pdf, 0, ids.slice(0, 20), 3)
  })

  // Where the first label and its right and lower neighbours lie, as its maker says.
  test.each([
    ['l7160', 3, [7.2, 15.15], [66.04, 38.1], [63.5, 38.1]],
    ['l7163', 2, [4.67, 15.15], [101.6, 38.1], [99.06, 38.1]],
    ['l7165', 2, [4.67, 13.04], [101.6, 67.73], [99.06, 67.73]],
    ['l7651', 5, [4.67, 10.9], [40.64, 21.17], [38.1, 21.17]],
  ] as const)('%s has its codes on its labels', async (sheet, columns, corner, pitch, label) => {
    const { print, ids } = await openWithCodes(columns + 1)
    const { pdf } = await print(`all=1&sheet=${sheet.toUpperCase()}`)
    const [{ blackShapes } = { blackShapes: [] }] = readSheets(pdf)
    const [first, right] = blackShapes
    const below = blackShapes[columns] as Box
    if (!first || !right) throw new Error('No codes')
    expect(right.x - first.x).toBeCloseTo(pitch[0], 3)
    expect(below.y - first.y).toBeCloseTo(pitch[1], 3)
    const version = label[1] > 36 ? 4 : 3
    const quiet = (4 * first.width) / (17 + 4 * version)
    // With its quiet zone the code is on the label, a millimetre from where the die may slip to.
    expect(first.x - quiet - corner[0]).toBeGreaterThan(0.99)
    expect(first.y - quiet - corner[1]).toBeGreaterThan(0.99)
    expect(first.x + first.width + quiet).toBeLessThan(corner[0] + label[0] - 0.99)
    expect(first.y + first.height + quiet).toBeLessThan(corner[1] + label[1] - 0.99)
    await expectReadable(pdf, 0, ids, version)
  })

  test('begins at the requested label, and continues on the next page', async () => {
    const { print } = await openWithCodes(4)
    const whole = readSheets((await print('all=1&sheet=l7160')).pdf)[0]?.blackShapes ?? []
    const { pdf } = await print('all=1&sheet=l7160&start=19')
    const [first, second] = readSheets(pdf).map(({ blackShapes }) => blackShapes.map(round))
    const below = (n: number) => ({ ...(whole[n] as Box), y: (whole[n]?.y ?? 0) + 6 * 38.1 })
    expect(first).toEqual([0, 1, 2].map((n) => round(below(n))))
    expect(second).toEqual([round(whole[0] as Box)])
  })

  test.each(['0', '22', '-1', '1.5', 'x', ''])('has no start position "%s"', async (start) => {
    const { print } = await openWithCodes(1)
    const { status, detail } = await print(`all=1&sheet=l7160&start=${start}`)
    expect([status, detail]).toEqual([400, 'Start position must be between 1 and 21'])
  })

  test('says the code as people type it, and the host, under it', async () => {
    const { print, ids } = await openWithCodes(1)
    const { pdf } = await print('all=1')
    const words = wordsIn(pdf)
    expect(words).toContain(formatQrId(ids[0] ?? ''))
    expect(words).toContain('keys.example.in')
    expect(words).toContain('This line is 50 mm. If it is not, set scaling to 100 %.')
    expect(wordsIn((await print('all=1&sheet=l7160')).pdf).join()).not.toContain('50 mm')
  })

  test('shows the end of a host that is too long, which identifies it', async () => {
    const { print } = await openWithCodes(1, `https://${'keys-of-the-district.'.repeat(4)}gov.in`)
    const words = wordsIn((await print('all=1&sheet=l7160')).pdf)
    expect(words.at(-1)).toMatch(/^….{5,}\.gov\.in$/)
  })

  test('draws edges of bought labels only for a test', async () => {
    const { print } = await openWithCodes(1)
    const size = async (query: string) => (await print(`all=1&sheet=l7160${query}`)).pdf.length
    expect(await size('&outline=1')).toBeGreaterThan(await size(''))
  })
})

describe('a code that phones could not read', () => {
  const LONG = `https://${'keys-of-the-district.'.repeat(4)}example.in`

  test('is not printed, and the answer says why', async () => {
    const { print } = await openWithCodes(1)
    const { status, detail } = await print('all=1&size=11')
    expect(status).toBe(400)
    expect(detail).toBe(
      'The code would be too small: its modules would be 0.37 mm, and phones need 0.40 mm. Choose a larger size or larger labels.',
    )
    const onStock = await (await openWithCodes(1, LONG)).print('all=1&sheet=l7651')
    expect(onStock.status).toBe(400)
    expect(onStock.detail).toContain('too small')
  })

  test('is printed with a warning where some phones can', async () => {
    const { print } = await openWithCodes(1)
    const { status, headers } = await print('all=1&size=12')
    expect(status).toBe(200)
    expect(headers.get('Label-Warning')).toBe(
      'The code is small. Print one label and scan it before you print them all.',
    )
    expect((await print('all=1&size=15')).headers.get('Label-Warning')).toBeNull()
  })

  test.each([
    ['size=50&sheet=l7160', 'A code of 50 mm does not fit on these labels'],
    ['size=9', 'Size must be between 10 and 150 mm'],
    ['size=151', 'Size must be between 10 and 150 mm'],
    ['size=25.5', 'Size must be between 10 and 150 mm'],
    ['size=0x19', 'Size must be between 10 and 150 mm'],
    ['size=x', 'Size must be between 10 and 150 mm'],
    ['sheet=legal', expect.stringMatching(/^Sheet must be one of a4, letter, l7160/)],
  ])('%s is refused with a sentence', async (query, sentence) => {
    const { print } = await openWithCodes(1)
    const { status, detail } = await print(`all=1&${query}`)
    expect([status, detail]).toEqual([400, sentence])
  })
})

describe('the labels of', () => {
  test('codes that are named come in that order, however their ids are sent', async () => {
    const { print, ids } = await openWithCodes(3)
    const [a = '', b = '', c = ''] = ids
    for (const query of [`ids=${c},${formatQrId(a).toLowerCase()}`, `ids=${c}&ids=${a}&ids=${c}`]) {
      await expectReadable((await print(query)).pdf, 0, [c, a], 3)
    }
    expect(readSheets((await print(`ids=${b}`)).pdf)[0]?.blackShapes).toHaveLength(1)
  })

  test('a search are those that the list would show', async () => {
    const { print, db, owner } = await openWithCodes(2)
    const { qr_id } = await insertCode(db, owner.id, { vehicle_registration: 'MH12QX4827' })
    await expectReadable((await print('search=mh 12')).pdf, 0, [qr_id], 3)
  })

  test('only the owner: another account’s code is not found', async () => {
    const { print, signUp, ids } = await openWithCodes(1)
    const stranger = await signUp()
    for (const [query, text] of [
      [`ids=${ids}`, 'QR code not found'],
      ['ids=AAAABBBBCCCC', 'QR code not found'],
      ['all=1', 'No QR codes found'],
      ['search=Ramesh', 'No QR codes found'],
    ] as const) {
      const { status, detail } = await print(query, stranger)
      expect([query, status, detail]).toEqual([query, 404, text])
    }
    const mixed = await print(`ids=${ids},7K3MQ9WD4XTP`)
    expect(mixed.status).toBe(404)
  })

  test('a session and a selection', async () => {
    const { print, ask } = await openWithCodes(1)
    expect((await ask('GET', '/api/qr/labels.pdf?all=1')).status).toBe(401)
    const { status, detail } = await print('')
    expect([status, detail]).toEqual([400, 'Select QR codes by ids, search, or all=1'])
  })
})
