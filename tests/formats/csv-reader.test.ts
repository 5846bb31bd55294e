import { createReadStream } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { toCsv } from '#domain/csv.ts'
import { CSV_PIECE_BYTES, readCsv } from '#formats/csv-reader.ts'

/** In pieces as a file is read. */
async function* piecesOf(content: string | Uint8Array): AsyncGenerator<Buffer, void> {
  const bytes = Buffer.from(content)
  for (let at = 0; at < bytes.length; at += CSV_PIECE_BYTES) {
    yield bytes.subarray(at, at + CSV_PIECE_BYTES)
  }
}

async function read(content: string | Uint8Array): Promise<string[][]> {
  const rows: string[][] = []
  for await (const cells of readCsv(piecesOf(content))) rows.push(cells)
  return rows
}

const refusal = (content: string | Uint8Array) =>
  read(content).then(
    () => 'read',
    ({ kind, message }) => `${kind}: ${message}`,
  )

describe('a table is read', () => {
  const rows = [
    ['a', 'b'],
    ['1', 'नमस्ते'],
  ]

  test.each([
    ['with commas', 'a,b\n1,नमस्ते\n'],
    ['with semicolons', 'a;b\n1;नमस्ते\n'],
    ['with tabs', 'a\tb\n1\tनमस्ते\n'],
    ['with the mark of UTF-8', '\uFEFFa,b\r\n1,नमस्ते\r\n'],
    ['without a line end after the last row', 'a,b\r\n1,नमस्ते'],
    ['with the line ends of old programs', 'a,b\r1,नमस्ते\r'],
    ['with cells in quotes', '"a","b"\n"1","नमस्ते"\n'],
  ])('%s', async (_, text) => {
    expect(await read(text)).toEqual(rows)
  })

  test('with commas, quotes and lines inside of cells, as the export writes them', async () => {
    const typed = [
      ['a', 'b'],
      ['one, two', 'say "hi"\nand go'],
      ['', ' padded '],
    ]
    expect(await read(toCsv(typed))).toEqual(typed)
  })

  test('with a line that has nothing in it, which is a row', async () => {
    expect(await read('a,b\n\n1,2\n')).toEqual([['a', 'b'], [''], ['1', '2']])
  })

  test('with rows of any number of cells', async () => {
    expect(await read('a,b\n1\n1,2,3\n')).toEqual([['a', 'b'], ['1'], ['1', '2', '3']])
  })

  test('with as many cells as a row may have', async () => {
    expect(await read(`${','.repeat(255)}\n`)).toEqual([Array(256).fill('')])
  })

  test('with a character that two reads of the file share', async () => {
    const text = `a,b\n${'x,y\n'.repeat(16_383)}न,z\n`
    expect((await read(text)).at(-1)).toEqual(['न', 'z'])
  })
})

describe('a table is refused', () => {
  test.each([
    [
      'a quote that is never closed',
      'a,b\n1,"2\n3,4\n',
      'Row 2: a quote is opened and never closed',
    ],
    [
      'a quote inside a cell',
      'a,b\n1,2\n3,5" screen\n',
      'Row 3: a quote inside a cell must be written twice, and the cell between quotes',
    ],
    [
      'text after a quote',
      'a,b\n"1"2,3\n',
      'Row 2: a quote inside a cell must be written twice, and the cell between quotes',
    ],
    [
      'a line of 10 MB',
      `a,b\n${'x'.repeat(10 * 1024 * 1024)}\n`,
      'Row 2 is too long. Perhaps a quote is never closed.',
    ],
    [
      'a quote that swallows the rest of a long table',
      `a,b\n1,"2\n${'3,4\n'.repeat(50_000)}`,
      'Row 2 is too long. Perhaps a quote is never closed.',
    ],
    [
      'a row of empty cells without end',
      `a,b\n${','.repeat(500_000)}\n1,2\n`,
      'Row 2 has more than 256 cells',
    ],
    [
      'names of columns without end',
      `a,b${','.repeat(255)}\n${'1\n'.repeat(2_000)}`,
      'Row 1 has more than 256 cells',
    ],
  ])('for %s', async (_, text, message) => {
    expect(await refusal(text)).toBe(`invalid: ${message}`)
  })

  const NOT_TEXT =
    'invalid: The table is not text in UTF-8. In your spreadsheet choose Save as, and then CSV UTF-8.'
  test.each([
    ['in Latin-1', Buffer.from('a,b\nJosé,1\n', 'latin1')],
    ['in UTF-16', Buffer.from('\uFEFFa,b\n1,2\n', 'utf16le')],
    ['in UTF-16 without its mark', Buffer.from('a,b\n1,2\n', 'utf16le')],
    ['that is a spreadsheet and no CSV', Buffer.from('504b030414000600', 'hex')],
    ['that ends inside a character', Buffer.from([0x61, 0x2c, 0xe0, 0xa4])],
  ])('%s', async (_, bytes) => {
    expect(await refusal(bytes)).toBe(NOT_TEXT)
  })

  test('which cannot be read, with the system’s reason', async () => {
    await expect(readCsv(createReadStream('/none/table.csv')).next()).rejects.toThrow('ENOENT')
  })
})

test('the length of each piece is reported as it is read', async () => {
  const text = 'a,b\n'.repeat(50_000)
  const heard: number[] = []
  for await (const _ of readCsv(piecesOf(text), (bytes) => heard.push(bytes)));
  expect(heard.length).toBeGreaterThan(2)
  expect(heard.reduce((a, b) => a + b)).toBe(text.length)
})
