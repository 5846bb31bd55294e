import { DomainError } from '#domain/error.ts'

/** Lengths of labels are in millimetres, measured from the top left corner. */
export type Box = { x: number; y: number; width: number; height: number }

/** The grid of labels on a page: margins to the first label, and steps to the next. */
export type LabelGrid = {
  columns: number
  rows: number
  width: number
  height: number
  left: number
  top: number
  pitchX: number
  pitchY: number
}

export const A4 = { width: 210, height: 297 }

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
export type SheetId = 'a4' | StockId

export const STOCK_IDS = Object.keys(STOCK) as StockId[]
export const SHEET_IDS: readonly SheetId[] = ['a4', ...STOCK_IDS]

export function stockGrid(id: StockId): LabelGrid {
  const [, columns, rows, width, height, left, top, pitchX, pitchY] = STOCK[id]
  return { columns, rows, width, height, left, top, pitchX, pitchY }
}

/** Returns the name on the packet and the size of a label. */
export function sheetName(id: SheetId): string {
  if (id === 'a4') return 'Plain A4, cut by hand'
  const [name, , , width, height] = STOCK[id]
  const round = (length: number) => Math.round(length * 10) / 10
  return `${name}, ${round(width)} × ${round(height)} mm`
}

/** Plans as many labels of a size as fit a plain page, centred. Throws invalid when none fits. */
export function cutGrid(width: number, height: number): LabelGrid {
  const pitchX = width + CUTTING_GAP
  const pitchY = height + CUTTING_GAP
  const columns = Math.floor((A4.width - 2 * EDGE + CUTTING_GAP) / pitchX)
  const rows = Math.floor((A4.height - RULER_ROOM - EDGE + CUTTING_GAP) / pitchY)
  if (columns < 1 || rows < 1) throw new DomainError('invalid.label_size')
  const left = (A4.width - columns * pitchX + CUTTING_GAP) / 2
  return { columns, rows, width, height, left, top: RULER_ROOM, pitchX, pitchY }
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
