import { noteDownloaded, readLogo } from '#actions/brands/brands.ts'
import { resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { OWN_YELLOW } from '#domain/brands/colour.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { accessWith } from '#domain/people/roles.ts'
import { actsFor } from '#domain/people/share.ts'
import { type Frame, framedSvg } from '#formats/qr-frame.ts'
import { assertQrSize, qrPng, qrSvg } from '#formats/qr-image.ts'
import { framedPng } from '#storage/qr-frame.ts'

type Wanted = {
  format: 'png' | 'svg'
  size: number
  hasFrame: boolean
  /** false for a HEAD request, which downloads nothing */
  isSent: boolean
}

/** Draws the picture of one of the viewer's codes and names its file. Throws not_found, forbidden and invalid. */
export async function drawCodeImage(
  deps: ActionDeps,
  viewer: Viewer,
  typedQrId: string,
  { format, size, hasFrame, isSent }: Wanted,
): Promise<{ filename: string; content: string | Buffer }> {
  assertQrSize(size)
  const code = await getOwnQrCode(deps.db, viewer, requireQrId(typedQrId))
  accessWith(code.access, 'download')
  const { qr_id } = code
  const branding = await resolveBrandOf(deps, actsFor(viewer, code))
  if (isSent) await noteDownloaded(deps, branding, [{ qr_id }])
  const filename = `${prefixOf(branding.brand)}-${formatQrId(qr_id)}.${format}`
  const url = scanUrl(branding, qr_id)
  if (!hasFrame) return { filename, content: (format === 'svg' ? qrSvg : qrPng)(url, size) }
  const plain = { name: null, ground: OWN_YELLOW, text: '#000000' } as const
  const frame: Frame = { ...plain, ...branding.brand, logo: await readLogo(deps, branding.brand) }
  const isSvg = format === 'svg'
  const content = isSvg
    ? framedSvg(url, size, frame)
    : await framedPng(deps.files, viewer.id, url, size, frame)
  return { filename, content }
}
