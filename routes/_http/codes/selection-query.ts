import { z } from '@hono/zod-openapi'
import { text } from '#routes/_http/schema.ts'

/** The codes of a file. An empty selection is refused. */
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
  all: z.enum(['1'], { error: 'all must be 1' }).optional().openapi({ description: 'every code' }),
}
