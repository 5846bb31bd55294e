import { createMiddleware } from 'hono/factory'
import { noteOwnScan } from '#db/codes/first-steps.ts'
import { type PinTry, tryPin } from '#db/codes/pins.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { messageTextIn } from '#domain/admin/admin-message.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { countsAsScan, deviceKind, isOwnCode, isReturn, referrerKind } from '#domain/scans/scan.ts'
import type { ScanPopup } from '#domain/scans/scan-view.ts'
import {
  applyBrand,
  findCode,
  type PageBranding,
  resolveBranding,
} from '#routes/_http/brands/page-brand.ts'
import { clientNetwork, clientNetworks } from '#routes/_http/client-address.ts'
import { type AppContext, type AppEnv, type FinderContext, varOf } from '#routes/_http/context.ts'
import { READING_METHODS } from '#routes/_http/every-answer.ts'
import { wordsOf } from '#routes/_http/language.ts'
import { checkTry, countTry, type Limited, limit, uncountTry } from '#routes/_http/rate-limits.ts'

/** A code, with the brand and the texts of its page. */
type Scan = PageBranding & { code: ScannedCode | undefined }

/** Returns the active code whose present id is in the path. */
export async function resolveCurrentScan(c: FinderContext): Promise<Scan> {
  const qrId = parseQrId(c.req.param('qr_id') ?? '')
  return toServedScan(c, qrId ? await varOf(c, 'deps').scanPath.find(qrId) : undefined)
}

/** Returns the active code whose present or replaced id is in the path. */
export async function resolveScan(c: FinderContext): Promise<Scan> {
  return toServedScan(c, await findCode(c, parseQrId(c.req.param('qr_id') ?? '')))
}

/** Returns the present id of a code that was found by its present or a replaced id. */
export function currentId({ qr_id, replaced_by }: ScannedCode): string {
  return replaced_by ?? qr_id
}

/** Drops codes that are inactive or that the domain does not serve. */
async function toServedScan(c: FinderContext, code: ScannedCode | undefined): Promise<Scan> {
  const { isHere, ...page } = await resolveBranding(c, code)
  return { ...page, code: isHere && code?.is_active ? code : undefined }
}

/**
 * Records a scan, if the request counts as one, and resolves when it is on the disk. A failure is
 * only logged, so that the finder still gets the page.
 */
export async function recordScan(c: FinderContext, code: ScannedCode): Promise<void> {
  const { config, log, metrics, scanPath, scanCounter } = varOf(c, 'deps')
  const { method } = c.req
  if (isOwnCode(code, varOf(c, 'account')?.id)) return
  if (!countsAsScan({ method, headers: c.req.raw.headers })) return
  if (isRepeatedView(c)) return
  const qr_id = currentId(code)
  const scan = {
    qr_id,
    replaced_id: code.replaced_by && code.qr_id,
    device: deviceKind(c.req.header('User-Agent')),
    referrer: referrerKind(c.req.header('Referer'), config.publicUrl),
  }
  try {
    await scanPath.record(scan)
    if (code.alerts_of_scans) scanCounter.note({ qr_id, lost_since: code.lost_since })
  } catch (err) {
    metrics.noteUncounted()
    log.error({ requestId: varOf(c, 'requestId'), err }, 'scan not counted')
  }
}

/** Notes that the signed-in user of a code has scanned it, which is how a new tag is tried. It is no scan of a finder. */
export async function noteOwnView(c: FinderContext, code: ScannedCode): Promise<void> {
  const { method } = c.req
  if (code.own_scan_at || !countsAsScan({ method, headers: c.req.raw.headers })) return
  // The whole application answers the signed-in.
  const { db, clock } = (c as AppContext).var.deps
  await noteOwnScan(db, currentId(code), clock())
}

/** Returns whether a finder reloads the page or has chosen another language, so that it is not a new scan. */
export function isRepeatedView(c: FinderContext): boolean {
  if (choosesLanguage(c)) return true
  return Boolean(c.req.query('seen')) && isReturn(c.req.raw.headers)
}

/** Returns whether a finder on the page chooses another language, or opens the menu of languages. */
export function choosesLanguage(c: FinderContext): boolean {
  return c.req.query('lang') !== undefined && isReturn(c.req.raw.headers)
}

/**
 * Tries the PIN of a code. `tryPin` locks it for 15 minutes. The limits of a day are counted here: strangers who use
 * up the first one leave three tries to everybody else.
 */
export async function tryScanPin(c: AppContext, qrId: string, pin: string): Promise<PinTry> {
  const { db, secretKey, clock } = c.var.deps
  const ofCode: Limited = ['pin-day', qrId]
  const ofNetwork: Limited = ['pin-network', `${qrId} ${clientNetwork(c).name}`]
  const counted = checkTry(c, ofCode) ? ofNetwork : ofCode
  const busy = checkTry(c, counted)
  if (busy) return { outcome: 'locked', retryAfter: busy.retryAfter }
  const networks = clientNetworks(c)
  // Counted before, because of many guesses at once one may be right.
  countTry(c, counted)
  let isWrong = false
  try {
    const tried = await tryPin(db, qrId, pin, { secretKey, networks, now: clock() })
    isWrong = tried.outcome === 'incorrect'
    return tried
  } finally {
    if (!isWrong) uncountTry(c, counted)
  }
}

/** Returns the images and messages that finders see before the contact page. */
export async function listPopup(c: FinderContext, code: ScannedCode): Promise<ScanPopup> {
  const { images, messages } = await varOf(c, 'deps').scanPath.listPopup(code)
  const withUrls = images.map(({ stored_name, ...image }) => ({
    ...image,
    url: `/api/files/${stored_name}`,
  }))
  const { lang } = wordsOf(c)
  const inTheirLanguage = messages.map((message) => ({
    id: message.id,
    ...messageTextIn(message, lang),
  }))
  return { images: withUrls, messages: inTheirLanguage }
}

/** Clears the cached popups after a request that may have changed a message, an image or an owner. */
export const forgetPopups = createMiddleware<AppEnv>(async function forgetPopups(c, next) {
  await next()
  if (!READING_METHODS.includes(c.req.method)) c.var.deps.scanPath.forgetPopups()
})

/** Opens the page of the code in the query, also an inactive one: applies its brand. Throws too_many. */
export async function openNamedCode(c: FinderContext): Promise<ScannedCode | undefined> {
  limit(c, 'scan')
  const qrId = parseQrId(c.req.query('qr') ?? '')
  const found = qrId ? await c.var.deps.scanPath.find(qrId) : undefined
  const code = (await applyBrand(c, found)) ? found : undefined
  if (!code) limit(c, 'unknown')
  return code
}
