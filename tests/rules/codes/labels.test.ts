import { describe, expect, test } from 'vitest'
import type { LabelPlan } from '#domain/codes/label-look.ts'
import {
  A4,
  isPlain,
  isRoll,
  labelPlace,
  labelsPerPage,
  ROLL_IDS,
  SHEET_IDS,
  STOCK_IDS,
  stockGrid,
} from '#domain/codes/label-sheets.ts'
import { assertStart, countLabels, moduleWarning, planLabels } from '#domain/codes/labels.ts'

/** Codes of version 3, 4 and 5: what addresses on short and long hosts take. */
const SHORT = { M: 29, Q: 29 }
const ORDINARY = { M: 29, Q: 33 }
const LONG = { M: 37, Q: 41 }

const modulesOf = ({ errorCorrection }: LabelPlan, counts: typeof SHORT) => counts[errorCorrection]

describe('the table of label stock', () => {
  test.each(STOCK_IDS)('%s leaves the same margin on opposite sides of A4', (id) => {
    const { columns, rows, width, height, left, top, pitchX, pitchY } = stockGrid(id)
    const right = A4.width - left - (columns - 1) * pitchX - width
    const bottom = A4.height - top - (rows - 1) * pitchY - height
    expect(Math.abs(right - left)).toBeLessThanOrEqual(0.06)
    expect(Math.abs(bottom - top)).toBeLessThanOrEqual(0.06)
    expect(pitchX).toBeGreaterThanOrEqual(width)
    expect(pitchY).toBeGreaterThanOrEqual(height)
  })
})

describe('labels on a page', () => {
  test('are counted along the rows, then down, then on the next page', () => {
    const grid = stockGrid('l7160')
    expect(labelPlace(grid, 0)).toEqual({ page: 0, x: 7.2, y: 15.15, width: 63.5, height: 38.1 })
    const { x, y, page } = labelPlace(grid, 4)
    expect([page, x.toFixed(2), y.toFixed(2)]).toEqual([0, '73.24', '53.25'])
    expect(labelPlace(grid, 21)).toEqual({ ...labelPlace(grid, 0), page: 1 })
  })

  test.each([SHORT, ORDINARY, LONG])('lie on the paper beside each other with %o', (counts) => {
    for (const sheet of SHEET_IDS.filter((id) => !isRoll(id))) {
      for (const size of isPlain(sheet) ? [12, 25, 33, 34, 50, 70, 100] : [undefined]) {
        const { grid } = planLabels({ sheet, size }, { ...counts, M: Math.min(counts.M, 29) })
        const last = labelPlace(grid, labelsPerPage(grid) - 1)
        expect(last.page).toBe(0)
        expect(grid.left).toBeGreaterThan(4)
        expect(last.x + last.width).toBeLessThan(grid.page.width - 4)
        expect(last.y + last.height).toBeLessThan(grid.page.height - 4)
        expect(
          Math.min(grid.pitchX - grid.width, grid.pitchY - grid.height),
        ).toBeGreaterThanOrEqual(0)
      }
    }
  })

  test('of windscreen size are six or four on A4, tags twenty, with any host', () => {
    for (const counts of [SHORT, ORDINARY, LONG]) {
      const perPage = (size: number) =>
        labelsPerPage(planLabels({ sheet: 'a4', size }, counts).grid)
      expect([25, 50, 70].map(perPage)).toEqual([20, 6, 4])
    }
  })
})

describe('the roll of a label printer', () => {
  test.each([
    ['62mm', 47.3, 72.8],
    ['29mm', 20.2, 39.8],
    ['24mm', 14.1, 32],
    ['18mm', 12.4, 29.8],
  ] as const)('has one label a page across %s, with a code of %d mm', (sheet, side, length) => {
    const plan = planLabels({ sheet }, ORDINARY)
    const { grid, module } = plan
    expect(labelsPerPage(grid)).toBe(1)
    expect(grid.page).toEqual({
      width: Number.parseInt(sheet, 10),
      height: expect.closeTo(length, 1),
    })
    expect(module * modulesOf(plan, ORDINARY)).toBeCloseTo(side, 1)
    expect(() => assertStart(plan, 2)).toThrow('Start position must be between 1 and 1')
  })

  test.each(ROLL_IDS)('of %s keeps code and words where its printer prints', (sheet) => {
    const { square, texts } = planLabels({ sheet }, ORDINARY)
    const width = Number.parseInt(sheet, 10)
    const most = { '62mm': 58.93, '29mm': 25.91, '24mm': 18.06, '18mm': 15.8 }[sheet]
    for (const box of [square, ...texts.map((text) => text.box)]) {
      expect(box.width).toBeLessThanOrEqual(most)
      expect(box.x).toBeCloseTo((width - box.width) / 2)
      expect(box.y).toBeGreaterThanOrEqual(3 - 1e-9)
    }
  })
})

