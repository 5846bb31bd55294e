import { noteDownloaded, readLogo } from '#actions/brands/brands.ts'
import { type RequestedCodes, readSelection } from '#actions/codes/selection.ts'
import { type ScanAddress, scanUrl } from '#actions/codes/view.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import type { ModuleCounts } from '#domain/codes/label-look.ts'
import type { SheetId } from '#domain/codes/label-sheets.ts'
import { assertStart, countLabels, moduleWarning, planLabels } from '#domain/codes/labels.ts'
import { drawLabels, type PrintedCode } from '#formats/label-pdf.ts'
import { qrMatrix } from '#formats/qr-image.ts'

const ANY_ID = '000000000000'

/** Returns the module counts of all codes of this installation, whose URLs have the same length. */
export function moduleCounts(address: ScanAddress): ModuleCounts {
  const url = scanUrl(address, ANY_ID)
  const count = (errorCorrection: 'M' | 'Q') => qrMatrix(url, { errorCorrection }).size
  return { M: count('M'), Q: count('Q') }
}

type Labels = RequestedCodes & {
  sheet: SheetId
  size?: number | undefined
  /** the first label to print on */
  start: number
  outline?: '1' | undefined
  /** repeats the codes until the first page is full */
  fill?: '1' | undefined
  /** false for a HEAD request, which downloads nothing */
  isSent: boolean
}

/**
 * Draws the labels of the selected codes, with a warning when the codes are small. Throws the errors of
 * `readSelection` and `planLabels`.
 */
export async function printLabels(
  deps: ActionDeps,
  viewer: Viewer,
  { sheet, size, start, outline, fill, isSent, ...selection }: Labels,
): Promise<{ name: string; content: AsyncIterable<Uint8Array>; warning: string | undefined }> {
  const { codes, branding } = await readSelection(deps, viewer, selection, 'edit')
  const plan = planLabels({ sheet, size }, moduleCounts(branding))
  assertStart(plan, start)
  if (isSent) await noteDownloaded(deps, branding, codes)
  const count = countLabels(plan, { start, count: codes.length, isFilled: fill === '1' })
  const labels = Array.from({ length: count }, (_, n) => codes[n % codes.length] as PrintedCode)
  const brand = branding.brand && { ...branding.brand, logo: await readLogo(deps, branding.brand) }
  const printing = { plan, brand, start, outline: outline === '1', now: deps.clock() }
  return {
    name: `${prefixOf(branding.brand)}-labels.pdf`,
    content: drawLabels(labels, printing),
    warning: moduleWarning(plan),
  }
}
