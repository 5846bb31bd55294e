import { setImmediate } from 'node:timers/promises'
import type { OwnQrCode } from '#db/qr-codes.ts'
import type { AppContext } from '#routes/_deps.ts'
import { qrPng } from '#storage/qr-image.ts'

/** Pixels per module of the picture that goes along with a code. */
const IMAGE_SIZE = 10
const AT_ONCE = 50

/** What a code's picture says: the page that a finder opens. */
export function scanUrl(c: AppContext, qrId: string): string {
  return `${c.var.deps.config.publicUrl}/scan/${qrId}`
}

export function toQrView(c: AppContext, code: OwnQrCode) {
  return { ...code, qr_image: qrPng(scanUrl(c, code.qr_id), IMAGE_SIZE).toString('base64') }
}

/** Pictures keep the thread busy: between some of them other requests get their turn. */
export async function toQrViews(c: AppContext, codes: OwnQrCode[]) {
  const views: ReturnType<typeof toQrView>[] = []
  for (const code of codes) {
    views.push(toQrView(c, code))
    if (views.length % AT_ONCE === 0) await setImmediate()
  }
  return views
}