describe('a label', () => {
  test('keeps 4 modules of quiet around its code, and its words out of it', () => {
    for (const sheet of SHEET_IDS) {
      const plan = planLabels({ sheet }, ORDINARY)
      const { square, module, texts, grid } = plan
      expect(square.width).toBeCloseTo((modulesOf(plan, ORDINARY) + 8) * module)
      expect(square.height).toBe(square.width)
      for (const box of [square, ...texts.map((text) => text.box)]) {
        expect(Math.min(box.x, box.y)).toBeGreaterThanOrEqual(0)
        expect(box.x + box.width).toBeLessThanOrEqual(grid.width + 1e-9)
        expect(box.y + box.height).toBeLessThanOrEqual(grid.height + 1e-9)
      }
      for (const { box } of texts) {
        const apart =
          box.x >= square.x + square.width - 1e-9 ||
          box.y >= square.y + square.height - 1e-9 ||
          box.y + box.height <= square.y + 1e-9
        expect(apart, `words of ${sheet}`).toBe(true)
      }
    }
  })

  test('has error correction M as a tag and Q as a sticker', () => {
    const level = (size: number) => planLabels({ sheet: 'a4', size }, ORDINARY).errorCorrection
    expect([25, 33, 34, 50, 70].map(level)).toEqual(['M', 'M', 'Q', 'Q', 'Q'])
  })

  test('has a code of the requested size', () => {
    for (const [sheet, size] of [
      ['a4', 25],
      ['a4', 50],
      ['l7160', 25],
      ['l7169', 70],
    ] as const) {
      const plan = planLabels({ sheet, size }, ORDINARY)
      expect(plan.module * modulesOf(plan, ORDINARY)).toBeCloseTo(size)
    }
  })

  test.each([
    ['l7160', 40],
    ['l7651', 25],
    ['29mm', 25],
    ['a4', 300],
  ] as const)('of %s has no room for a code of %i mm', (sheet, size) => {
    expect(() => planLabels({ sheet, size }, ORDINARY)).toThrow(/does not fit/)
  })
})

describe('modules', () => {
  const sized = (module: number) => planLabels({ sheet: 'a4', size: module * 29 }, ORDINARY)

  test('under 0.40 mm are refused, under 0.50 mm warned of', () => {
    expect(() => sized(0.399)).toThrow(/would be 0.39 mm, and phones need 0.40 mm/)
    expect(moduleWarning(sized(0.401))).toMatch(/code is small/)
    expect(moduleWarning(sized(0.499))).toMatch(/code is small/)
    expect(moduleWarning(sized(0.501))).toBeUndefined()
  })
})

test('the start position is on the page', () => {
  const plan = planLabels({ sheet: 'l7160' }, ORDINARY)
  for (const start of [1, 21]) expect(() => assertStart(plan, start)).not.toThrow()
  for (const start of [0, 22, 1.5, Number.NaN]) {
    expect(() => assertStart(plan, start)).toThrow('Start position must be between 1 and 21')
  }
})

test('a filled sheet has no empty label on its first page', () => {
  const plan = planLabels({ sheet: 'l7160' }, ORDINARY)
  const count = (start: number, codes: number, isFilled = true) =>
    countLabels(plan, { start, count: codes, isFilled })
  expect([count(1, 1), count(21, 1), count(20, 1), count(20, 5)]).toEqual([21, 1, 2, 5])
  expect(count(1, 1, false)).toBe(1)
})
