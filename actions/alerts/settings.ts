import type { ActionDeps } from '#actions/deps.ts'
import { withdrawUnwanted } from '#db/alerts/alerting.ts'
import { moveQuietWaits } from '#db/alerts/quiet-waits.ts'
import {
  type AlertSettings,
  changeAlertSettings,
  type SettingsChange,
} from '#db/alerts/settings.ts'

/**
 * Saves the settings, withdraws waiting alerts that they exclude, and sends those that only the former quiet
 * hours held back. Throws invalid.
 */
export async function saveAlertSettings(
  { db, clock, config, outbox }: Pick<ActionDeps, 'db' | 'clock' | 'config' | 'outbox'>,
  accountId: string,
  change: SettingsChange,
): Promise<AlertSettings> {
  const rules = { now: clock(), timezone: config.timezone }
  const { choices = [], quietHours } = change
  const saved = await changeAlertSettings(db, accountId, change, async (trx) => {
    await withdrawUnwanted(trx, accountId, choices)
    if (quietHours !== undefined) await moveQuietWaits(trx, accountId, quietHours, rules)
  })
  outbox.wake()
  return saved
}
