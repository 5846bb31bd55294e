import { ReadableStream } from 'node:stream/web'
import { setImmediate } from 'node:timers/promises'
import type { TypedResponse } from 'hono'
import { type ScanAddress, toQrViews } from '#actions/codes/view.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { AppContext } from '#routes/_http/deps.ts'

const AT_ONCE = 10

/**
 * Answers with a list of any length, made while it is taken. Its type is the list's: text that is
 * streamed has none.
 */
export function answerQrList(c: AppContext, codes: OwnQrCode[]) {
  c.header('Content-Type', 'application/json')
  const answer: unknown = c.body(
    ReadableStream.from(listJson(c.var.deps.config, codes)) as globalThis.ReadableStream,
  )
  return answer as TypedResponse<ReturnType<typeof toQrViews>, 200, 'json'>
}

/** Pictures keep the thread busy: between some of them other requests get their turn. */
async function* listJson(address: ScanAddress, codes: OwnQrCode[]): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode('[')
  for (let start = 0; start < codes.length; start += AT_ONCE) {
    const json = JSON.stringify(toQrViews(address, codes.slice(start, start + AT_ONCE))).slice(
      1,
      -1,
    )
    yield encoder.encode(start > 0 ? `,${json}` : json)
    await setImmediate()
  }
  yield encoder.encode(']')
}
