import { drawCodeImage } from '#actions/codes/image.ts'
import { toNumber } from '#domain/number.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** Sends the image of a code as a file, for a link without script. */
export async function answerQrImage(c: AppContext): Promise<Response> {
  const { format, size = 10, frame } = c.req.query()
  const { filename, content } = await drawCodeImage(
    loggedDeps(c),
    requireAccount(c),
    c.req.param('qr_id') ?? '',
    {
      format: format === 'svg' ? 'svg' : 'png',
      size: toNumber(size),
      hasFrame: frame === '1',
      isSent: c.req.method !== 'HEAD',
    },
  )
  c.header('Content-Disposition', `attachment; filename="${filename}"`)
  c.header('Content-Type', typeof content === 'string' ? 'image/svg+xml' : 'image/png')
  return typeof content === 'string' ? c.body(content) : c.body(new Uint8Array(content))
}
