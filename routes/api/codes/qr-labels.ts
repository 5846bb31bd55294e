import { z } from '@hono/zod-openapi'
import { answerLabels, labelsQuery } from '#routes/_http/codes/label-file.ts'
import { fileAnswer } from '#routes/_http/downloads.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { apiRouter, ownerSecurity, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'

const print = apiCall({
  operationId: 'printLabels',
  summary: 'Print labels',
  subject: 'QR codes',
  method: 'get',
  path: '/labels.pdf',
  middleware: signedIn,
  security: ownerSecurity,
  request: { query: labelsQuery },
  responses: {
    200: {
      ...fileAnswer('A4 sheets, to print at 100 %', 'application/pdf'),
      headers: z.object({
        'Label-Warning': z.string().optional().openapi({ description: 'when the code is small' }),
      }),
    },
    ...problems(400, 404),
  },
})

export const qrLabels = apiRouter().openapi(print, (c) => answerLabels(c, c.req.valid('query')))
