import { z } from '@hono/zod-openapi'
import { printLabels } from '#actions/codes/labels.ts'
import type { RequestedCodes } from '#actions/codes/selection.ts'
import { packCodes } from '#actions/codes/zip.ts'
import { SHEET_IDS } from '#domain/codes/label-sheets.ts'
import { LABEL_SIZE_MAX, LABEL_SIZE_MIN } from '#domain/codes/labels.ts'
import { toNumber } from '#domain/number.ts'
import { WHOSE, type Whose } from '#domain/people/share.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { choice, mustBe, text } from '#routes/_http/schema.ts'

/** Selects own codes, or shared ones. */
export const whoseField = choice(Object.keys(WHOSE) as Whose[], 'shared').openapi({
  description: 'mine: without those that others share with you; shared: only those',
})

/** Selects the codes of a file. An empty selection is refused. */
export const selectionQuery = {
  ids: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .openapi({
      description: 'ids of codes, comma-separated or repeated; labels are in this order',
    }),
  search: text('search').openapi({
    type: 'string',
    description: 'codes that match a search of the list, newest first',
  }),
  company_fleet_name: text('company_fleet_name').openapi({
    type: 'string',
    description: 'codes of a company or fleet',
  }),
  created_at: text('created_at').openapi({
    type: 'string',
    description: 'codes made at this instant, as those of one import are',
  }),
  shared: whoseField,
  all: z
    .enum(['1'], { error: mustBe('all', '1') })
    .optional()
    .openapi({ description: 'every code' }),
}

const wrongSize = mustBe('Size', `between ${LABEL_SIZE_MIN} and ${LABEL_SIZE_MAX} mm`)

/** Selects the codes to print, the sheet and the size. */
export const labelsQuery = z.object({
  ...selectionQuery,
  sheet: z
    .string()
    .default('a4')
    .transform((id) => id.toLowerCase())
    .pipe(z.enum(SHEET_IDS, { error: mustBe('Sheet', `one of ${SHEET_IDS.join(', ')}`) }))
    .openapi({
      type: 'string',
      enum: [...SHEET_IDS],
      default: 'a4',
      description: 'plain paper to cut by hand, labels of Avery, or the roll of a label printer',
    }),
  size: z
    .string()
    .transform((digits) => (digits === '' ? undefined : toNumber(digits)))
    .pipe(z.int(wrongSize).min(LABEL_SIZE_MIN, wrongSize).max(LABEL_SIZE_MAX, wrongSize).optional())
    .optional()
    .openapi({
      type: 'integer',
      description:
        'millimetres of the code without its quiet zone; by default 25 on plain paper, else the largest that fits',
    }),
  start: z
    .string()
    .default('1')
    .transform(toNumber)
    .openapi({ type: 'integer', default: 1, description: 'the first label to print on' }),
  outline: z
    .enum(['1'], { error: mustBe('outline', '1') })
    .optional()
    .openapi({ description: 'draws the edges of bought labels, for a test on plain paper' }),
  fill: z
    .enum(['1'], { error: mustBe('fill', '1') })
    .optional()
    .openapi({ description: 'repeats the codes until the first page is full' }),
})

/** Sends the labels of the selected codes. */
export async function sendLabels(
  c: AppContext,
  query: z.output<typeof labelsQuery>,
): Promise<Response> {
  const wanted = { ...query, isSent: c.req.method !== 'HEAD' }
  const { name, content, warning } = await printLabels(c.var.deps, requireAccount(c), wanted)
  if (warning) c.header('Label-Warning', warning)
  return sendFile(c, content, { name, type: 'application/pdf' })
}

/** Sends the images of the selected codes. */
export async function sendZip(
  c: AppContext,
  selection: RequestedCodes,
  size?: number,
): Promise<Response> {
  const packing = { size, isSent: c.req.method !== 'HEAD' }
  const { name, content } = await packCodes(c.var.deps, requireAccount(c), selection, packing)
  return sendFile(c, content, { name, type: 'application/zip' })
}
