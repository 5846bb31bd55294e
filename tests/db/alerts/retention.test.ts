import { expect, test } from 'vitest'
import { sweepAlerts } from '#actions/alerts/retention.ts'
import { makeTelegramCode } from '#db/alerts/telegram-codes.ts'
import { openAlerts } from '#tests/support/alerting.ts'
import { insertCode } from '#tests/support/codes.ts'

test('the sweep forgets times that are over and codes that are too old, and no waiting scan', async () => {
  const { db, deps, signUp, advance } = await openAlerts()
  const account = await signUp()
  await makeTelegramCode(db, account.id, deps.clock())
  const at = deps.clock().toISOString()
  for (const scans of [0, 3]) {
    const { qr_id } = await insertCode(db, account.id)
    const row = { qr_id, event: 'scan', since: at, due_at: at, scans } as const
    await db.insertInto('scan_alerts').values(row).execute()
  }
  const codes = () => db.selectFrom('telegram_codes').select('account_id').execute()
  await sweepAlerts(deps)
  expect(await db.selectFrom('scan_alerts').select('scans').execute()).toEqual([{ scans: 3 }])
  expect(await codes()).toHaveLength(1)
  advance(600)
  await sweepAlerts(deps)
  expect(await codes()).toEqual([])
})
