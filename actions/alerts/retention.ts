import type { ActionDeps } from '#actions/deps.ts'
import { endImpossibleWaits } from '#db/alerts/clock-ahead.ts'
import { forgetOldDeliveries } from '#db/alerts/deliveries.ts'
import { forgetScanAlerts } from '#db/alerts/scan-alerts.ts'
import { forgetTelegramCodes } from '#db/alerts/telegram-codes.ts'

/**
 * Removes what alerts need no more: times of scan alerts that are over, unused codes, and old deliveries. What
 * would wait for years because the clock was ahead waits no longer.
 */
export async function sweepAlerts({ db, clock }: Pick<ActionDeps, 'db' | 'clock'>): Promise<void> {
  await endImpossibleWaits(db, clock())
  await forgetScanAlerts(db, clock())
  await forgetTelegramCodes(db, clock())
  await forgetOldDeliveries(db, clock())
}
