import PDFDocument from 'pdfkit'
import { expect, test, vi } from 'vitest'
import { PdfText } from '#formats/pdf-text.ts'

type Position = { xOffset: number; yOffset: number }
type Loaded = { _font: { font: { layout(text: string): { positions: Position[] } } } }

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
  expect(drawn('محمد علی राम').pieces).toEqual(['علی', ' ', 'محمد', ' ', 'राम'])
})

test('a text on the right ends at the right edge', () => {
  const { x } = drawn('₹999', 'right')
  const width = new PdfText(new PDFDocument()).widthOf('₹999', STYLE)
  expect(x).toBeCloseTo(400 - width)
  expect(drawn('₹999').x).toBe(100)
})
