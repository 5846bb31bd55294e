import { scanUrl } from '#actions/codes/view.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { assertQrSize, qrPng, qrSvg } from '#storage/qr-image.ts'

/** A code's picture as a file, for a link that no script takes over. */
export async function answerQrImage(c: AppContext): Promise<Response> {
  const size = Number(c.req.query('size') ?? 10)
  assertQrSize(size)
  const qrId = requireQrId(c.req.param('qr_id') ?? '')
  const { qr_id } = await getOwnQrCode(c.var.deps.db, requireAccount(c), qrId)
  const svg = c.req.query('format') === 'svg'
  const filename = `DriveQR-${formatQrId(qr_id)}.${svg ? 'svg' : 'png'}`
  c.header('Content-Disposition', `attachment; filename="${filename}"`)
  c.header('Content-Type', svg ? 'image/svg+xml' : 'image/png')
  const url = scanUrl(c.var.deps.config, qr_id)
  return svg ? c.body(qrSvg(url, size)) : c.body(new Uint8Array(qrPng(url, size)))
}
