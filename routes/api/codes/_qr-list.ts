import type { TypedResponse } from 'hono'
import { resolveAddresses, type ScanAddress, toQrViews } from '#actions/codes/view.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { turnToDraw } from '#formats/turn-to-draw.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { begin } from '#routes/api/_pieces.ts'

const AT_ONCE = 10

type Pages = Iterable<OwnQrCode[]> | AsyncIterable<OwnQrCode[]>

/**
 * Streams a list of any length as JSON. The returned type is that of the list, because a stream has
 * none.
 */
export async function answerQrList(c: AppContext, pages: Pages) {
  const addressOf = await resolveAddresses(c.var.deps, requireAccount(c))
  const answer: unknown = await streamJson(c, listJson(addressOf, pages), 200)
  return answer as TypedResponse<ReturnType<typeof toQrViews>, 200, 'json'>
}

/** Streams codes that were made, in `qr_codes` after the other fields. */
export async function answerMadeCodes<About extends object>(
  c: AppContext,
  about: About,
  codes: OwnQrCode[],
) {
  const addressOf = await resolveAddresses(c.var.deps, requireAccount(c))
  const answer: unknown = await streamJson(c, objectJson(about, listJson(addressOf, [codes])), 201)
  return answer as TypedResponse<About & { qr_codes: ReturnType<typeof toQrViews> }, 201, 'json'>
}

async function streamJson(c: AppContext, pieces: AsyncIterable<Uint8Array>, status: 200 | 201) {
  const body = await begin(pieces)
  c.header('Content-Type', 'application/json')
  return c.body(body, status)
}

async function* objectJson(
  about: object,
  list: AsyncIterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  yield encoder.encode(`${JSON.stringify(about).slice(0, -1)},"qr_codes":`)
  yield* list
  yield encoder.encode('}')
}

async function* listJson(
  addressOf: (code: OwnQrCode) => ScanAddress,
  pages: Pages,
): AsyncGenerator<Uint8Array> {
  const encoder = new TextEncoder()
  let before = '['
  for await (const codes of pages) {
    for (let start = 0; start < codes.length; start += AT_ONCE) {
      await turnToDraw()
      const views = toQrViews(addressOf, codes.slice(start, start + AT_ONCE))
      yield encoder.encode(before + JSON.stringify(views).slice(1, -1))
      before = ','
    }
  }
  yield encoder.encode(before === '[' ? '[]' : ']')
}
