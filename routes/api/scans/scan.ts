import type { ScannedCode } from '#db/scans/scan-path.ts'
import { findScanAnalytics } from '#db/scans/scans.ts'
import { parseQrId } from '#domain/codes/qr-id.ts'
import { DomainError } from '#domain/error.ts'
import { planOf } from '#domain/people/share.ts'
import { canSeeAnalytics } from '#domain/plans/plan.ts'
import { toPublicScan } from '#domain/scans/public-scan.ts'
import { privateScanFields, scanState } from '#domain/scans/scan.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { listPopup, recordScan, resolveCurrentScan, tryScanPin } from '#routes/_http/scans/scans.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import {
  getAnalytics,
  getPopup,
  getScan,
  RECENT_SCANS,
  unlock,
} from '#routes/api/scans/_scan-schema.ts'

/** The finder's view of a code, and the scans that its owner sees. */
export const scanApi = apiRouter()

scanApi.openapi(getScan, async (c) => {
  const code = await getScannedCode(c)
  if (hasContactPage(code)) await recordScan(c, code)
  return c.json(toPublicScan(code), 200)
})

scanApi.openapi(getPopup, async (c) => {
  const code = await getScannedCode(c)
  const { qr_type, is_claimed, is_child_registered } = toPublicScan(code)
  const { images, messages } = await listPopup(c, code)
  const view = {
    qr_info: { qr_type, is_claimed, is_child_registered },
    popup_images: images,
    admin_messages: messages,
  }
  return c.json(view, 200)
})

scanApi.openapi(unlock, async (c) => {
  const code = await getScannedCode(c)
  if (!hasContactPage(code)) throw noPin()
  const tried = await tryScanPin(c, code.qr_id, c.req.valid('json').pin)
  switch (tried.outcome) {
    case 'opened':
      return c.json(privateScanFields(tried.code), 200)
    case 'incorrect':
      throw new DomainError('forbidden.pin')
    case 'no_pin':
      throw noPin()
    case 'locked': {
      const { retryAfter } = tried
      throw new DomainError({ code: 'too_many.pin', values: { wait: retryAfter } })
    }
  }
})

scanApi.openapi(getAnalytics, async (c) => {
  const account = requireAccount(c)
  const qrId = parseQrId(c.req.valid('param').qr_id)
  const { limit = RECENT_SCANS } = c.req.valid('query')
  const found = qrId && (await findScanAnalytics(c.var.deps.db, account, qrId, limit))
  if (!found) throw new DomainError('not_found.scan')
  const { owner_id, ...analytics } = found
  if (!canSeeAnalytics(planOf(account, owner_id))) throw new DomainError('forbidden.analytics')
  return c.json(analytics, 200)
})

function hasContactPage(code: ScannedCode): boolean {
  return scanState(code, { accountId: undefined, preview: false }) === 'contact'
}

function noPin(): DomainError {
  return new DomainError('not_found.pin')
}

async function getScannedCode(c: AppContext): Promise<ScannedCode> {
  limit(c, 'scan')
  const { code } = await resolveCurrentScan(c)
  if (code) return code
  limit(c, 'unknown')
  throw new DomainError('not_found.scan')
}
