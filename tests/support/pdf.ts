import { inflateSync } from 'node:zlib'
import { PDFiumLibrary } from '@hyzyla/pdfium'
import jsqr from 'jsqr'
import type { Box } from '#domain/codes/label-sheets.ts'

type Matrix = [number, number, number, number, number, number]
export type Sheet = { width: number; height: number; blackShapes: Box[] }

const MM_PER_POINT = 25.4 / 72

const PAGE = /\/MediaBox \[0 0 ([\d.]+) ([\d.]+)\]\s*\/Contents (\d+) 0 R/g

function pagesOf(pdf: Buffer) {
  const text = pdf.toString('latin1')
  return [...text.matchAll(PAGE)].map(([, width, height, contents]) => {
    const start = text.indexOf('stream\n', text.indexOf(`\n${contents} 0 obj`)) + 'stream\n'.length
    const content = inflateSync(pdf.subarray(start)).toString('latin1')
    return { width: Number(width) * MM_PER_POINT, height: Number(height) * MM_PER_POINT, content }
  })
}

/** The pages of a PDF in millimetres from the top left: their size and black shapes. */
export function readSheets(pdf: Buffer): Sheet[] {
  return pagesOf(pdf).map(({ width, height, content }) => {
    return { width, height, blackShapes: blackShapes(content, height) }
  })
}

/** Returns the content of each page, in PDF's own operators. */
export function contentsOf(pdf: Buffer): string[] {
  return pagesOf(pdf).map(({ content }) => content)
}

/** The lines of text of the first page; their letters are hexadecimal numbers in the PDF. */
export function wordsIn(pdf: Buffer): string[] {
  const [first] = pagesOf(pdf)
  const lines = first?.content.split('\n').filter((line) => line.endsWith(' TJ')) ?? []
  return lines.map((line) => {
    const hex = [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, letters]) => letters).join('')
    return new TextDecoder('windows-1252').decode(Buffer.from(hex, 'hex'))
  })
}

/** Where a line of text of the first page is, in millimetres from the top left, and its size in points. */
export function placeOf(pdf: Buffer, text: string): { x: number; y: number; size: number } {
  const [first] = pagesOf(pdf)
  const hex = Buffer.from(text, 'latin1').toString('hex')
  const saved: Matrix[] = []
  let at: Matrix = [1, 0, 0, 1, 0, 0]
  let of: Matrix = at
  let size = 0
  for (const line of first?.content.split('\n') ?? []) {
    const numbers = line.match(/-?[\d.]+/g)?.map(Number) ?? []
    if (line === 'q') saved.push(at)
    else if (line === 'Q') at = saved.pop() as Matrix
    else if (line.endsWith(' cm')) at = times(numbers as Matrix, at)
    else if (line.endsWith(' Tm')) of = times(numbers as Matrix, at)
    else if (line.endsWith(' Tf')) size = numbers.at(-1) ?? 0
    else if (line.endsWith(' TJ')) {
      const letters = [...line.matchAll(/<([0-9a-f]+)>/g)].map(([, each]) => each).join('')
      if (letters !== hex) continue
      const [x, y] = moved(0, 0, of)
      return { x, y: (first?.height ?? 0) - y, size: size * Math.hypot(of[2], of[3]) }
    }
  }
  throw new Error(`The page does not say ${text}`)
}

/** Follows the transformations of a content stream; every filling in black is one shape. */
function blackShapes(content: string, pageHeight: number): Box[] {
  const shapes: Box[] = []
  const saved: Matrix[] = []
  let at: Matrix = [1, 0, 0, 1, 0, 0]
  let colour = ''
  let points: [number, number][] = []
  for (const line of content.split('\n')) {
    const numbers = line.match(/-?[\d.]+/g)?.map(Number) ?? []
    if (line === 'q') saved.push(at)
    else if (line === 'Q') at = saved.pop() as Matrix
    else if (line.endsWith(' cm')) at = times(numbers as Matrix, at)
    else if (line.endsWith(' scn')) colour = line
    else if (line.endsWith(' re')) {
      const [x = 0, y = 0, width = 0, height = 0] = numbers
      points.push(moved(x, y, at), moved(x + width, y + height, at))
    } else if (/^(f|S|f\*|B)$/.test(line)) {
      if (line === 'f' && colour === '0 0 0 scn') shapes.push(around(points, pageHeight))
      points = []
    }
  }
  return shapes
}

function times([a, b, c, d, e, f]: Matrix, [A, B, C, D, E, F]: Matrix): Matrix {
  return [
    a * A + b * C,
    a * B + b * D,
    c * A + d * C,
    c * B + d * D,
    e * A + f * C + E,
    e * B + f * D + F,
  ]
}

function moved(x: number, y: number, [a, b, c, d, e, f]: Matrix): [number, number] {
  return [(a * x + c * y + e) * MM_PER_POINT, (b * x + d * y + f) * MM_PER_POINT]
}

/** PDF counts from the bottom. */
function around(points: [number, number][], pageHeight: number): Box {
  const xs = points.map(([x]) => x)
  const ys = points.map(([, y]) => pageHeight - y)
  const [x, y] = [Math.min(...xs), Math.min(...ys)]
  return { x, y, width: Math.max(...xs) - x, height: Math.max(...ys) - y }
}

export type Picture = { width: number; height: number; pixels: Buffer }

/** Pixels of a printed page for each of its millimetres. */
export const PIXELS_PER_MM = 10

let library: Promise<PDFiumLibrary> | undefined

/** A page rendered by an independent PDF reader. */
export async function renderSheet(pdf: Buffer, page: number): Promise<Picture> {
  library ??= PDFiumLibrary.init()
  const document = await (await library).loadDocument(pdf)
  const drawn = document.getPage(page)
  const { originalWidth, originalHeight } = drawn.getOriginalSize()
  const picture = await drawn.render({
    width: Math.round(originalWidth * MM_PER_POINT * PIXELS_PER_MM),
    height: Math.round(originalHeight * MM_PER_POINT * PIXELS_PER_MM),
    render: async ({ data }) => data,
  })
  document.destroy()
  return { width: picture.width, height: picture.height, pixels: Buffer.from(picture.data) }
}

/** The text of the code in a box of millimetres, and the bounds of its dark modules. */
export function readCode(sheet: Picture, box: Box) {
  const px = (mm: number) => Math.round(mm * PIXELS_PER_MM)
  const [left, top, width, height] = [px(box.x), px(box.y), px(box.width), px(box.height)]
  const part = new Uint8ClampedArray(width * height * 4)
  const edges = { left: width, top: height, right: 0, bottom: 0 }
  for (let y = 0; y < height; y++) {
    const row = 4 * ((top + y) * sheet.width + left)
    part.set(sheet.pixels.subarray(row, row + 4 * width), 4 * y * width)
    for (let x = 0; x < width; x++) {
      if ((part[4 * (y * width + x)] ?? 255) >= 128) continue
      edges.left = Math.min(edges.left, x)
      edges.right = Math.max(edges.right, x + 1)
      edges.top = Math.min(edges.top, y)
      edges.bottom = y + 1
    }
  }
  const mm = (pixels: number) => pixels / PIXELS_PER_MM
  const dark = {
    x: mm(left + edges.left),
    y: mm(top + edges.top),
    width: mm(edges.right - edges.left),
    height: mm(edges.bottom - edges.top),
  }
  const found = jsqr(part, width, height, { inversionAttempts: 'dontInvert' })
  return { text: found?.data, version: found?.version, dark }
}
