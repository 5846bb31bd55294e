import { crc32, gzipSync } from 'node:zlib'
import { type Deflater, deflate, FARTHEST, makeDeflater } from '#routes/_http/deflate.ts'

/** A page with gaps for its texts. All else is compressed once for all pages. */
export type PageTemplate = {
  head: Buffer
  headCrc: number
  /** after the head: a gap for a text, a piece, and so on */
  pieces: Buffer[]
  /** of each gap the number of its text */
  texts: number[]
  size: number
  /** how many of its pages were compressed */
  packed: number
  deflater?: Deflater
}

/** A page's template and its texts, escaped. */
export type FilledPage = { template: PageTemplate; texts: string[] }

const HEADER = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
const TRAILER_BYTES = 8
/** Before a template's deflater is made, which takes as long as compressing a hundred pages. */
export const FEW_PAGES = 8
/** A character of UTF-16 is at most this many bytes of UTF-8. */
const WIDEST = 3
/** For one page at a time. */
const filled = Buffer.allocUnsafeSlow(FARTHEST)

export function makeTemplate(start: string, rest: string[], texts: number[]): PageTemplate {
  const head = Buffer.from(start)
  const pieces = rest.map((piece) => Buffer.from(piece))
  return {
    head,
    headCrc: crc32(head),
    pieces,
    texts,
    size: pieces.reduce((sum, { length }) => sum + length, head.length),
    packed: 0,
  }
}

export function plainPage(page: FilledPage): Uint8Array<ArrayBuffer> {
  if (isLong(page)) return joinPage(page)
  return Buffer.concat([page.template.head, fill(page).rest])
}

/** As one block of DEFLATE in a gzip file (RFC 1952). */
export function gzipPage(page: FilledPage): Uint8Array<ArrayBuffer> {
  const { template } = page
  if (isLong(page) || ++template.packed <= FEW_PAGES) return gzipSync(joinPage(page))
  template.deflater ??= makeDeflater(template.head, template.pieces)
  const { head, headCrc } = template
  const { rest, lengths } = fill(page)
  const deflated = deflate(template.deflater, rest, lengths)
  const trailer = HEADER.length + deflated.length
  const bytes = Buffer.allocUnsafe(trailer + TRAILER_BYTES)
  HEADER.copy(bytes)
  deflated.copy(bytes, HEADER.length)
  bytes.writeUInt32LE(crc32(rest, headCrc), trailer)
  bytes.writeUInt32LE(head.length + rest.length, trailer + 4)
  return bytes
}

/** What follows the head, valid until the next call, and how many bytes each gap has. */
function fill({ template, texts }: FilledPage): { rest: Buffer; lengths: number[] } {
  let at = 0
  const lengths = template.pieces.map((piece, gap) => {
    const length = filled.write(texts[template.texts[gap] as number] as string, at)
    at += length
    at += piece.copy(filled, at)
    return length
  })
  return { rest: filled.subarray(0, at), lengths }
}

function isLong({ template, texts }: FilledPage): boolean {
  const characters = template.texts.reduce((sum, text) => sum + (texts[text] as string).length, 0)
  return template.size + characters * WIDEST > FARTHEST
}

function joinPage({ template, texts }: FilledPage): Buffer<ArrayBuffer> {
  const textOf = (gap: number) => Buffer.from(texts[template.texts[gap] as number] as string)
  const rest = template.pieces.flatMap((piece, gap) => [textOf(gap), piece])
  return Buffer.concat([template.head, ...rest])
}
