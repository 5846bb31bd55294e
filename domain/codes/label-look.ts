import {
  type Box,
  cutGrid,
  type LabelGrid,
  type PlainId,
  type RollId,
  rollGrid,
  rollOf,
  type StockId,
  stockGrid,
} from '#domain/codes/label-sheets.ts'
import { DomainError } from '#domain/error.ts'

export type ErrorCorrection = 'M' | 'Q'
/** Modules along the side of a code, without its quiet zone. */
export type ModuleCounts = Record<ErrorCorrection, number>
export type LabelLine = 'brand' | 'verb' | 'id' | 'host'

export type LabelPlan = {
  grid: LabelGrid
  /** a tag has a pointed top with a hole, a sticker a frame, and printed stock neither */
  look: 'tag' | 'sticker' | 'plain'
  errorCorrection: ErrorCorrection
  /** side of one module */
  module: number
  /** the white square on the label: the code with a quiet zone of 4 modules */
  square: Box
  /** the text lines and where they are placed */
  texts: { box: Box; lines: LabelLine[] }[]
  /** the half with the activation code, which is torn off: below a tag, beside a sticker */
  stub?: Box
}

/** Codes of this size and larger are stickers, which need more error correction against abrasion. */
const STICKER_SIDE = 34

const TAG_WIDTH = 36
const TAG_TEXT = 8
const FRAME = 3
const STICKER_VERB = 8
const STICKER_TEXT = 10

/** Labels to cut out of plain paper around codes of `size`. Throws invalid when none fits. */
export function planCut(sheet: PlainId, size: number, modules: ModuleCounts): LabelPlan {
  return size < STICKER_SIDE ? planTag(sheet, size, modules.M) : planSticker(sheet, size, modules.Q)
}

const STUB_HEIGHT = 22
const STUB_WIDTH = 42

/** Plans a label like `planCut`, with a half to tear off. */
export function planTorn(sheet: PlainId, size: number, modules: ModuleCounts): LabelPlan {
  const plan = planCut(sheet, size, modules)
  const { width, height } = plan.grid
  if (plan.look === 'tag') {
    const stub = { x: 0, y: height, width, height: STUB_HEIGHT }
    return { ...plan, stub, grid: cutGrid(sheet, width, height + STUB_HEIGHT) }
  }
  const stub = { x: width, y: 0, width: STUB_WIDTH, height }
  return { ...plan, stub, grid: cutGrid(sheet, width + STUB_WIDTH, height) }
}

/** From top to bottom: the top with the hole, the code, the text. */
function planTag(sheet: PlainId, size: number, modules: number): LabelPlan {
  const module = size / modules
  const side = withQuiet(module, modules)
  const width = Math.max(TAG_WIDTH, side + 2)
  const roof = width / 2
  const text = { x: 1, y: roof + side, width: width - 2, height: TAG_TEXT - 1 }
  return {
    grid: cutGrid(sheet, width, roof + side + TAG_TEXT),
    look: 'tag',
    errorCorrection: 'M',
    module,
    square: { x: (width - side) / 2, y: roof, width: side, height: side },
    texts: [
      { box: { x: 4, y: roof - 5.5, width: width - 8, height: 4.5 }, lines: ['verb'] },
      { box: text, lines: ['id', 'host'] },
    ],
  }
}

function planSticker(sheet: PlainId, size: number, modules: number): LabelPlan {
  const module = size / modules
  const side = withQuiet(module, modules)
  const y = FRAME + STICKER_VERB
  const text = { x: FRAME, width: side, height: STICKER_VERB }
  return {
    grid: cutGrid(sheet, side + 2 * FRAME, y + side + STICKER_TEXT + FRAME),
    look: 'sticker',
    errorCorrection: 'Q',
    module,
    square: { x: FRAME, y, width: side, height: side },
    texts: [
      { box: { ...text, y: FRAME }, lines: ['verb'] },
      { box: { ...text, y: y + side + 1, height: STICKER_TEXT - 1 }, lines: ['id', 'host'] },
    ],
  }
}

