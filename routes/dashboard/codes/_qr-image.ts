import { drawCodeImage } from '#routes/_http/codes/code-image.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** A code's picture as a file, for a link that no script takes over. */
export async function answerQrImage(c: AppContext): Promise<Response> {
  const { format, size = 10, frame } = c.req.query()
  const { filename, content } = await drawCodeImage(c, c.req.param('qr_id') ?? '', {
    format: format === 'svg' ? 'svg' : 'png',
    size: Number(size),
    hasFrame: frame === '1',
  })
  c.header('Content-Disposition', `attachment; filename="${filename}"`)
  c.header('Content-Type', typeof content === 'string' ? 'image/svg+xml' : 'image/png')
  return typeof content === 'string' ? c.body(content) : c.body(new Uint8Array(content))
}
