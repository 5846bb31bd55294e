import { Hono } from 'hono'
import type { ReactElement } from 'react'
import { resolveBrandOf, scanUrl } from '#actions/codes/view.ts'
import { MadePage, type MadeView } from '#components/tags/made-page.tsx'
import { listChannels } from '#db/alerts/channels.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { getFirstSteps } from '#db/codes/first-steps.ts'
import { getOwnQrCode, type OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import { formatAgo } from '#domain/ago.ts'
import { formatQrId, qrNotFound, requireQrId } from '#domain/codes/qr-id.ts'
import { FIRST_PLACE, placeHref } from '#domain/dashboard.ts'
import { accessWith } from '#domain/people/roles.ts'
import { actsFor, type Holder, planOf, shareBehind } from '#domain/people/share.ts'
import { canShare } from '#domain/plans/plan.ts'
import { registrationState } from '#domain/scans/scan.ts'
import { qrSvg } from '#formats/qr-image.ts'
import { Island } from '#islands/_island.tsx'
import { vapidKeys } from '#mail/channels/vapid-keys.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'
import { alertsLine, hasMail } from '#routes/dashboard/codes/_alerts-line.tsx'

/** Leads from a new code to its print, its first scan and its papers, and to the card once all is done. */
export const madePage = new Hono<AppEnv>().get('/:qr_id/made', async (c) => {
  const account = requireAccount(c)
  const { db } = c.var.deps
  const code = await getOwnQrCode(db, account, requireQrId(c.req.param('qr_id')))
  accessWith(code.access, 'edit')
  if (code.is_claimed_away || registrationState(code) !== 'contact') throw qrNotFound()
  const view = await toMadeView(c, account, code)
  const push = shareBehind(account, code) ? undefined : await pushOffer(c, account)
  if (view.isPrinted && view.isScanned && view.hasPapers && !push) {
    return c.redirect(placeHref({ ...FIRST_PLACE, q: code.qr_id }), 303)
  }
  const alerts = await alertsLine(c, account, [code])
  const title = 'Your code is ready'
  const page = <MadePage view={view} push={push} alerts={alerts} />
  return renderDashboard(c, account, { title, tab: 'my-qrs', part: 'made' }, page)
})

async function toMadeView(
  c: AppContext,
  account: Account & Holder,
  code: OwnQrCode,
): Promise<MadeView> {
  const { db, clock, config } = c.var.deps
  const { qr_id, vehicle_registration, contact_mode } = code
  const ownerId = actsFor(account, code)
  const scan_url = scanUrl(await resolveBrandOf(c.var.deps, ownerId), qr_id)
  const { isPrinted, isScanned, scanned_at } = await getFirstSteps(db, qr_id)
  const svg = Buffer.from(qrSvg(scan_url, 10)).toString('base64')
  return {
    qr_id,
    qr_id_text: formatQrId(qr_id),
    image: `data:image/svg+xml;base64,${svg}`,
    scan_url,
    owner_name: code.owner_name ?? '',
    vehicle_registration,
    contact_mode,
    canShare: canShare(planOf(account, ownerId)),
    isPrinted,
    isScanned,
    scanned: scanned_at ? formatAgo(scanned_at, clock(), config.timezone) : undefined,
    hasPapers: code.document_count > 0,
  }
}

/** Offers alerts of scans on this device, unless a device gets them or this installation cannot send them. */
async function pushOffer(c: AppContext, account: Account): Promise<ReactElement | undefined> {
  const { db, secretKey, channels } = c.var.deps
  if (!channels.push?.isAvailable) return undefined
  const connected = await listChannels(db, secretKey, account.id)
  const devices = connected.filter(({ kind }) => kind === 'push')
  const { choices } = await getAlertSettings(db, account.id)
  if (devices.length > 0 && choices.scan.push) return undefined
  const props = {
    vapidKey: vapidKeys(secretKey).publicKey,
    channels: devices.map(({ id, endpoint_hash }) => ({ id, endpoint_hash })),
    offer: { hasMail: hasMail(c, account) },
  }
  return <Island name="push-device" props={props} />
}
