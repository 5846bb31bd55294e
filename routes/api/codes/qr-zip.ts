import { z } from '@hono/zod-openapi'
import { notePrinted, prefixOf } from '#actions/brands/brands.ts'
import { readSelection } from '#actions/codes/selection.ts'
import { wornBy } from '#actions/codes/view.ts'
import { fromFlag } from '#db/cast.ts'
import type { SelectedCode } from '#db/codes/qr-selection.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { CSV_BOM, toCsv } from '#domain/csv.ts'
import { fileAnswer, sendFile } from '#routes/_http/downloads.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { apiRouter, ownerSecurity, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { selectionQuery } from '#routes/api/codes/_selection-query.ts'
import { assertQrSize } from '#storage/qr-image.ts'
import { zipCodes } from '#storage/qr-zip.ts'

const query = z.object({
  ...selectionQuery,
  size: z.string().default('10').transform(Number).openapi({
    type: 'integer',
    minimum: 1,
    maximum: 40,
    default: 10,
    description: 'pixels per module of the images',
  }),
})

const pack = apiCall({
  operationId: 'downloadQrCodes',
  summary: 'Get the images of many codes in one file',
  subject: 'QR codes',
  method: 'get',
  path: '/codes.zip',
  middleware: signedIn,
  security: ownerSecurity,
  request: { query },
  responses: {
    200: fileAnswer('A PNG and an SVG of each code, and a list of them', 'application/zip'),
    ...problems(400, 404),
  },
})

export const qrZip = apiRouter().openapi(pack, async (c) => {
  const { size, ...selection } = c.req.valid('query')
  assertQrSize(size)
  const { deps } = c.var
  const account = requireAccount(c)
  const worn = await wornBy(deps, account.id)
  const codes = await readSelection(deps, account, selection, worn)
  await notePrinted(deps, worn, codes)
  const prefix = prefixOf(worn.brand)
  const zip = zipCodes(codes, { list: toList(codes), prefix, size, now: deps.clock() })
  return sendFile(c, zip, { name: `${prefix}-codes.zip`, type: 'application/zip' })
})

const HEADINGS = ['code', 'link', 'name', 'vehicle', 'type', 'active', 'claimed', 'created']

function toList(codes: (SelectedCode & { url: string })[]): string {
  const rows = codes.map((code) => [
    formatQrId(code.qr_id),
    code.url,
    code.owner_name,
    code.vehicle_registration,
    code.qr_type,
    fromFlag(code.is_active),
    fromFlag(code.is_claimed),
    code.created_at,
  ])
  return CSV_BOM + toCsv([HEADINGS, ...rows])
}
