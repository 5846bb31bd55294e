import PDFDocument from 'pdfkit'
import { expect, test } from 'vitest'
import { PdfText } from '#storage/pdf-text.ts'

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
