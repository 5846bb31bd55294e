import { z } from '@hono/zod-openapi'
import { getOwnExport, toExportView } from '#actions/accounts/export-view.ts'
import { startExport } from '#actions/accounts/exports.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { fileAnswer } from '#routes/_http/downloads.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer } from '#routes/api/_payloads.ts'
import { accountCall } from '#routes/api/accounts/_account-call.ts'
import { readExport } from '#storage/exports.ts'

const begin = accountCall('beginExport', 'Begin an export of everything about your account', {
  post: '/',
  makes: true,
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
    limit(c, 'export')
    const { id } = await startExport(c.var.deps, requireCaller(c))
    return c.json({ id }, 200)
  })
  .openapi(look, async (c) => {
    const { deps } = c.var
    const found = await getOwnExport(deps, requireAccount(c).id, c.req.valid('param').id)
    return c.json(await toExportView(deps, found), 200)
  })
  .openapi(download, async (c) => sendExport(c, c.req.valid('param').id))

async function sendExport(c: AppContext, id: string): Promise<Response> {
  const { deps } = c.var
  const { status } = await getOwnExport(deps, requireAccount(c).id, id)
  const file = status === 'done' && (await readExport(deps.files, id))
  if (!file) throw new DomainError('not_found.export')
  c.header('Content-Type', 'application/zip')
  c.header('Content-Disposition', 'attachment; filename="export.zip"')
  c.header('Content-Length', String(file.size))
  c.header('Cache-Control', 'private, no-store')
  return c.body(file.content)
}
