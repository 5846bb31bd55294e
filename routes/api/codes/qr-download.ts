import { z } from '@hono/zod-openapi'
import { drawCodeImage } from '#actions/codes/image.ts'
import { toNumber } from '#domain/number.ts'
import { loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter, mustBe, oneOf } from '#routes/_http/schema.ts'
import { ownerCalls } from '#routes/api/_call.ts'
import { answer } from '#routes/api/_payloads.ts'

const call = ownerCalls('QR codes')

const query = z.object({
  format: oneOf(['png', 'svg'], 'Format').default('png'),
  size: z.string().default('10').transform(toNumber).openapi({
    type: 'integer',
    minimum: 1,
    maximum: 40,
    default: 10,
    description: 'pixels per module',
  }),
  frame: z
    .enum(['1'], { error: mustBe('frame', '1') })
    .optional()
    .openapi({ description: 'draws it on the colour of your brand, with your logo' }),
})

const filename = z.string()
const picture = z.union([
  z.object({ filename, svg_content: z.string() }),
  z.object({ filename, image_data: z.string().openapi({ description: 'a PNG in base64' }) }),
])

const download = call('downloadQrCode', 'Get the image of a code', {
  get: '/{qr_id}/download',
  query,
  200: answer('The image', picture),
})

export const qrDownload = apiRouter().openapi(download, async (c) => {
  const { format, size, frame } = c.req.valid('query')
  const wanted = { format, size, hasFrame: frame === '1', isSent: c.req.method !== 'HEAD' }
  const { filename, content } = await drawCodeImage(
    loggedDeps(c),
    requireAccount(c),
    c.req.valid('param').qr_id,
    wanted,
  )
  return typeof content === 'string'
    ? c.json({ filename, svg_content: content }, 200)
    : c.json({ filename, image_data: content.toString('base64') }, 200)
})
