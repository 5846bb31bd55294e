import { z } from '@hono/zod-openapi'
import { actorOf } from '#db/admin/audit-events.ts'
import { countAllCodes, exportCodes } from '#db/codes/qr-export.ts'
import { exportName } from '#domain/csv.ts'
import { fileAnswer, sendFile } from '#routes/_http/downloads.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'

const TYPE = 'text/csv; charset=utf-8'

const exportAll = adminCall('exportQrCodes', 'Download all codes as CSV', {
  get: '/csv',
  200: {
    ...fileAnswer('All codes, oldest first, with a header row', 'text/csv'),
    headers: z.object({ 'X-Total-Count': z.int() }),
  },
})

export const adminQrExport = apiRouter().openapi(exportAll, async (c) => {
  const { db, clock, config } = c.var.deps
  const now = clock()
  const count = await countAllCodes(db)
  const actor = actorOf(requireAdmin(c))
  const csv = exportCodes({ db, actor, count }, now)
  c.header('X-Total-Count', String(count))
  return sendFile(c, encoded(csv), { name: exportName(config.timezone, now), type: TYPE }, 'export')
})

async function* encoded(texts: AsyncIterable<string>): AsyncGenerator<Uint8Array, void> {
  const encoder = new TextEncoder()
  for await (const text of texts) yield encoder.encode(text)
}
