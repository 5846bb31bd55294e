import { getCookie, setCookie } from 'hono/cookie'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { hashToken } from '#db/secrets.ts'
import { countsAsScan } from '#domain/scans/scan.ts'
import type { FinderContext } from '#routes/_http/context.ts'
import { choosesLanguage } from '#routes/_http/scans/scans.ts'

const OFFER = 'claimed'
/** Long enough to get from the claim to the code's page. */
const OFFER_SECONDS = 300
/** The suffix of the cookie after the page has shown the offer. */
const SHOWN = '.shown'

export function takePath(token: string): string {
  return `/take/${token}`
}

/** Shows the link to take the code on the code's page, only in the browser that claimed it. */
export function offerTake(c: FinderContext, qrId: string, offer: string): void {
  const { publicUrl } = c.var.deps.config
  setCookie(c, OFFER, offer, {
    path: `/scan/${qrId}`,
    httpOnly: true,
    secure: publicUrl.startsWith('https:'),
    sameSite: 'Lax',
    maxAge: OFFER_SECONDS,
  })
}

/**
 * Returns the path to take the code into an account. The claimer sees it once, and in each language that
 * they choose in the next minutes.
 */
export function readTakeOffer(
  c: FinderContext,
  { qr_id, take_token_hash, claimed_at }: ScannedCode,
): string | undefined {
  if (!claimed_at || !c.req.header('Cookie')) return undefined
  const kept = getCookie(c, OFFER)
  const token = kept?.replace(SHOWN, '')
  if (!token || hashToken(token) !== take_token_hash) return undefined
  if (!countsAsScan({ method: c.req.method, headers: c.req.raw.headers })) return undefined
  if (kept === token) offerTake(c, qr_id, token + SHOWN)
  else if (!choosesLanguage(c)) return undefined
  return takePath(token)
}
