import type { Config } from '#config.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { qrPng } from '#storage/qr-image.ts'

/** Pixels per module of the image in a view. */
const IMAGE_SIZE = 10

/** The setting that scan URLs are built from. */
export type ScanAddress = Pick<Config, 'publicUrl'>

/** The URL in a code's image, which opens the finder's page. */
export function scanUrl({ publicUrl }: ScanAddress, qrId: string): string {
  return `${publicUrl}/scan/${qrId}`
}

export function toQrView(address: ScanAddress, code: OwnQrCode) {
  return { ...code, qr_image: qrPng(scanUrl(address, code.qr_id), IMAGE_SIZE).toString('base64') }
}

export function toQrViews(address: ScanAddress, codes: OwnQrCode[]) {
  return codes.map((code) => toQrView(address, code))
}
