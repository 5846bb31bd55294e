import type { Config } from '#config.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { qrPng } from '#storage/qr-image.ts'

/** Pixels per module of the picture that goes along with a code. */
const IMAGE_SIZE = 10

/** What the addresses of codes begin with. */
export type ScanAddress = Pick<Config, 'publicUrl'>

/** What a code's picture says: the page that a finder opens. */
export function scanUrl({ publicUrl }: ScanAddress, qrId: string): string {
  return `${publicUrl}/scan/${qrId}`
}

export function toQrView(address: ScanAddress, code: OwnQrCode) {
  return { ...code, qr_image: qrPng(scanUrl(address, code.qr_id), IMAGE_SIZE).toString('base64') }
}

export function toQrViews(address: ScanAddress, codes: OwnQrCode[]) {
  return codes.map((code) => toQrView(address, code))
}
