import { Hono } from 'hono'
import { SAMPLE_NOTE, type ScanContact } from '#components/scans/scan-page.tsx'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { pinProblem } from '#domain/codes/qr.ts'
import { DEMO_QR_ID } from '#domain/codes/qr-id.ts'
import { asciiDigits } from '#domain/digits.ts'
import { toPrivateView, toScanView } from '#domain/scans/public-scan.ts'
import { canMessage, isOwnCode, scanState } from '#domain/scans/scan.ts'
import { sampleScan } from '#domain/scans/scan-sample.ts'
import type { ScanUnlock } from '#domain/scans/scan-view.ts'
import { preferredRegion } from '#locales/languages.ts'
import { applyBrand, findDomainOwner, setBranding } from '#routes/_http/brands/page-brand.ts'
import { readTakeOffer } from '#routes/_http/codes/take-offer.ts'
import {
  type AppContext,
  type AppEnv,
  type FinderContext,
  type FinderEnv,
  setVar,
  varOf,
} from '#routes/_http/context.ts'
import { setLocale } from '#routes/_http/language.ts'
import { takeTry } from '#routes/_http/rate-limits.ts'
import {
  isRepeatedView,
  listPopup,
  noteOwnView,
  recordScan,
  resolveScan,
  tryScanPin,
} from '#routes/_http/scans/scans.ts'
import { answerBusy, renderScan } from '#routes/scan/_document.tsx'

type Visit = Pick<ScanContact, 'popup' | 'unlock' | 'keepHref'>

/** The finder's page, which needs only the dependencies that exist before the server listens. */
export const scanPage = new Hono<FinderEnv>().get('/:qr_id', (c) => {
  const preview = c.req.query('preview') === '1'
  return answerScan(c, preview, async (code) => {
    await recordScan(c, code)
    const keepHref = readTakeOffer(c, code)
    // A claimer's next step is to keep the code, not to read what finders read.
    const isRead = keepHref !== undefined || Boolean(c.req.query('seen')) || isRepeatedView(c)
    const popup = isRead ? undefined : await listPopup(c, code)
    const hasPopup = popup && popup.images.length + popup.messages.length > 0
    return { ...(hasPopup && { popup }), keepHref }
  })
})

export const scan = new Hono<AppEnv>().route('/', scanPage)

/** The PIN form. Only the page links to it, so an owner who tries it is in a preview. */
scan.post('/:qr_id', (c) => {
  return answerScan(c, true, async (code) => ({ unlock: await unlock(c, code) }))
})

async function answerScan(
  c: FinderContext,
  preview: boolean,
  visit: (code: ScannedCode) => Promise<Visit>,
): Promise<Response> {
  await setLocale(c)
  const busy = takeTry(c, 'scan')
  if (busy) {
    setVar(c, 'domainOwner', await findDomainOwner(c))
    return answerBusy(c, busy)
  }
  const isSample = c.req.param('qr_id')?.toUpperCase() === DEMO_QR_ID
  // The product's sample, which an owner's domain does not serve.
  if (isSample && (await applyBrand(c, undefined))) {
    return renderScan(c, { state: 'contact', view: sampleScan(`#${SAMPLE_NOTE}`), sample: true })
  }
  const { code, words, ...branding } = await resolveScan(c)
  setBranding(c, branding)
  const accountId = varOf(c, 'account')?.id
  const state = scanState(code, { accountId, preview })
  if (!code || state === 'not_found') return answerUnknown(c)
  if (state === 'owner') await noteOwnView(c, code)
  if (state === 'owner' || state === 'waiting') return renderScan(c, { state })
  if (state === 'replaced') {
    await recordScan(c, code)
    return renderScan(c, { state, qr_id: code.qr_id, canMessage: canMessage(code) })
  }
  if (state === 'unregistered') return renderScan(c, { state, qr_id: code.qr_id })
  if (state === 'unclaimed') return c.redirect(`/claim?qr=${code.qr_id}`, 302)
  const view = toScanView(code, {
    words,
    timezone: varOf(c, 'deps').config.timezone,
    region: preferredRegion(c.req.header('Accept-Language')),
  })
  const contact = { state, view, preview: preview && isOwnCode(code, accountId) }
  return renderScan(c, { ...contact, ...(await visit(code)) })
}

function answerUnknown(c: FinderContext): Response {
  const busy = takeTry(c, 'unknown')
  return busy ? answerBusy(c, busy) : renderScan(c, { state: 'not_found' })
}

async function unlock(c: AppContext, code: ScannedCode): Promise<ScanUnlock | undefined> {
  const pin = asciiDigits(new URLSearchParams(await c.req.text()).get('pin')?.trim() ?? '')
  if (pinProblem(pin)) return { outcome: 'malformed' }
  const tried = await tryScanPin(c, code.qr_id, pin)
  if (tried.outcome === 'no_pin') return undefined
  if (tried.outcome === 'opened') return { ...tried, fields: toPrivateView(tried.code) }
  if (tried.outcome === 'incorrect') return { outcome: 'incorrect' }
  c.header('Retry-After', String(tried.retryAfter))
  return { outcome: 'locked', retryAfter: tried.retryAfter }
}
