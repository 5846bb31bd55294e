import { z } from '@hono/zod-openapi'
import { labelsQuery, sendLabels } from '#routes/_http/codes/files.ts'
import { fileAnswer } from '#routes/_http/downloads.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'

const call = ownerCalls('QR codes')

const print = call('printLabels', 'Print labels', {
  get: '/labels.pdf',
  query: labelsQuery,
  200: {
    ...fileAnswer('A4 sheets, to print at 100 %', 'application/pdf'),
    headers: z.object({
      'Label-Warning': z.string().optional().openapi({ description: 'when the code is small' }),
    }),
  },
  problems: [404],
})

export const qrLabels = apiRouter().openapi(print, (c) => sendLabels(c, c.req.valid('query')))
