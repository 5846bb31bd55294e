import { readFileSync } from 'node:fs'
import { buffer } from 'node:stream/consumers'
import PDFDocument from 'pdfkit'
import { expect, test, vi } from 'vitest'
import { PRINT_FONTS } from '#domain/print-letters.ts'
import { FONTS } from '#formats/fonts.ts'
import { PdfText } from '#formats/pdf-text.ts'
import { PIXELS_PER_MM, renderSheet } from '#tests/support/pdf.ts'

type Position = { xOffset: number; yOffset: number }
type Loaded = {
  _font: { font: { layout(text: string): { positions: Position[] }; characterSet: number[] } }
}

const STYLE = { size: 10, color: '#000' }

test.each([
  ['Gurmukhi', 'ਇੱਕਨੂੰ'],
  ['Urdu', 'مُحَمَّد'],
])('marks of %s stand at their letters: %s', (_, text) => {
  const pdf = new PDFDocument()
  const width = new PdfText(pdf).widthOf(text, STYLE)
  expect(width).toBeGreaterThan(0)
  const { positions } = (pdf as unknown as Loaded)._font.font.layout(text)
  expect(positions.some(({ xOffset, yOffset }) => xOffset !== 0 || yOffset !== 0)).toBe(true)
})

/** The pieces of a line from its left, and where the first one begins. */
function drawn(text: string, align: 'left' | 'right' = 'left') {
  const pdf = new PDFDocument()
  const draw = vi.spyOn(pdf, 'text')
  new PdfText(pdf).draw(text, { x: 100, y: 0, width: 300, align }, STYLE)
  const pieces = draw.mock.calls.map(([piece]) => piece)
  return { pieces, x: Number(draw.mock.calls[0]?.[1]) }
}

test('words from right to left follow each other that way, among others that do not', () => {
  expect(drawn('Ali, محمد علی, Pune').pieces).toEqual(['Ali, ', 'علی', ' ', 'محمد', ', Pune'])
  // The first letter of a text decides where it begins.
  expect(drawn('محمد علی राम').pieces).toEqual(['राम', ' ', 'علی', ' ', 'محمد'])
})

/** Lines and their pieces from the left, as UAX #9 orders them. */
const ORDERED: [string, string[]][] = [
  ['ٹیکسی 24', ['24', ' ', 'ٹیکسی']],
  ['24 ٹیکسی', ['ٹیکسی', ' ', '24']],
  ['محمد (علی) ٹیکسی', ['ٹیکسی', ' (', 'علی', ') ', 'محمد']],
  ['علی & Sons', ['Sons', ' & ', 'علی']],
  ['Cab (محمد)', ['Cab (', 'محمد', ')']],
  // The font library turns them round itself, as it does letters.
  ['ٹیکسی ۲۴', ['۴۲', ' ', 'ٹیکسی']],
  ['ٹیکسی ٢٤', ['٤٢', ' ', 'ٹیکسی']],
]

test.each(ORDERED)('%s is written in the order in which it is read', (text, pieces) => {
  expect(drawn(text).pieces).toEqual(pieces)
})

const AT = { x: 20, y: 8, width: 260 }
const LARGE = { size: 24, color: '#000' }
const MM_PER_POINT = 25.4 / 72

/** Draws a line, and returns the darkness of its pixels in columns from the left. */
async function inkOf(text: string, x = AT.x): Promise<{ columns: number[]; width: number }> {
  const pdf = new PDFDocument({ size: [300, 60], margin: 0 })
  const lines = new PdfText(pdf)
  lines.draw(text, { ...AT, x }, LARGE)
  pdf.end()
  const { pixels, width, height } = await renderSheet(await buffer(pdf), 0)
  const columns = Array.from({ length: width }, (_, column) => {
    let ink = 0
    for (let row = 0; row < height; row++) ink += 255 - (pixels[4 * (row * width + column)] ?? 255)
    return ink
  })
  return { columns, width: lines.widthOf(text, LARGE) }
}

/** Returns how much of the ink differs between two points of a line, from 0 to 1. */
function difference(a: number[], b: number[], from: number, to: number): number {
  const column = (points: number) => Math.round(points * MM_PER_POINT * PIXELS_PER_MM)
  const [x, y] = [a, b].map((each) => each.slice(column(from), column(to))) as [number[], number[]]
  const sum = (columns: number[]) => columns.reduce((all, ink) => all + ink, 0)
  return sum(x.map((ink, n) => Math.abs(ink - (y[n] ?? 0)))) / sum(y)
}

test.each([
  ['ٹیکسی 24', '24', 'ٹیکسی'],
  ['محمد (علی) ٹیکسی', 'ٹیکسی', 'محمد'],
  ['ٹیکسی ۲۴', '۲۴', 'ٹیکسی'],
  ['ٹیکسی ٢٤', '٢٤', 'ٹیکسی'],
])('the picture of %s has %s at its left and %s at its right', async (text, left, right) => {
  const line = await inkOf(text)
  const first = await inkOf(left)
  expect(difference(line.columns, first.columns, AT.x, AT.x + first.width)).toBeLessThan(0.1)
  const end = AT.x + line.width
  const { width } = await inkOf(right)
  const last = await inkOf(right, end - width)
  expect(difference(line.columns, last.columns, end - width, end)).toBeLessThan(0.1)
})

test('mirrors brackets in text from right to left', async () => {
  const [turned, plain] = [await inkOf('(علی)'), await inkOf('(Ali)')]
  const bracket = (await inkOf('(')).width
  const from = AT.x
  expect(difference(turned.columns, plain.columns, from, from + bracket)).toBeLessThan(0.1)
})

test('the table of letters is that of the fonts, in both weights', () => {
  for (const [font, ranges] of Object.entries(PRINT_FONTS)) {
    const letters = new Set(
      ranges.split(' ').flatMap((range) => {
        const [first = 0, last = first] = range.split('-').map((hex) => Number.parseInt(hex, 16))
        return Array.from({ length: last - first + 1 }, (_, n) => first + n)
      }),
    )
    const isBold = ['latin', 'latin-ext', 'cyrillic', 'greek'].includes(font)
    for (const weight of isBold ? [400, 700] : [400]) {
      const pdf = new PDFDocument()
      pdf
        .registerFont('f', readFileSync(new URL(`noto-sans-${font}-${weight}.ttf`, FONTS)))
        .font('f')
      const known = (pdf as unknown as Loaded)._font.font.characterSet
      expect([font, [...letters].filter((letter) => !known.includes(letter))]).toEqual([font, []])
      // Spaces, joiners and signs for missing letters are taken from the first font.
      const more = known.filter((letter) => !letters.has(letter) && letter >= 0x20)
      const shapeless = /[\s\p{Default_Ignorable_Code_Point}\u25cc\ufffd\uffff]/u
      expect([
        font,
        more.map((code) => String.fromCodePoint(code)).filter((sign) => !shapeless.test(sign)),
      ]).toEqual([font, []])
    }
  }
})

test('a letter that no font has is left out, and no box is drawn for it', () => {
  expect(drawn('Cab 🚕 Co').pieces).toEqual(['Cab Co'])
  expect(drawn('Œuvre Ảnh œ').pieces.join('')).toBe('Œuvre Anh œ')
  expect(drawn('漢字').pieces.join('')).toBe('')
})

test('a text on the right ends at the right edge', () => {
  const { x } = drawn('₹999', 'right')
  const width = new PdfText(new PDFDocument()).widthOf('₹999', STYLE)
  expect(x).toBeCloseTo(400 - width)
  expect(drawn('₹999').x).toBe(100)
})
