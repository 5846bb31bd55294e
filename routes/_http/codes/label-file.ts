import { z } from '@hono/zod-openapi'
import { notePrinted, readLogo } from '#actions/brands/brands.ts'
import { moduleCounts } from '#actions/codes/labels.ts'
import { readSelection } from '#actions/codes/selection.ts'
import { resolveBrandOf } from '#actions/codes/view.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { SHEET_IDS, sheetName } from '#domain/codes/label-sheets.ts'
import {
  assertStart,
  LABEL_SIZE_MAX,
  LABEL_SIZE_MIN,
  moduleWarning,
  planLabels,
} from '#domain/codes/labels.ts'
import { drawLabels } from '#formats/label-pdf.ts'
import { selectionQuery } from '#routes/_http/codes/selection-query.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'

const wrongSize = `Size must be between ${LABEL_SIZE_MIN} and ${LABEL_SIZE_MAX} mm`

/** Which codes are printed, on what and how large. */
export const labelsQuery = z.object({
  ...selectionQuery,
  sheet: z
    .string()
    .default('a4')
    .transform((id) => id.toLowerCase())
    .pipe(z.enum(SHEET_IDS, { error: `Sheet must be one of ${SHEET_IDS.join(', ')}` }))
    .openapi({
      type: 'string',
      enum: [...SHEET_IDS],
      default: 'a4',
      description: `labels of Avery, or ${sheetName('a4').toLowerCase()}`,
    }),
  size: z
    .string()
    .transform((digits) => (digits === '' ? undefined : Number(digits)))
    .pipe(z.int(wrongSize).min(LABEL_SIZE_MIN, wrongSize).max(LABEL_SIZE_MAX, wrongSize).optional())
    .optional()
    .openapi({
      type: 'integer',
      description:
        'millimetres of the code without its quiet zone; by default 25 on a4, else the largest that fits',
    }),
  start: z
    .string()
    .default('1')
    .transform(Number)
    .openapi({ type: 'integer', default: 1, description: 'the first label to print on' }),
  outline: z
    .enum(['1'], { error: 'outline must be 1' })
    .optional()
    .openapi({ description: 'draws the edges of bought labels, for a test on plain paper' }),
})

/** Streams the labels of the selected codes. Throws as `readSelection` and `planLabels`. */
export async function answerLabels(
  c: AppContext,
  { sheet, size, start, outline, ...selection }: z.output<typeof labelsQuery>,
): Promise<Response> {
  const { deps } = c.var
  const account = requireAccount(c)
  const branding = await resolveBrandOf(deps, account.id)
  const plan = planLabels({ sheet, size }, moduleCounts(branding))
  assertStart(plan, start)
  const codes = await readSelection(deps, account, selection, branding)
  await notePrinted(deps, branding, codes)
  const warning = moduleWarning(plan)
  if (warning) c.header('Label-Warning', warning)
  const brand = branding.brand && { ...branding.brand, logo: await readLogo(deps, branding.brand) }
  const printing = { plan, brand, start, outline: outline === '1', now: deps.clock() }
  const name = `${prefixOf(branding.brand)}-labels.pdf`
  return sendFile(c, drawLabels(codes, printing), { name, type: 'application/pdf' })
}
