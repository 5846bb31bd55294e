import { buffer } from 'node:stream/consumers'
import { crc32, deflateSync } from 'node:zlib'
import type { TestApp } from '#tests/support/app.ts'
import { filesOn, isOnS3 } from '#tests/support/storage.ts'

/** A PDF of one empty page. */
export const PDF = Buffer.from(
  [
    '%PDF-1.7',
    '1 0 obj <</Type /Catalog /Pages 2 0 R>> endobj',
    '2 0 obj <</Type /Pages /Kids [3 0 R] /Count 1>> endobj',
    '3 0 obj <</Type /Page /Parent 2 0 R /MediaBox [0 0 100 100]>> endobj',
    'trailer <</Root 1 0 R>>',
    '%%EOF',
    '',
  ].join('\n'),
)

/** A PDF as other programs write it, with a page and a line of text. */
export async function drawPdf(options: PDFKit.PDFDocumentOptions): Promise<Buffer> {
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument(options)
  if (options.autoFirstPage !== false) pdf.text('Policy 12345')
  pdf.end()
  return buffer(pdf)
}

type Picture = {
  width?: number
  height?: number
  background?: string
  kind?: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff'
}

/** A picture of one colour. */
export async function picture({
  width = 40,
  height = 30,
  background = '#2a6',
  kind = 'png',
}: Picture = {}): Promise<Buffer> {
  const { default: sharp } = await import('sharp')
  const canvas = { width, height, channels: 3, background } as const
  return sharp({ create: canvas }).toFormat(kind).toBuffer()
}

/** A PNG of one bit a pixel, a few kilobytes for any number of pixels. */
export function blackPng(width: number, height: number): Buffer {
  const header = Buffer.alloc(13)
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  header[8] = 1
  const lines = Buffer.alloc(height * (1 + Math.ceil(width / 8)))
  const signature = Buffer.from('\x89PNG\r\n\x1a\n', 'latin1')
  return Buffer.concat([
    signature,
    pngChunk('IHDR', header),
    pngChunk('IDAT', deflateSync(lines, { level: 1 })),
    pngChunk('IEND', Buffer.alloc(0)),
  ])
}

export function pngChunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}

type Fields = Record<string, string>

/** A form as a browser sends it, the file last. */
export function fileForm(
  file: Uint8Array | null,
  fields: Fields = {},
  name = 'rc.pdf',
  field = 'file',
) {
  const form = new FormData()
  for (const [typed, value] of Object.entries(fields)) form.set(typed, value)
  if (file) form.set(field, new Blob([new Uint8Array(file)]), name)
  return form
}

/** A finder's message with a photo. */
export function photoForm(file: Uint8Array | null, fields: Fields = {}, name = 'photo.jpg') {
  return fileForm(file, fields, name, 'photo')
}

/** The names of stored and incoming files. */
export function filesIn({ dataDir }: Pick<TestApp, 'dataDir'>) {
  return filesOn(isOnS3() ? 's3' : 'folder', dataDir)
}
