import { type Brand, PRODUCT } from '#domain/brands/brand.ts'
import { OWN_YELLOW } from '#domain/brands/colour.ts'
import type { LabelLine, LabelPlan } from '#domain/codes/label-look.ts'
import { type Box, labelPlace, labelsPerPage } from '#domain/codes/label-sheets.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { lettersOf, printedLine } from '#domain/print-letters.ts'
import { PdfText } from '#formats/pdf-text.ts'
import { type QrMatrix, qrMatrix } from '#formats/qr-image.ts'
import { turnToDraw } from '#formats/turn-to-draw.ts'

type Pdf = PDFKit.PDFDocument

/** A code, its URL, and the text of the half that is torn off. */
export type PrintedCode = { qr_id: string; url: string; activation_code?: string }

/** The parts of a brand that labels show; the logo is a PNG. */
type LabelBrand = Pick<Brand, 'name' | 'ground' | 'text'> & { logo: Buffer | undefined }

type Printing = {
  plan: LabelPlan
  brand?: LabelBrand | undefined
  /** the first label to print on, from 1 */
  start: number
  /** draws the edges of die-cut labels, for a test on plain paper */
  outline: boolean
  now: Date
}

const POINTS_PER_MM = 72 / 25.4
const MM_PER_POINT = 25.4 / 72
const INK = '#1a1710'
const CUT = '#857b63'
const HAIRLINE = 0.3
/** Line height as a multiple of the font size. */
const LINE_HEIGHT = 1.25
const LETTERS_MAX = 12 * MM_PER_POINT
const LETTERS_MIN = 4.5 * MM_PER_POINT

/** A factor of the height of the letters beside it. */
const LOGO_HEIGHT = 1.2
const LOGO_GAP = 0.4

const VERBS = {
  tag: 'Found me? Scan.',
  plain: 'Found me? Scan.',
  sticker: 'Need the owner? Scan this.',
} as const

/**
 * Draws label sheets as a vector PDF, streamed page by page, so that memory does not grow with the
 * number of codes. Uses only built-in PDF fonts, except for a brand's name in other letters than
 * Latin ones. Lengths are in millimetres.
 */
export async function* drawLabels(
  codes: readonly PrintedCode[],
  { plan, brand, start, outline, now }: Printing,
): AsyncGenerator<Uint8Array, void> {
  const { default: PDFDocument } = await import('pdfkit')
  const { page } = plan.grid
  const document = new PDFDocument({
    autoFirstPage: false,
    size: [page.width * POINTS_PER_MM, page.height * POINTS_PER_MM],
    margin: 0,
    info: {
      Title: `${brand?.name ?? PRODUCT} labels`,
      Creator: brand?.name ?? PRODUCT,
      CreationDate: now,
    },
  })
  // Parsed once for all labels.
  const logo = brand?.logo && (document as unknown as Pictures).openImage(brand.logo)
  const name = brand?.name && printedLine(brand.name).shown
  const alphabets = new PdfText(document)
  const drawn = { ground: OWN_YELLOW, text: INK, ...brand, name, logo, alphabets }
  const last = start - 1 + codes.length
  for (let n = start - 1; n < last; n++) {
    if (n === start - 1 || n % labelsPerPage(plan.grid) === 0) {
      beginPage(document, plan)
      yield* written(document)
      await turnToDraw()
    }
    drawLabel(document, plan, { code: codes[n - start + 1] as PrintedCode, drawn, n, outline })
  }
  document.end()
  yield* written(document)
}

/** Yields the bytes finished so far. A page is finished when the next one begins. */
function* written(document: Pdf): Generator<Uint8Array, void> {
  for (let piece = document.read(); piece; piece = document.read()) yield piece
}

function beginPage(document: Pdf, { look }: LabelPlan): void {
  document.addPage().scale(POINTS_PER_MM).lineWidth(HAIRLINE)
  if (look === 'plain') return
  document.path('M10 8v2h50v-2').stroke(INK)
  document
    .font('Helvetica')
    .fontSize(8.5 * MM_PER_POINT)
    .fillColor(INK)
  const text = 'This line is 50 mm. If it is not, set scaling to 100 %.'
  document.text(text, 63, 8, { lineBreak: false })
}

function drawLabel(
  document: Pdf,
  plan: LabelPlan,
  {
    code,
    drawn,
    n,
    outline,
  }: { code: PrintedCode; drawn: DrawnBrand; n: number; outline: boolean },
): void {
  const { x, y, width, height } = labelPlace(plan.grid, n)
  document.save().translate(x, y)
  if (plan.look === 'tag') drawTag(document, drawn.ground, width, height)
  if (plan.look === 'sticker') drawSticker(document, drawn.ground, plan)
  if (plan.stub) drawStub(document, plan.stub, code.activation_code ?? '')
  if (outline && plan.look === 'plain') document.rect(0, 0, width, height).stroke(CUT)
  drawCode(document, plan, qrMatrix(code.url, plan))
  for (const { box, lines } of plan.texts) {
    const isOnGround = plan.look === 'sticker' || (plan.look === 'tag' && lines.includes('verb'))
    const colour = isOnGround ? drawn.text : INK
    drawLines(
      document,
      box,
      { colour, drawn },
      wordsOf(plan, withBrand(lines, drawn), { ...code, drawn }),
    )
  }
  document.restore()
}

