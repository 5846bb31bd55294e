import {
  type LabelPlan,
  type ModuleCounts,
  planCut,
  planRoll,
  planStock,
  planTorn,
} from '#domain/codes/label-look.ts'
import { isPlain, isRoll, labelsPerPage, type SheetId } from '#domain/codes/label-sheets.ts'
import { DomainError } from '#domain/error.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The sizes that the form offers: one for a key ring, two for a windscreen. */
export const LABEL_SIZES = [25, 50, 70] as const
export const LABEL_SIZE_MIN = 10
export const LABEL_SIZE_MAX = 150
/** The most codes in one file. */
export const LABELS_MAX = 10_000

/** The module size that phones resolve at hand distance, and the one that poor cameras need. */
const MODULE_MIN = 0.4
const MODULE_GOOD = 0.5

/** `size` is the side of the code without its quiet zone. */
export type LabelChoice = {
  sheet: SheetId
  size?: number | undefined
  /** with a half to tear off, on plain paper alone */
  hasStub?: boolean
}

/**
 * Returns the layout of a label. Without a size, the code has key-ring size on plain paper and the
 * largest size that fits on stock and rolls. Throws invalid when the code does not fit or its modules are too
 * small for phones.
 */
export function planLabels(choice: LabelChoice, modules: ModuleCounts): LabelPlan {
  const plan = planSheet(choice, modules)
  if (plan.module < MODULE_MIN) {
    throw new DomainError({
      code: 'invalid.label_module',
      values: { module: roundDown(plan.module), least: MODULE_MIN.toFixed(2) },
    })
  }
  return plan
}

function planSheet({ sheet, size, hasStub }: LabelChoice, modules: ModuleCounts): LabelPlan {
  if (isRoll(sheet)) return planRoll(sheet, size, modules)
  if (!isPlain(sheet)) return planStock(sheet, size, modules)
  return (hasStub ? planTorn : planCut)(sheet, size ?? LABEL_SIZES[0], modules)
}

/** Returns the warning about a code that some phones will not read. */
export function moduleWarning({ module }: LabelPlan): string | undefined {
  if (module >= MODULE_GOOD) return undefined
  return 'The code is small. Print one label and scan it before you print them all.'
}

/** Returns a refusal unless the first label to print on, counted from 1, is on the page. */
export function startProblem({ grid }: LabelPlan, start: number): Refusal | undefined {
  const last = labelsPerPage(grid)
  if (Number.isInteger(start) && start >= 1 && start <= last) return undefined
  return { code: 'invalid.label_start', values: { last } }
}

/** Throws invalid unless the first label is on the page. */
export function assertStart(plan: LabelPlan, start: number): void {
  const problem = startProblem(plan, start)
  if (problem) throw new DomainError(problem)
}

/** Returns how many labels are printed: those of the codes, or at least those of a first page that is filled. */
export function countLabels({ grid }: LabelPlan, { start, count, isFilled }: LabelCount): number {
  return isFilled ? Math.max(count, labelsPerPage(grid) - start + 1) : count
}

/** `start` is the first label to print on, counted from 1; `count` the number of codes. */
export type LabelCount = { start: number; count: number; isFilled: boolean }

function roundDown(length: number): string {
  return (Math.floor(length * 100) / 100).toFixed(2)
}
