import { expect, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { makeTelegramCode } from '#db/alerts/telegram-codes.ts'
import { openAlerts } from '#tests/support/alerting.ts'
import { dead, delivered } from '#tests/support/channels.ts'
import { insertCode } from '#tests/support/codes.ts'

test('the sweep forgets times that are over and codes that are too old, and no waiting scan', async () => {
  const { db, deps, signUp, advance, scanAlerts } = await openAlerts()
  // It would alert of the waiting scan meanwhile.
  await scanAlerts.stop()
  const account = await signUp()
  await makeTelegramCode(db, account.id, deps.clock())
  const at = deps.clock().toISOString()
  for (const scans of [0, 3]) {
    const { qr_id } = await insertCode(db, account.id)
    const row = {
      qr_id,
      event: 'scan',
      account_id: account.id,
      since: at,
      due_at: at,
      scans,
    } as const
    await db.insertInto('scan_alerts').values(row).execute()
  }
  const codes = () => db.selectFrom('telegram_codes').select('account_id').execute()
  await sweepTables(deps)
  expect(await db.selectFrom('scan_alerts').select('scans').execute()).toEqual([{ scans: 3 }])
  expect(await codes()).toHaveLength(1)
  advance(600)
  await sweepTables(deps)
  expect(await codes()).toEqual([])
})

test('a delivery that failed while the clock was ahead delays nothing for years', async () => {
  const { db, deps, signUp, connect, alert, pass, advance, rows, ...opened } = await openAlerts()
  const TEN_YEARS = 3650 * 86_400
  const account = await signUp()
  await connect(account, 'push')
  deps.mailer.send = () => Promise.reject(new Error('no network yet'))
  opened.behave(() => dead)
  advance(TEN_YEARS)
  const at = deps.clock().toISOString()
  const { qr_id } = await insertCode(db, account.id)
  const row = {
    qr_id,
    event: 'scan',
    account_id: account.id,
    since: at,
    due_at: at,
    scans: 3,
  } as const
  await db.insertInto('scan_alerts').values(row).execute()
  await alert(account)
  advance(-TEN_YEARS)
  opened.behave(() => delivered)
  opened.tried.length = 0
  await alert(account)
  await pass(60)
  expect(opened.tried).toEqual([])
  await sweepTables(deps)
  await pass(60)
  expect(opened.tried).toHaveLength(2)
  const now = deps.clock().toISOString()
  expect((await rows()).filter(({ next_attempt_at }) => next_attempt_at > now)).toEqual([])
  const scans = await db.selectFrom('scan_alerts').select('due_at').execute()
  expect(scans.filter(({ due_at }) => due_at > now)).toEqual([])
})
