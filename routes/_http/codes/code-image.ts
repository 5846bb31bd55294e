import { notePrinted, readLogo } from '#actions/brands/brands.ts'
import { resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import { getOwnQrCode } from '#db/codes/qr-codes.ts'
import { prefixOf } from '#domain/brands/brand.ts'
import { OWN_YELLOW } from '#domain/brands/colour.ts'
import { formatQrId, requireQrId } from '#domain/codes/qr-id.ts'
import { type Frame, framedSvg } from '#formats/qr-frame.ts'
import { assertQrSize, qrPng, qrSvg } from '#formats/qr-image.ts'
import { type AppContext, loggedDeps } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { framedPng } from '#storage/qr-frame.ts'

type Wanted = { format: 'png' | 'svg'; size: number; hasFrame: boolean }

/** The picture of one of the caller's codes, and what its file is called. Throws not_found and invalid. */
export async function drawCodeImage(
  c: AppContext,
  typedQrId: string,
  { format, size, hasFrame }: Wanted,
): Promise<{ filename: string; content: string | Buffer }> {
  assertQrSize(size)
  const deps = loggedDeps(c)
  const account = requireAccount(c)
  const { qr_id } = await getOwnQrCode(deps.db, account, requireQrId(typedQrId))
  const branding = await resolveBrandOf(deps, account.id)
  await notePrinted(deps, branding, [{ qr_id }])
  const filename = `${prefixOf(branding.brand)}-${formatQrId(qr_id)}.${format}`
  const url = scanUrl(branding, qr_id)
  if (!hasFrame) return { filename, content: (format === 'svg' ? qrSvg : qrPng)(url, size) }
  const plain = { name: null, ground: OWN_YELLOW, text: '#000000' } as const
  const frame: Frame = { ...plain, ...branding.brand, logo: await readLogo(deps, branding.brand) }
  const isSvg = format === 'svg'
  const content = isSvg
    ? framedSvg(url, size, frame)
    : await framedPng(deps.files, account.id, url, size, frame)
  return { filename, content }
}
