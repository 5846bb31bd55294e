import type { LabelPlan, ModuleCounts } from '#domain/codes/label-look.ts'
import { isPlain, labelsPerPage, SHEET_IDS, type SheetId } from '#domain/codes/label-sheets.ts'
import { LABEL_SIZES, planLabels, startProblem } from '#domain/codes/labels.ts'
import type { DomainError } from '#domain/error.ts'
import { counted, toNumber } from '#domain/number.ts'
import type { Refusal, RefusalCode } from '#locales/refusal.ts'

/** The refusals that a reading of the form can have. */
export const LABEL_REFUSALS = [
  'invalid.label_code_size',
  'invalid.label_module',
  'invalid.label_size',
  'invalid.label_start',
] as const satisfies RefusalCode[]

/** The fields of the form as text. An empty size means the largest that fits; `fill` is `1` or empty. */
export type LabelForm = { sheet: SheetId; size: string; start: string; fill: string }

type Reading = {
  /** missing when no label can be printed with these values */
  plan?: LabelPlan
  start: number
  problem?: { field: 'size' | 'start'; refusal: Refusal }
}

/** Returns the form filled in from a query string. Invalid values get their defaults. */
export function fillLabelForm(query: Record<string, string | undefined>): LabelForm {
  const sheet = SHEET_IDS.find((id) => id === query.sheet) ?? 'a4'
  const size = LABEL_SIZES.find((side) => String(side) === query.size)
  return {
    sheet,
    size: size ? String(size) : sizeFor(sheet),
    start: query.start || '1',
    fill: query.fill === '1' ? '1' : '',
  }
}

/** Returns the initial size. Plain paper needs one. Bought labels default to the largest code that fits. */
export function sizeFor(sheet: SheetId): string {
  return isPlain(sheet) ? String(LABEL_SIZES[0]) : ''
}

export function readLabelForm({ sheet, size, start }: LabelForm, modules: ModuleCounts): Reading {
  const first = toNumber(start)
  try {
    const plan = planLabels({ sheet, size: size ? toNumber(size) : undefined }, modules)
    const refusal = startProblem(plan, first)
    if (!refusal) return { plan, start: first }
    return { plan, start: 1, problem: { field: 'start', refusal } }
  } catch (error) {
    const { refusal } = error as DomainError
    if (!refusal) throw error
    return { start: first, problem: { field: 'size', refusal } }
  }
}

/** Returns a description of the print, for people who cannot see the preview. */
export function labelSummary(
  { grid, square, module }: LabelPlan,
  { start, count }: { start: number; count: number },
): string {
  const perPage = labelsPerPage(grid)
  const pages = Math.ceil((start - 1 + count) / perPage)
  const side = Math.round(square.width - 8 * module)
  return `${counted(pages, 'page')} of ${counted(perPage, 'label')}. The code is ${side} mm wide.`
}
