import { readFile, writeFile } from 'node:fs/promises'
import type { Brand } from '#domain/brands/brand.ts'
import { createFairQueue } from '#domain/fair-queue.ts'
import type { FileStore } from '#storage/files.ts'
import { drawFrame } from '#storage/image-process.ts'
import { outline, QUIET_ZONE, qrMatrix, qrPng } from '#storage/qr-image.ts'

/** The parts of a brand that a frame shows. The logo is a PNG. */
export type Frame = Pick<Brand, 'ground' | 'text'> & {
  name: string | null
  logo: Buffer | undefined
}

/** In modules: the frame around the quiet zone, and the room for the logo above the code. */
const EDGE = 3
const HEAD = 8
const LOGO = HEAD - 2

function measure(modules: number, { logo, name }: Frame) {
  const code = modules + 2 * QUIET_ZONE
  const top = logo || name ? EDGE + HEAD : EDGE
  return { code, top, width: code + 2 * EDGE, height: code + top + EDGE }
}

/** Draws the code in the colours of a brand, with its logo and name above it. `size` is in pixels per module. */
export function framedSvg(url: string, size: number, frame: Frame): string {
  const matrix = qrMatrix(url)
  const { ground, text, logo, name } = frame
  const { code, top, width, height } = measure(matrix.size, frame)
  const image = logo?.toString('base64')
  const middle = EDGE + LOGO / 2
  return (
    `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}"` +
    ` width="${width * size}" height="${height * size}" role="img" aria-label="QR code">` +
    `<rect width="${width}" height="${height}" rx="2" fill="${ground}"/>` +
    (image
      ? `<image href="data:image/png;base64,${image}" x="${EDGE}" y="${EDGE}" width="${name ? LOGO : code}" height="${LOGO}"/>`
      : '') +
    (name
      ? `<text x="${image ? EDGE + LOGO + 1 : width / 2}" y="${middle}" fill="${text}"` +
        ` font-family="system-ui,sans-serif" font-weight="700" font-size="${letterSize(name, code - (image ? HEAD : 0))}"` +
        ` text-anchor="${image ? 'start' : 'middle'}" dominant-baseline="central">${escapeXml(name)}</text>`
      : '') +
    `<rect x="${EDGE}" y="${top}" width="${code}" height="${code}" fill="#fff"/>` +
    `<path transform="translate(${EDGE} ${top})" shape-rendering="crispEdges" fill="#000" d="${outline(matrix)}"/></svg>`
  )
}

/** Returns the largest font size that fits the room, by the usual width of letters. */
function letterSize(text: string, room: number): number {
  return Math.round(Math.min(HEAD / 2, room / (Array.from(text).length * 0.62)) * 100) / 100
}

/**
 * Draws one picture at a time, and accounts take turns: an account that asks for hundreds delays neither
 * finders' photos nor other accounts.
 */
const queue = createFairQueue({
  atOnce: 1,
  longest: 1000,
  patienceMs: 60_000,
  refusal: 'Too many pictures are being drawn. Try again in a moment.',
})

/** Draws the picture of `framedSvg` as a PNG. Throws unavailable when too many pictures wait. */
export function framedPng(
  store: FileStore,
  account: string,
  url: string,
  size: number,
  frame: Frame,
): Promise<Buffer> {
  return queue.inTurn([account], () => drawFramed(store, url, size, frame))
}

async function drawFramed(
  store: FileStore,
  url: string,
  size: number,
  frame: Frame,
): Promise<Buffer> {
  const { ground, text: color, logo, name } = frame
  const matrix = qrMatrix(url)
  const { code, top, width, height } = measure(matrix.size, frame)
  const [codeFile, logoFile, to] = [
    store.newTemporary(),
    store.newTemporary(),
    store.newTemporary(),
  ]
  const pixels = (modules: number) => modules * size
  const roomFrom = (left: number, width: number) => ({
    left: pixels(left),
    top: pixels(EDGE),
    width: pixels(width),
    height: pixels(LOGO),
  })
  const beside = logo ? HEAD : 0
  try {
    await writeFile(codeFile, qrPng(matrix, size), { mode: 0o600 })
    if (logo) await writeFile(logoFile, logo, { mode: 0o600 })
    await drawFrame({
      to,
      ground,
      width: pixels(width),
      height: pixels(height),
      code: { file: codeFile, left: pixels(EDGE), top: pixels(top) },
      logo: logo && { file: logoFile, room: roomFrom(EDGE, name ? LOGO : code) },
      name: name ? { text: name, color, room: roomFrom(EDGE + beside, code - beside) } : undefined,
    })
    return await readFile(to)
  } finally {
    await store.discard([codeFile, logoFile, to])
  }
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '')
}
