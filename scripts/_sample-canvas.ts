import { crc32, deflateSync } from 'node:zlib'

/**
 * Letters as strokes on a grid of 4 × 6, each point written as two digits. A server has no fonts for
 * text in images, and the product does not read SVG.
 */
const STROKES: Record<string, string> = {
  A: '062046 1434',
  B: '003041423303 334445360600',
  C: '4130100105163645',
  D: '00304145360600',
  E: '40000646 0333',
  F: '400006 0333',
  G: '41301001051636454323',
  H: '0006 4046 0343',
  I: '1030 2026 1636',
  J: '4045361605',
  K: '0006 400346',
  L: '000646',
  M: '0600234046',
  N: '06004640',
  O: '103041453616050110',
  P: '06003041423303',
  Q: '103041453616050110 2446',
  R: '06003041423303 2346',
  S: '413010010213334445361605',
  T: '0040 2026',
  U: '000516364540',
  V: '002640',
  W: '0016233640',
  X: '0046 4006',
  Y: '002340 2326',
  Z: '00400646',
  '0': '103041453616050110 3214',
  '1': '112026 1636',
  '2': '01103041420646',
  '3': '0110304142334445361605 3313',
  '4': '36300444',
  '5': '40000333444536 3606',
  '6': '3010010516364544331304',
  '7': '004016',
  '8': '13020110304142331304051636454433',
  '9': '1636454130100102133342',
  '-': '1333',
  '.': '2626',
  ',': '2617',
  ':': '2222 2525',
  '/': '0640',
  '+': '0343 2145',
  '₹': '0040 0242 00203132 31130346',
}
const GRID = { width: 4, height: 6, advance: 5.4 }

type Colour = string
type Point = { x: number; y: number }

/** `Math.hypot` takes ten times as long. */
function lengthOf(x: number, y: number): number {
  return Math.sqrt(x * x + y * y)
}

/** Draws boxes, lines and capital letters. Lengths are in pixels, colours `#rrggbb`. */
export function openCanvas(width: number, height: number, background: Colour) {
  const pixels = Buffer.alloc(width * height * 3, Buffer.from(rgb(background)))

  /** Fills the shape, where `distance` from its edge is negative, with antialiasing. */
  function fill(
    from: Point,
    to: Point,
    colour: Colour,
    distance: (x: number, y: number) => number,
  ) {
    const ink = rgb(colour)
    for (let y = Math.max(0, Math.floor(from.y)); y < Math.min(height, to.y); y++) {
      for (let x = Math.max(0, Math.floor(from.x)); x < Math.min(width, to.x); x++) {
        const cover = Math.min(1, Math.max(0, 0.5 - distance(x + 0.5, y + 0.5)))
        if (cover === 0) continue
        const at = (y * width + x) * 3
        for (let c = 0; c < 3; c++) {
          const under = pixels[at + c] ?? 0
          pixels[at + c] = Math.round(under + ((ink[c] ?? 0) - under) * cover)
        }
      }
    }
  }

  function box(x: number, y: number, wide: number, high: number, colour: Colour, radius = 0): void {
    fill({ x, y }, { x: x + wide, y: y + high }, colour, (px, py) => {
      const dx = Math.abs(px - x - wide / 2) - wide / 2 + radius
      const dy = Math.abs(py - y - high / 2) - high / 2 + radius
      return lengthOf(Math.max(dx, 0), Math.max(dy, 0)) + Math.min(Math.max(dx, dy), 0) - radius
    })
  }

  function line(a: Point, b: Point, thickness: number, colour: Colour): void {
    const half = thickness / 2
    const from = { x: Math.min(a.x, b.x) - half - 1, y: Math.min(a.y, b.y) - half - 1 }
    const to = { x: Math.max(a.x, b.x) + half + 1, y: Math.max(a.y, b.y) + half + 1 }
    const [dx, dy] = [b.x - a.x, b.y - a.y]
    const length = dx * dx + dy * dy || 1
    fill(from, to, colour, (x, y) => {
      const along = Math.min(1, Math.max(0, ((x - a.x) * dx + (y - a.y) * dy) / length))
      return lengthOf(x - a.x - dx * along, y - a.y - dy * along) - half
    })
  }

  /** Draws capitals of height `size` from the top left. */
  function text(words: string, x: number, y: number, size: number, colour: Colour): void {
    const unit = size / GRID.height
    for (const [n, letter] of [...words.toUpperCase()].entries()) {
      for (const stroke of (STROKES[letter] ?? '').split(' ').filter(Boolean)) {
        const points = stroke.match(/\d\d/g)?.map(([gx, gy]) => ({
          x: x + (Number(gx) + n * GRID.advance) * unit,
          y: y + Number(gy) * unit,
        }))
        for (const [i, a] of points?.entries() ?? []) {
          const b = points?.[i + 1]
          if (b) line(a, b, size / 8, colour)
        }
      }
    }
  }

  /** The width of a drawn text. */
  const widthOf = (words: string, size: number) =>
    (([...words].length - 1) * GRID.advance + GRID.width) * (size / GRID.height)

  return { box, line, text, widthOf, toPng: () => encodePng(pixels, width, height) }
}

function rgb(colour: Colour): number[] {
  return [1, 3, 5].map((at) => Number.parseInt(colour.slice(at, at + 2), 16))
}

function encodePng(pixels: Buffer, width: number, height: number): Buffer {
  const header = Buffer.from([0, 0, 0, 0, 0, 0, 0, 0, 8, 2, 0, 0, 0])
  header.writeUInt32BE(width, 0)
  header.writeUInt32BE(height, 4)
  const row = width * 3
  const lines = Buffer.alloc(height * (row + 1))
  for (let y = 0; y < height; y++) pixels.copy(lines, y * (row + 1) + 1, y * row, (y + 1) * row)
  return Buffer.concat([
    Buffer.from('\x89PNG\r\n\x1a\n', 'latin1'),
    chunk('IHDR', header),
    chunk('IDAT', deflateSync(lines, { level: 1 })),
    chunk('IEND', Buffer.alloc(0)),
  ])
}

function chunk(type: string, data: Buffer): Buffer {
  const typed = Buffer.concat([Buffer.from(type), data])
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)]
  length.writeUInt32BE(data.length)
  sum.writeUInt32BE(crc32(typed))
  return Buffer.concat([length, typed, sum])
}
