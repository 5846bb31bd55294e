import { LINE_HEIGHT, PdfText, type Place, type Style } from '#formats/pdf-text.ts'

type Pdf = PDFKit.PDFDocument

type Fact = { label: string; value: string }

/** All that stands on a receipt, as it is shown. */
export type PrintedReceipt = {
  number: string
  issued_at: Date
  operator: { name: string; lines: string[] }
  /** whether the product's mark is beside it */
  hasMark: boolean
  contact: string[]
  /** date, way of payment */
  payment: Fact[]
  /** the paying account */
  account: Fact[]
  item: { plan: string; period: string; months: string; price: string }
  /** under the price; the last is the received amount */
  totals: Fact[]
  /** the tax that the amount contains */
  tax: string | undefined
}

const PAGE = { width: 595.28, height: 841.89 }
const MARGIN = 51
const LEFT = MARGIN
const WIDTH = PAGE.width - 2 * MARGIN
const HALF = (WIDTH - 28) / 2
const RIGHT_HALF = LEFT + HALF + 28

const YELLOW = '#ffc61a'
const INK = '#1a1710'
const SOFT = '#5a5241'

const TEXT: Style = { size: 10.5, color: INK }
const BOLD: Style = { ...TEXT, bold: true }
const SMALL: Style = { size: 9, color: SOFT }
const HEADING: Style = { ...SMALL, bold: true }

const MARK = 31
const MARK_SHAPE = {
  scale: MARK / 32,
  body: 'M3 30V15a13 13 0 0 1 26 0v15z',
  roof: 'M4.2 15a11.8 11.8 0 0 1 23.6 0z',
  edge: 'M3 15h26',
  squares:
    'M8.5 18.5h6v6h-6zM18 18.5h2.5V21H18zM21.5 22.5h2.5V25h-2.5zM18 24.5h2V27h-2zM8.5 26h3v1.5h-3z',
  hole: 'M13.5 9.5a2.5 2.5 0 1 1 5 0 2.5 2.5 0 0 1-5 0z',
}

/** The columns of the table, from the left. */
const COLUMNS: (Pick<Place, 'x' | 'width'> & { align: 'left' | 'right' })[] = [
  { x: LEFT, width: 110, align: 'left' },
  { x: LEFT + 116, width: 200, align: 'left' },
  { x: LEFT + 322, width: 60, align: 'right' },
  { x: LEFT + 388, width: WIDTH - 388, align: 'right' },
]

/** Draws a receipt as a tagged PDF of one page, with its fonts in it. */
export async function drawReceipt(receipt: PrintedReceipt): Promise<Uint8Array> {
  const { default: PDFDocument } = await import('pdfkit')
  const pdf = new PDFDocument({
    size: [PAGE.width, PAGE.height],
    margin: 0,
    pdfVersion: '1.7',
    // The types do not know it yet.
    ['subset' as string]: 'PDF/UA',
    tagged: true,
    lang: 'en-IN',
    displayTitle: true,
    info: {
      Title: `Receipt ${receipt.number}`,
      Author: receipt.operator.name,
      Creator: receipt.operator.name,
      Producer: receipt.operator.name,
      CreationDate: receipt.issued_at,
    },
  })
  const pieces: Uint8Array[] = []
  pdf.on('data', (piece: Uint8Array) => pieces.push(piece))
  const isDone = new Promise((resolve) => pdf.on('end', resolve))
  new Receipt(pdf).draw(receipt)
  pdf.end()
  await isDone
  return Buffer.concat(pieces)
}

class Receipt {
  readonly #pdf: Pdf
  readonly #text: PdfText
  readonly #root: PDFKit.PDFStructureElement

