import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import type { TestApp } from '#tests/support/app.ts'

export const PDF = Buffer.from('%PDF-1.7\n1 0 obj\n<<>>\nendobj\ntrailer\n<<>>\n%%EOF\n')

type Picture = { width?: number; height?: number; kind?: 'jpeg' | 'png' | 'webp' | 'gif' | 'tiff' }

/** A picture of one colour. */
export async function picture({ width = 40, height = 30, kind = 'png' }: Picture = {}) {
  const { default: sharp } = await import('sharp')
  const canvas = { width, height, channels: 3, background: '#2a6' } as const
  return sharp({ create: canvas, limitInputPixels: false }).toFormat(kind).toBuffer()
}

type Fields = Record<string, string>

/** A form as a browser sends it, the file last. */
export function fileForm(file: Uint8Array | null, fields: Fields = {}, name = 'rc.pdf') {
  const form = new FormData()
  for (const [field, value] of Object.entries(fields)) form.set(field, value)
  if (file) form.set('file', new Blob([new Uint8Array(file)]), name)
  return form
}

/** The names in the folder of stored files, and of those that were on their way there. */
export function filesIn({ dataDir }: Pick<TestApp, 'dataDir'>) {
  const folder = join(dataDir, 'files')
  const incoming = join(folder, 'incoming')
  return {
    stored: readdirSync(folder).filter((name) => name !== 'incoming'),
    incoming: existsSync(incoming) ? readdirSync(incoming) : [],
  }
}