/** The cutting line, the hole for the ring, and the yellow top. */
function drawTag(document: Pdf, ground: string, width: number, height: number): void {
  const roof = width / 2
  document.path(`M0 ${roof}A${roof} ${roof} 0 0 1 ${width} ${roof}z`).fill(ground)
  document.rect(0, roof - 0.7, width, 0.7).fill(INK)
  document.circle(roof, 7.5, 2.5).fill('#fff')
  const below = `v${height - roof - 3}a3 3 0 0 1 -3 3h${6 - width}a3 3 0 0 1 -3 -3z`
  document.dash(1, { space: 0.8 })
  document.path(`M0 ${roof}A${roof} ${roof} 0 0 1 ${width} ${roof}${below}`).stroke(CUT)
  document.circle(roof, 7.5, 2.5).stroke(CUT)
  document.undash()
}

function drawSticker(document: Pdf, ground: string, { grid, square, stub }: LabelPlan): void {
  const { width, height } = grid
  document.save()
  // Draws the half that is torn off: its perforation, and the text that a claimer types.
  if (stub) document.rect(0, 0, stub.x, height).clip()
  document.roundedRect(0, 0, width, height, 5).fill(ground).restore()
  document.rect(square.x, square.y, square.width, square.height).fill('#fff')
  document.dash(1, { space: 0.8 }).roundedRect(0, 0, width, height, 5).stroke(CUT).undash()
}

const PERFORATION = 0.5
const SCISSORS_SIDE = 4
/** Between the lines of a stub, in millimetres. */
const STUB_GAP = 0.8

/** The sizes of letters are in points. */
const STUB_LOOKS = {
  below: { words: ['Tear off. Activation code:'], letters: 7, code: 14 },
  beside: { words: ['Tear off.', 'Activation code:'], letters: 9, code: 20 },
}

/** Draws the tear-off half: its perforation and the activation code. */
function drawStub(document: Pdf, { x, y, width, height }: Box, activationCode: string): void {
  const isBeside = x > 0
  document
    .lineWidth(PERFORATION)
    .dash(1, { space: 0.8 })
    .moveTo(x, y)
    .lineTo(isBeside ? x : x + width, isBeside ? y + height : y)
    .stroke(INK)
    .undash()
    .lineWidth(HAIRLINE)
  const { words, letters, code } = STUB_LOOKS[isBeside ? 'beside' : 'below']
  const lines = [
    ...words.map((text) => ({ text, font: 'Helvetica', points: letters, spacing: 0 })),
    { text: activationCode, font: 'Courier-Bold', points: code, spacing: 0.14 },
    { text: 'Needed once, to claim.', font: 'Helvetica', points: letters, spacing: 0 },
  ]
  const heights = lines.map(({ points }) => points * LINE_HEIGHT * MM_PER_POINT)
  const whole = heights.reduce((sum, each) => sum + STUB_GAP + each, SCISSORS_SIDE)
  let top = y + (height - whole) / 2
  drawScissors(document, x + (width - SCISSORS_SIDE) / 2, top)
  top += SCISSORS_SIDE
  for (const [n, { text, font, points, spacing }] of lines.entries()) {
    const size = points * MM_PER_POINT
    const lineHeight = heights[n] as number
    const characterSpacing = spacing * size
    document.font(font).fontSize(size).fillColor(INK)
    const length = document.widthOfString(text) + characterSpacing * (text.length - 1)
    document.text(text, x + (width - length) / 2, top + STUB_GAP + lineHeight / 2, {
      lineBreak: false,
      baseline: 'middle',
      characterSpacing,
    })
    top += STUB_GAP + lineHeight
  }
}

/** On a grid of 24, as the icons of the pages. */
function drawScissors(document: Pdf, x: number, y: number): void {
  document
    .save()
    .translate(x, y)
    .scale(SCISSORS_SIDE / 24)
    .lineWidth(2)
  document.circle(6.5, 6.5, 3).circle(6.5, 17.5, 3)
  document.path('M9 8.3 20.5 18M9 15.7 20.5 6').stroke(INK).restore()
}

/** Draws all modules as one shape, so that viewers leave no gaps between them. */
function drawCode(document: Pdf, { square, module }: LabelPlan, { size, modules }: QrMatrix): void {
  document
    .save()
    .translate(square.x + 4 * module, square.y + 4 * module)
    .scale(module)
  for (let row = 0; row < size; row++) {
    for (let from = 0; from < size; from++) {
      let to = from
      while (to < size && modules[row * size + to]) to++
      if (to > from) document.rect(from, row, to - from, 1)
      from = to
    }
  }
  document.fill('#000').restore()
}