/** Tolerance of the die cut on every side. */
const DIE_MARGIN = 1
const TEXT_BELOW = 8
const TEXT_BESIDE = 17

/**
 * Labels on bought sheets: the code has the given `size`, or the largest that fits. Its text goes
 * below or beside it, whichever leaves more room. Throws invalid when the code does not fit.
 */
export function planStock(
  sheet: StockId,
  size: number | undefined,
  modules: ModuleCounts,
): LabelPlan {
  const grid = stockGrid(sheet)
  const width = grid.width - 2 * DIE_MARGIN
  const height = grid.height - 2 * DIE_MARGIN
  const below = Math.min(width, height - TEXT_BELOW)
  const beside = Math.min(width - TEXT_BESIDE, height)
  const code = planCode(Math.max(below, beside), size, modules)
  const { side } = code
  const { square, text } = side <= below ? stack(grid, side) : align(grid, side)
  const lines: LabelLine[] = side <= below ? ['id', 'host'] : ['verb', 'id', 'host']
  return toPlan(grid, code, { square, texts: [{ box: text, lines }] })
}

/** Free paper before and after a label, which the knife of a label printer needs. */
const KNIFE_MARGIN = 3

/**
 * Plans a label of a roll, as long as it must be: the code has the given `size`, or the largest that fits across the
 * roll, and its text is below it. Throws invalid when the code does not fit.
 */
export function planRoll(
  sheet: RollId,
  size: number | undefined,
  modules: ModuleCounts,
): LabelPlan {
  const { width, margin } = rollOf(sheet)
  const code = planCode(width - 2 * margin, size, modules)
  const grid = rollGrid({ width, height: code.side + TEXT_BELOW + 2 * KNIFE_MARGIN })
  const { square, text } = stack(grid, code.side)
  const box = { ...text, x: margin, width: width - 2 * margin }
  return toPlan(grid, code, { square, texts: [{ box, lines: ['id', 'host'] }] })
}

type PlannedCode = Pick<LabelPlan, 'errorCorrection' | 'module'> & {
  /** with its quiet zone */
  side: number
}

/** Plans a code of the given `size`, or the largest that fits the room. Throws invalid when it does not fit. */
function planCode(room: number, size: number | undefined, modules: ModuleCounts): PlannedCode {
  const errorCorrection = (size ?? room) < STICKER_SIDE ? 'M' : 'Q'
  const count = modules[errorCorrection]
  const side = size === undefined ? room : withQuiet(size / count, count)
  if (size !== undefined && side > room) {
    throw new DomainError({ code: 'invalid.label_code_size', values: { size } })
  }
  return { errorCorrection, module: side / (count + 8), side }
}

function toPlan(
  grid: LabelGrid,
  { errorCorrection, module }: PlannedCode,
  places: Pick<LabelPlan, 'square' | 'texts'>,
): LabelPlan {
  return { grid, look: 'plain', errorCorrection, module, ...places }
}

/** Square and text one above the other, in the middle of the label. */
function stack({ width, height }: LabelGrid, side: number) {
  const y = (height - side - TEXT_BELOW) / 2
  return {
    square: { x: (width - side) / 2, y, width: side, height: side },
    text: { x: DIE_MARGIN, y: y + side, width: width - 2 * DIE_MARGIN, height: TEXT_BELOW },
  }
}

/** Square and text side by side, from the label's left edge. */
function align({ width, height }: LabelGrid, side: number) {
  const y = (height - side) / 2
  const x = DIE_MARGIN + side
  return {
    square: { x: DIE_MARGIN, y, width: side, height: side },
    text: { x, y, width: width - x - DIE_MARGIN, height: side },
  }
}

function withQuiet(module: number, modules: number): number {
  return module * (modules + 8)
}
