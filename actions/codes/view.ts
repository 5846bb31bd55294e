import type { ActionDeps } from '#actions/deps.ts'
import type { Config } from '#config.ts'
import { findWorn } from '#db/brands/worn.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Worn } from '#domain/brands/brand.ts'
import { qrPng } from '#formats/qr-image.ts'

/** Pixels per module of the image in a view. */
const IMAGE_SIZE = 10

/** What scan URLs begin with. */
export type ScanAddress = Pick<Config, 'publicUrl'>

/** What an account's codes wear, and the address that their URLs begin with: its own, or the installation's. */
export async function wornBy(
  { db, config, clock }: Pick<ActionDeps, 'db' | 'config' | 'clock'>,
  accountId: string,
): Promise<Worn & ScanAddress> {
  const worn = await findWorn(db, accountId, clock())
  return { ...worn, publicUrl: worn.address ?? config.publicUrl }
}

/** The URL in a code's image, which opens the finder's page. */
export function scanUrl({ publicUrl }: ScanAddress, qrId: string): string {
  return `${publicUrl}/scan/${qrId}`
}

export function toQrView<Code extends OwnQrCode>(address: ScanAddress, code: Code) {
  return { ...code, qr_image: qrPng(scanUrl(address, code.qr_id), IMAGE_SIZE).toString('base64') }
}

export function toQrViews<Code extends OwnQrCode>(address: ScanAddress, codes: Code[]) {
  return codes.map((code) => toQrView(address, code))
}
