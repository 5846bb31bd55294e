import { z } from '@hono/zod-openapi'
import { text } from '#routes/_http/schema.ts'

/** Which codes a file is about; the last word of a selection that says nothing is a refusal. */
export const selectionQuery = {
  ids: z
    .union([z.string(), z.array(z.string())])
    .optional()
    .openapi({
      description: 'ids of codes, separated by commas or each by itself; labels follow their order',
    }),
  search: text('search').openapi({
    type: 'string',
    description: 'codes that the list would find, newest first',
  }),
  all: z.enum(['1'], { error: 'all must be 1' }).optional().openapi({ description: 'every code' }),
}