  constructor(pdf: Pdf) {
    this.#pdf = pdf
    this.#text = new PdfText(pdf)
    this.#root = pdf.struct('Document')
    pdf.addStructure(this.#root)
  }

  draw(receipt: PrintedReceipt): void {
    let y = this.#drawHead(receipt)
    y = this.#drawTitle(receipt, y + 25)
    y = this.#drawFacts(receipt.account, { x: LEFT, y: y + 22, width: WIDTH })
    y = this.#drawTable(receipt, y + 25)
    if (receipt.tax) this.#write(this.#root, 'P', receipt.tax, { x: LEFT, y, width: WIDTH }, SMALL)
    const bottom = { x: LEFT, y: PAGE.height - MARGIN, width: WIDTH }
    const note = 'Made by computer, valid without a signature.'
    this.#write(this.#root, 'P', note, bottom, SMALL)
    this.#write(this.#root, 'P', 'Page 1 of 1', { ...bottom, align: 'right' }, SMALL)
    this.#root.end()
  }

  #drawHead({ operator, hasMark, contact }: PrintedReceipt): number {
    if (hasMark) this.#decorate(() => this.#drawMark())
    const name = { ...BOLD, size: 13 }
    const left = { x: hasMark ? LEFT + MARK + 11 : LEFT, y: MARGIN, width: HALF + 20 }
    let y = this.#write(this.#root, 'P', operator.name, left, name)
    for (const line of operator.lines) y = this.#write(this.#root, 'P', line, { ...left, y }, TEXT)
    let end = MARGIN
    for (const line of contact) {
      const place = { x: RIGHT_HALF, y: end, width: HALF, align: 'right' } as const
      end = this.#write(this.#root, 'P', line, place, TEXT)
    }
    const edge = Math.max(y, end) + 14
    this.#decorate(() => {
      for (let x = LEFT; x < LEFT + WIDTH; x += 42.5) {
        const dash = Math.min(25.5, LEFT + WIDTH - x)
        this.#pdf.rect(x, edge, dash, 3.4).fill(YELLOW)
        const gap = Math.min(17, LEFT + WIDTH - x - dash)
        if (gap > 0) this.#pdf.rect(x + dash, edge, gap, 3.4).fill(INK)
      }
    })
    return edge + 3.4
  }

  /** The product's mark, as on the pages. */
  #drawMark(): void {
    const { scale, body, roof, edge, squares, hole } = MARK_SHAPE
    this.#pdf.save().translate(LEFT, MARGIN).scale(scale)
    this.#pdf.path(body).lineWidth(2.5).fillAndStroke('#fff', INK)
    this.#pdf.path(roof).fill(YELLOW)
    this.#pdf.path(edge).lineWidth(2.5).stroke(INK)
    this.#pdf.path(squares).fill(INK)
    this.#pdf.path(hole).fill(INK)
    this.#pdf.restore()
  }

  #drawTitle({ number, payment }: PrintedReceipt, top: number): number {
    const left = { x: LEFT, y: top, width: HALF }
    const y = this.#write(this.#root, 'H1', 'Receipt', left, { ...BOLD, size: 22 })
    const end = this.#write(this.#root, 'P', number, { ...left, y }, { ...BOLD, size: 13 })
    const facts = this.#drawFacts(payment, { x: RIGHT_HALF, y: top, width: HALF })
    return Math.max(end, facts)
  }

  /** A label and its value on each line. */
  #drawFacts(facts: Fact[], { x, y: top, width }: Place): number {
    const labels = 96
    let y = top
    for (const { label, value } of facts) {
      const line = this.#add(this.#root, 'P')
      this.#write(line, 'Span', `${label} `, { x, y, width: labels }, { ...TEXT, color: SOFT })
      y = this.#write(line, 'Span', value, { x: x + labels, y, width: width - labels }, TEXT)
      line.end()
    }
    return y
  }

  #drawTable({ item, totals }: PrintedReceipt, top: number): number {
    const table = this.#add(this.#root, 'Table')
    let y = this.#drawRow(table, 'TH', ['Plan', 'Period', 'Months', 'Amount'], top, HEADING)
    this.#rule(y + 4, 0.7)
    const { plan, period, months, price } = item
    y = this.#drawRow(table, 'TD', [plan, period, months, price], y + 11, TEXT)
    // The total's own rule does where nothing leads to it.
    if (totals.length > 1) this.#rule(y + 4, 0.7)
    y += 11
    for (const [n, { label, value }] of totals.entries()) {
      const isLast = n === totals.length - 1
      if (isLast) this.#rule(y + 2, 2.2)
      if (isLast) y += 10
      const style = isLast ? { ...BOLD, size: 13 } : TEXT
      y = this.#drawTotal(table, { label, value }, y, style)
    }
    table.end()
    return y + 12
  }

  #drawRow(
    table: PDFKit.PDFStructureElement,
    cell: 'TH' | 'TD',
    texts: string[],
    y: number,
    style: Style,
  ): number {
    const row = this.#add(table, 'TR')
    const ends = texts.map((text, n) => {
      const place = { ...(COLUMNS[n] as (typeof COLUMNS)[number]), y }
      return this.#write(row, cell, text, place, style)
    })
    row.end()
    return Math.max(...ends)
  }

  #drawTotal(
    table: PDFKit.PDFStructureElement,
    { label, value }: Fact,
    y: number,
    style: Style,
  ): number {
    const row = this.#add(table, 'TR')
    const amount = COLUMNS[3] as (typeof COLUMNS)[number]
    const place = { x: LEFT, width: amount.x - LEFT - 12, align: 'right' } as const
    const end = this.#write(row, 'TH', label, { ...place, y }, style)
    this.#write(row, 'TD', value, { ...amount, y }, style)
    row.end()
    return end
  }

  #add(parent: PDFKit.PDFStructureElement, type: string): PDFKit.PDFStructureElement {
    const element = this.#pdf.struct(type)
    parent.add(element)
    return element
  }

  /** Draws a text that a screen reader reads as it is, however its letters are joined. */
  #write(
    parent: PDFKit.PDFStructureElement,
    type: string,
    text: string,
    place: Place,
    style: Style,
  ): number {
    const content = () => {
      this.#text.draw(text, place, style)
    }
    const options = { actual: text }
    parent.add(this.#pdf.struct(type, options, [content]))
    const lines = this.#text.wrap(text, place.width, style).length
    return place.y + lines * style.size * LINE_HEIGHT
  }

  #rule(y: number, width: number): void {
    this.#decorate(() => {
      this.#pdf
        .moveTo(LEFT, y)
        .lineTo(LEFT + WIDTH, y)
        .lineWidth(width)
        .stroke(INK)
    })
  }

  /** Draws a decoration, which screen readers leave out. */
  #decorate(draw: () => void): void {
    this.#pdf.markContent('Artifact', { type: 'Layout' })
    draw()
    this.#pdf.endMarkedContent()
  }
}
