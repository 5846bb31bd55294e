import type { Brand } from '#domain/brands/brand.ts'
import { printedLine } from '#domain/print-letters.ts'
import { outline, QUIET_ZONE, qrMatrix } from '#formats/qr-image.ts'

/** The parts of a brand that a frame shows. The logo is a PNG. */
export type Frame = Pick<Brand, 'ground' | 'text'> & {
  name: string | null
  logo: Buffer | undefined
}

/** In modules: the frame around the quiet zone, and the space for the logo above the code. */
export const EDGE = 3
export const HEAD = 8
export const LOGO = HEAD - 2

/** Returns a frame without the letters of its name that no font for prints has. */
export function printedFrame(frame: Frame): Frame {
  return { ...frame, name: (frame.name && printedLine(frame.name).shown) || null }
}

export function measureFrame(modules: number, { logo, name }: Frame) {
  const code = modules + 2 * QUIET_ZONE
  const top = logo || name ? EDGE + HEAD : EDGE
  return { code, top, width: code + 2 * EDGE, height: code + top + EDGE }
}

/** Draws a code in the colours of a brand, with its logo and name above it. `size` is in pixels per module. */
export function framedSvg(url: string, size: number, given: Frame): string {
  const matrix = qrMatrix(url)
  const frame = printedFrame(given)
  const { ground, text, logo, name } = frame
  const { code, top, width, height } = measureFrame(matrix.size, frame)
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
      ? `<text x="${image ? EDGE + LOGO + 1 : width / 2}" y="${middle}" fill="${text}"${FROM_RIGHT.test(name) ? ` direction="rtl"` : ''}` +
        ` font-family="system-ui,sans-serif" font-weight="700" font-size="${letterSize(name, code - (image ? HEAD : 0))}"` +
        ` text-anchor="${anchorOf(frame)}" dominant-baseline="central">${escapeXml(name)}</text>`
      : '') +
    `<rect x="${EDGE}" y="${top}" width="${code}" height="${code}" fill="#fff"/>` +
    `<path transform="translate(${EDGE} ${top})" shape-rendering="crispEdges" fill="#000" d="${outline(matrix)}"/></svg>`
  )
}

/** A text whose first letter is written from right to left. */
const FROM_RIGHT = /^\P{L}*\p{Script=Arabic}/u

/** A text from right to left ends on its left. */
function anchorOf({ logo, name }: Frame): string {
  if (!logo) return 'middle'
  return FROM_RIGHT.test(name ?? '') ? 'end' : 'start'
}

/** Returns the largest font size that fits the room, by the usual width of letters. */
function letterSize(text: string, room: number): number {
  return Math.round(Math.min(HEAD / 2, room / (Array.from(text).length * 0.62)) * 100) / 100
}

const ENTITIES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;' }

function escapeXml(text: string): string {
  return text.replace(/[&<>"]/g, (sign) => ENTITIES[sign] ?? '')
}
