import { z } from '@hono/zod-openapi'
import {
  beginOwnExport,
  getOwnExport,
  sendExport,
  toExportView,
} from '#routes/_http/accounts/exports.ts'
import { fileAnswer } from '#routes/_http/downloads.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer } from '#routes/api/_payloads.ts'
import { accountCall } from '#routes/api/accounts/_account-call.ts'

const begin = accountCall('beginExport', 'Begin an export of everything about your account', {
  post: '/',
  200: answer(
    'It is being made; one that is being made already goes on',
    z.object({ id: z.string() }),
  ),
})

const look = accountCall('getExport', 'See how far an export is', {
  get: '/{id}',
  200: answer(
    'The export, for 24 hours after it is done',
    z
      .object({
        id: z.string(),
        status: z
          .enum(['running', 'done', 'failed'])
          .openapi({ description: 'failed too when its file is no longer there' }),
        progress: z.number().int().openapi({ description: 'in percent' }),
        download_url: z.url().nullable().openapi({ description: 'null until it is done' }),
      })
      .openapi('Export'),
  ),
})

const download = accountCall('downloadExport', 'Download an export', {
  get: '/{id}/file',
  200: fileAnswer('JSON by kind, documents and pictures, a README', 'application/zip'),
})

/** The export of an account. */
export const accountExport = apiRouter()
  .openapi(begin, async (c) => {
    const { id } = await beginOwnExport(c)
    return c.json({ id }, 200)
  })
  .openapi(look, async (c) => {
    return c.json(await toExportView(c, await getOwnExport(c, c.req.valid('param').id)), 200)
  })
  .openapi(download, async (c) => sendExport(c, c.req.valid('param').id))
