import { DomainError } from '#domain/error.ts'

/** Lengths of labels are in millimetres, measured from the top left corner. */
export type Box = { x: number; y: number; width: number; height: number }

export type Paper = { width: number; height: number }

/** The grid of labels on a page: margins to the first label, and steps to the next. */
export type LabelGrid = {
  page: Paper
  columns: number
  rows: number
  width: number
  height: number
  left: number
  top: number
  pitchX: number
  pitchY: number
}

export const A4: Paper = { width: 210, height: 297 }

/** Paper whose labels are cut by hand. */
const PLAIN = {
  a4: { name: 'Plain A4', paper: A4 },
  letter: { name: 'Plain US Letter', paper: { width: 215.9, height: 279.4 } },
} as const

export type PlainId = keyof typeof PLAIN
export const PLAIN_IDS = Object.keys(PLAIN) as PlainId[]

/** The margin that printers cannot print on, and room at the top for the ruler line. */
const EDGE = 8
const RULER_ROOM = 18
const CUTTING_GAP = 2.5

/**
 * Avery’s sheets of die-cut labels: columns, rows, label width and height, left and top margin,
 * horizontal and vertical step. The numbers are from LibreOffice's table of label stock
 * (extras/source/labels/labels.xml). Avery cuts in inches, so they are more precise than the
 * rounded ones on the packet. Opposite margins are equal, which a mistyped number would break.
 */
const STOCK = {
  l7160: ['L7160 / J8160', 3, 7, 63.5, 38.1, 7.2, 15.15, 66.04, 38.1],
  l7161: ['L7161 / J8161', 3, 6, 63.5, 46.56, 7.21, 8.82, 66.04, 46.56],
  l7163: ['L7163 / J8163', 2, 7, 99.06, 38.1, 4.67, 15.15, 101.6, 38.1],
  l7165: ['L7165 / J8165', 2, 4, 99.06, 67.73, 4.67, 13.04, 101.6, 67.73],
  l7166: ['L7166 / J8166', 2, 3, 99.06, 93.13, 4.67, 8.81, 101.6, 93.13],
  l7169: ['L7169 / J8169', 2, 2, 99.1, 139, 4.63, 9.5, 101.64, 139],
  l7651: ['L7651 / J8651', 5, 13, 38.1, 21.17, 4.67, 10.9, 40.64, 21.17],
} as const

export type StockId = keyof typeof STOCK

/**
 * The rolls of label printers: the width, and the margin on either side that their heads do not reach. Brother
 * prints 696 of 300 dots an inch on 62 mm, 306 on 29 mm, and 128 and 112 of 180 on tapes of 24 and 18 mm.
 */
const ROLLS = {
  '62mm': { width: 62, margin: 1.6 },
  '29mm': { width: 29, margin: 1.6 },
  '24mm': { width: 24, margin: 3 },
  '18mm': { width: 18, margin: 1.1 },
} as const

export type RollId = keyof typeof ROLLS
export type SheetId = PlainId | StockId | RollId

export const STOCK_IDS = Object.keys(STOCK) as StockId[]
export const ROLL_IDS = Object.keys(ROLLS) as RollId[]
export const SHEET_IDS: readonly SheetId[] = [...PLAIN_IDS, ...STOCK_IDS, ...ROLL_IDS]

export function isPlain(id: SheetId): id is PlainId {
  return id in PLAIN
}

export function isRoll(id: SheetId): id is RollId {
  return id in ROLLS
}

export function stockGrid(id: StockId): LabelGrid {
  const [, columns, rows, width, height, left, top, pitchX, pitchY] = STOCK[id]
  return { page: A4, columns, rows, width, height, left, top, pitchX, pitchY }
}

export function rollOf(id: RollId): { width: number; margin: number } {
  return ROLLS[id]
}

/** Plans one label a page, so that a label printer cuts after each. */
export function rollGrid(page: Paper): LabelGrid {
  const { width, height } = page
  return {
    page,
    columns: 1,
    rows: 1,
    width,
    height,
    left: 0,
    top: 0,
    pitchX: width,
    pitchY: height,
  }
}

/** Returns the name on the packet and the size of a label. */
export function sheetName(id: SheetId): string {
  if (isPlain(id)) return `${PLAIN[id].name}, cut by hand`
  if (isRoll(id)) return `Roll, ${ROLLS[id].width} mm wide`
  const [name, , , width, height] = STOCK[id]
  const round = (length: number) => Math.round(length * 10) / 10
  return `${name}, ${round(width)} × ${round(height)} mm`
}

/** Plans as many labels of a size as fit plain paper, centred. Throws invalid when none fits. */
export function cutGrid(id: PlainId, width: number, height: number): LabelGrid {
  const page = PLAIN[id].paper
  const pitchX = width + CUTTING_GAP
  const pitchY = height + CUTTING_GAP
  const columns = Math.floor((page.width - 2 * EDGE + CUTTING_GAP) / pitchX)
  const rows = Math.floor((page.height - RULER_ROOM - EDGE + CUTTING_GAP) / pitchY)
  if (columns < 1 || rows < 1) throw new DomainError('invalid.label_size')
  const left = (page.width - columns * pitchX + CUTTING_GAP) / 2
  return { page, columns, rows, width, height, left, top: RULER_ROOM, pitchX, pitchY }
}

export function labelsPerPage({ columns, rows }: LabelGrid): number {
  return columns * rows
}

/** Returns the place of the nth label, counted from 0 along the rows and over all pages. */
export function labelPlace(grid: LabelGrid, n: number): { page: number } & Box {
  const perPage = labelsPerPage(grid)
  const onPage = n % perPage
  const { left, top, pitchX, pitchY, width, height } = grid
  return {
    page: Math.floor(n / perPage),
    x: left + (onPage % grid.columns) * pitchX,
    y: top + Math.floor(onPage / grid.columns) * pitchY,
    width,
    height,
  }
}
