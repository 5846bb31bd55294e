import type { ActionDeps } from '#actions/deps.ts'
import type { Config } from '#config.ts'
import { resolveAccountBrand } from '#db/brands/resolve-brand.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { ResolvedBrand } from '#domain/brands/brand.ts'
import { type Holder, shareBehind } from '#domain/people/share.ts'
import { qrPng } from '#formats/qr-image.ts'

/** Pixels per module of the image in a view. */
const IMAGE_SIZE = 10

/** The base of scan URLs. */
export type ScanAddress = Pick<Config, 'publicUrl'>

/** Returns the brand of an account's codes, and the base URL of the codes: its own, or the installation's. */
export async function resolveBrandOf(
  { db, config, clock }: Pick<ActionDeps, 'db' | 'config' | 'clock'>,
  accountId: string,
): Promise<ResolvedBrand & ScanAddress> {
  const branding = await resolveAccountBrand(db, accountId, clock())
  return { ...branding, publicUrl: branding.address ?? config.publicUrl }
}

/** Returns the base of the URL of each code that an account sees: a shared one has its owner's. */
export async function resolveAddresses(
  deps: Pick<ActionDeps, 'db' | 'config' | 'clock'>,
  viewer: Holder,
): Promise<(code: Parameters<typeof shareBehind>[1]) => ScanAddress> {
  const own = await resolveBrandOf(deps, viewer.id)
  return (code) => {
    const share = shareBehind(viewer, code)
    return share ? { publicUrl: share.address ?? deps.config.publicUrl } : own
  }
}

/** Returns the URL in a code's image, which opens the finder's page. */
export function scanUrl({ publicUrl }: ScanAddress, qrId: string): string {
  return `${publicUrl}/scan/${qrId}`
}

/** Returns a code as its accounts see it, with its QR picture as a PNG in Base64. */
export function toQrView<Code extends OwnQrCode>(address: ScanAddress, code: Code) {
  return { ...code, qr_image: qrPng(scanUrl(address, code.qr_id), IMAGE_SIZE).toString('base64') }
}

/** Returns several codes as `toQrView`. */
export function toQrViews<Code extends OwnQrCode>(
  addressOf: (code: Code) => ScanAddress,
  codes: Code[],
) {
  return codes.map((code) => toQrView(addressOf(code), code))
}
