import type { ActionDeps } from '#actions/deps.ts'
import { moveQuietWaits } from '#db/alerts/quiet-waits.ts'
import {
  type AlertSettings,
  changeAlertSettings,
  type SettingsChange,
} from '#db/alerts/settings.ts'

/** As the verb; what waits because of other quiet hours than the new ones goes out. Throws invalid. */
export async function saveAlertSettings(
  { db, clock, config, outbox }: Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox'>,
  accountId: string,
  change: SettingsChange,
): Promise<AlertSettings> {
  const rules = { now: clock(), timezone: config.timezone }
  const saved = await changeAlertSettings(db, accountId, change, (trx, quietHours) =>
    moveQuietWaits(trx, accountId, quietHours, rules),
  )
  outbox.wake()
  return saved
}
