import { z } from '@hono/zod-openapi'
import { scanUrl } from '#actions/codes/view.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { answer, apiRouter, ownerSecurity, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { params } from '#routes/api/codes/_qr-schema.ts'
import { assertQrSize, qrPng, qrSvg } from '#storage/qr-image.ts'

const query = z.object({
  format: z.enum(['png', 'svg'], { error: 'Format must be png or svg' }).default('png'),
  size: z.string().default('10').transform(Number).openapi({
    type: 'integer',
    minimum: 1,
    maximum: 40,
    default: 10,
    description: 'pixels per module',
  }),
})

const filename = z.string()
const picture = z.union([
  z.object({ filename, svg_content: z.string() }),
  z.object({ filename, image_data: z.string().openapi({ description: 'a PNG in base64' }) }),
])

const download = apiCall({
  operationId: 'downloadQrCode',
  summary: 'Get the image of a code',
  subject: 'QR codes',
  method: 'get',
  path: '/{qr_id}/download',
  middleware: signedIn,
  security: ownerSecurity,
  request: { params, query },
  responses: { 200: answer('The image', picture), ...problems(400, 404) },
})

export const qrDownload = apiRouter().openapi(download, async (c) => {
  const { format, size } = c.req.valid('query')
  assertQrSize(size)
  const qrId = requireQrId(c.req.valid('param').qr_id)
  const { qr_id } = await getOwnQrCode(c.var.deps.db, requireAccount(c), qrId)
  const filename = `DriveQR-${formatQrId(qr_id)}.${format}`
  const url = scanUrl(c.var.deps.config, qr_id)
  return format === 'svg'
    ? c.json({ filename, svg_content: qrSvg(url, size) }, 200)
    : c.json({ filename, image_data: qrPng(url, size).toString('base64') }, 200)
})