/** A picture that is parsed once, which the types of pdfkit lack. */
type PdfImage = PDFKit.Mixins.ImageSrc & { width: number; height: number }
type Pictures = { openImage(source: Buffer): PdfImage }

type DrawnBrand = {
  name?: string | null
  ground: string
  text: string
  logo: PdfImage | undefined
  /** writes what the built-in fonts cannot */
  alphabets: PdfText
}
type Words = {
  text: string
  /** undefined for letters that the built-in fonts do not have */
  font: 'Helvetica' | 'Helvetica-Bold' | undefined
  logo?: PdfImage | undefined
  isHost?: boolean
}

/** Puts the brand above the code's id. */
function withBrand(lines: LabelLine[], { logo, name }: DrawnBrand): LabelLine[] {
  return (logo || name) && lines.includes('id') ? ['brand', ...lines] : lines
}

/** The letters of the built-in fonts. */
const LATIN = /^[\x20-\x7e\xa0-\xff]*$/

function wordsOf(
  { look }: LabelPlan,
  lines: LabelLine[],
  { qr_id, url, drawn }: PrintedCode & { drawn: DrawnBrand },
): Words[] {
  const name = drawn.name ?? ''
  const words: Record<LabelLine, Words> = {
    brand: { text: name, font: LATIN.test(name) ? 'Helvetica-Bold' : undefined, logo: drawn.logo },
    verb: { text: VERBS[look], font: 'Helvetica-Bold' },
    id: { text: formatQrId(qr_id), font: 'Helvetica-Bold' },
    host: { text: new URL(url).host, font: 'Helvetica', isHost: true },
  }
  return lines.map((line) => words[line])
}

type Pen = {
  /** at a size of 1 */
  widthOf(text: string): number
  /** with its middle at `y` */
  write(text: string, x: number, y: number, size: number): void
}

function penOf(document: Pdf, { alphabets }: DrawnBrand, font: Words['font'], color: string): Pen {
  if (!font) {
    const style = { bold: true, color }
    return {
      widthOf: (text) => alphabets.widthOf(text, { ...style, size: 1 }),
      write: (text, x, y, size) => {
        const place = { x, y: y - ABOVE_MIDDLE * size, width: Number.POSITIVE_INFINITY }
        alphabets.draw(text, place, { ...style, size })
      },
    }
  }
  return {
    widthOf: (text) => document.font(font).fontSize(1).widthOfString(text),
    write: (text, x, y, size) => {
      document.font(font).fontSize(size).fillColor(color)
      document.text(text, x, y, { lineBreak: false, baseline: 'middle' })
    },
  }
}

/** The distance of a line's upper edge from the middle of its letters. */
const ABOVE_MIDDLE = 0.72

/** Centres the lines in their box, each as large as height and width allow. */
function drawLines(
  document: Pdf,
  box: Box,
  { colour, drawn }: { colour: string; drawn: DrawnBrand },
  lines: Words[],
): void {
  const largest = Math.min(LETTERS_MAX, box.height / lines.length / LINE_HEIGHT)
  const step = largest * LINE_HEIGHT
  const top = box.y + (box.height - step * lines.length) / 2
  for (const [n, { text, font, logo, isHost }] of lines.entries()) {
    const { widthOf, write } = penOf(document, drawn, font, colour)
    // In letters' heights, as the width of the text.
    const logoWidth = logo ? (LOGO_HEIGHT * logo.width) / logo.height : 0
    const before = logoWidth + (logo && text ? LOGO_GAP : 0)
    const size = Math.max(LETTERS_MIN, Math.min(largest, box.width / (before + widthOf(text))))
    const room = box.width / size - before
    const shown = shortened(text, room, widthOf, isHost ? withoutStart : withoutEnd)
    const x = box.x + (box.width - (before + widthOf(shown)) * size) / 2
    const y = top + step * (n + 0.5)
    if (logo) {
      const height = LOGO_HEIGHT * size
      document.image(logo, x, y - height / 2, { width: logoWidth * size, height })
    }
    write(shown, x + before * size, y, size)
  }
}

type Cut = (letters: string[], cut: number) => string

/** A host name, because its end identifies the site. */
const withoutStart: Cut = (letters, cut) => `…${letters.slice(cut).join('')}`
const withoutEnd: Cut = (letters, cut) => `${letters.slice(0, -cut).join('').trimEnd()}…`

/** Returns as much of a text as fits the width. */
function shortened(text: string, width: number, widthOf: Pen['widthOf'], without: Cut): string {
  const fits = (shown: string) => widthOf(shown) <= width + 0.001
  if (fits(text)) return text
  const letters = lettersOf(text)
  return letters.map((_, cut) => without(letters, cut + 1)).find(fits) ?? ''
}
