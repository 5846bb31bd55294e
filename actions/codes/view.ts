import { ReadableStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import type { TypedResponse } from 'hono'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { qrPng } from '#storage/qr-image.ts'

/** Pixels per module of the picture that goes along with a code. */
const IMAGE_SIZE = 10
const AT_ONCE = 10

/** What a code's picture says: the page that a finder opens. */
export function scanUrl(c: AppContext, qrId: string): string {
  return `${c.var.deps.config.publicUrl}/scan/${qrId}`
}

export function toQrView(c: AppContext, code: OwnQrCode) {
  return { ...code, qr_image: qrPng(scanUrl(c, code.qr_id), IMAGE_SIZE).toString('base64') }
}

export function toQrViews(c: AppContext, codes: OwnQrCode[]) {
  return codes.map((code) => toQrView(c, code))
}

/**
 * Answers with a list of any length, made while it is taken. Its type is the list's: text that is
 * streamed has none.
 */
export function answerQrList(c: AppContext, codes: OwnQrCode[]) {
  c.header('Content-Type', 'application/json')
  const answer: unknown = c.body(
    ReadableStream.from(listJson(c, codes)) as globalThis.ReadableStream,
  )
  return answer as TypedResponse<ReturnType<typeof toQrViews>, 200, 'json'>
}

/** Pictures keep the thread busy: between some of them other requests get their turn. */
async function* listJson(c: AppContext, codes: OwnQrCode[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('[')
  for (let start = 0; start < codes.length; start += AT_ONCE) {
    const json = JSON.stringify(toQrViews(c, codes.slice(start, start + AT_ONCE))).slice(1, -1)
    yield encoder.encode(start > 0 ? `,${json}` : json)
    await setImmediate()
  }
  yield encoder.encode(']')
}
