import { z } from '@hono/zod-openapi'
import { eachCode, type ListedCode, listCodes } from '#db/codes/listed-codes.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { linkPages, pagedAnswer, pageQuery } from '#routes/api/_paging.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'
import { isPage, sendArray } from '#routes/api/admin/_lists.ts'

const nullable = z.string().nullable()
const listedCode = z
  .object({
    id: z.string(),
    qr_id: z.string(),
    owner_name: nullable,
    contact_phone: nullable,
    vehicle_registration: nullable,
    created_at: z.iso.datetime(),
    is_active: z.boolean(),
  })
  .openapi('AdminQrCode')

const page = z.object({ qr_codes: z.array(listedCode), total_count: z.int() })

const list = adminCall('listAllQrCodes', 'List or search all codes', {
  get: '/',
  query: pageQuery,
  200: pagedAnswer(
    'Every code, newest first: all of them, or a page',
    z.union([z.array(listedCode), page]),
  ),
})

export const adminQrCodes = apiRouter().openapi(list, async (c) => {
  const { db } = c.var.deps
  const query = c.req.valid('query')
  if (!isPage(query)) return sendArray(c, eachView(eachCode(db, query)))
  const { qr_codes, total_count } = await listCodes(db, query)
  linkPages(c, query, total_count)
  return c.json({ qr_codes: qr_codes.map(toView), total_count }, 200)
})

async function* eachView(pages: AsyncIterable<ListedCode[]>) {
  for await (const codes of pages) yield codes.map(toView)
}

function toView(code: ListedCode): z.output<typeof listedCode> {
  const { id, qr_id, owner_name, contact_phone, vehicle_registration, created_at, is_active } = code
  return { id, qr_id, owner_name, contact_phone, vehicle_registration, created_at, is_active }
}
