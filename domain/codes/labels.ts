import { type LabelPlan, type ModuleCounts, planCut, planStock } from '#domain/codes/label-look.ts'
import { labelsPerPage, type SheetId } from '#domain/codes/label-sheets.ts'
import { DomainError } from '#domain/error.ts'

/** The sides of codes that a page offers: one for a key ring, two for a windscreen. */
export const LABEL_SIZES = [25, 50, 70] as const
export const LABEL_SIZE_MIN = 10
export const LABEL_SIZE_MAX = 150
/** As many codes as one file holds. */
export const LABELS_MAX = 10_000

/** Phones at hand distance do not resolve less, and poor ones want a little more. */
const MODULE_MIN = 0.4
const MODULE_GOOD = 0.5

/** `size` is the side of the code without its quiet zone. */
export type LabelChoice = { sheet: SheetId; size?: number | undefined }

/**
 * What a label looks like. Without a size the code on plain paper is for a key ring, and on stock
 * as large as the label allows. Throws invalid where the code does not fit, or where its modules
 * would be too small for phones.
 */
export function planLabels({ sheet, size }: LabelChoice, modules: ModuleCounts): LabelPlan {
  const plan =
    sheet === 'a4' ? planCut(size ?? LABEL_SIZES[0], modules) : planStock(sheet, size, modules)
  if (plan.module < MODULE_MIN) {
    throw new DomainError(
      'invalid',
      `The code would be too small: its modules would be ${roundDown(plan.module)} mm, and phones need ${MODULE_MIN.toFixed(2)} mm. Choose a larger size or larger labels.`,
    )
  }
  return plan
}

/** What to say about a code that not every phone will read. */
export function moduleWarning({ module }: LabelPlan): string | undefined {
  if (module >= MODULE_GOOD) return undefined
  return `The code is small: its modules are ${roundDown(module)} mm. Print one label and scan it before you print them all.`
}

/** Throws invalid unless the first label to print on, counted from 1, is on the page. */
export function assertStart({ grid }: LabelPlan, start: number): void {
  const last = labelsPerPage(grid)
  if (Number.isInteger(start) && start >= 1 && start <= last) return
  throw new DomainError('invalid', `Start position must be between 1 and ${last}`)
}

function roundDown(length: number): string {
  return (Math.floor(length * 100) / 100).toFixed(2)
}
