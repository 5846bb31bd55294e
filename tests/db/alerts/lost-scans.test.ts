import { performance } from 'node:perf_hooks'
import { expect, test, vi } from 'vitest'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

test('a lost code alerts within 2 s while a busy server rests between the alerts of others', {
  tags: 'slow',
}, async () => {
  const utilization = { idle: 0, active: 1, utilization: 1 }
  vi.spyOn(performance, 'eventLoopUtilization').mockReturnValue(utilization)
  const { db, deps, signUp } = await openTestApp()
  const owner = await signUp({ subscription_plan: 'enterprise' })
  await changeAlertSettings(db, owner.id, {
    choices: [{ event: 'scan', kind: 'email', isOn: true }],
  })
  const others = await Promise.all(Array.from({ length: 20 }, () => insertCode(db, owner.id)))
  const lost_since = deps.clock().toISOString()
  const lost = await insertCode(db, owner.id, { lost_since })
  const alertsOf = (event: 'scan' | 'lost_scan') =>
    db.selectFrom('scan_alerts').select('qr_id').where('event', '=', event).execute()
  for (const { qr_id } of others) deps.scanCounter.note({ qr_id, lost_since: null })
  await expect.poll(() => alertsOf('scan'), { timeout: 10_000 }).not.toEqual([])
  deps.scanCounter.note({ qr_id: lost.qr_id, lost_since })
  await expect
    .poll(() => alertsOf('lost_scan'), { timeout: 2_000 })
    .toEqual([{ qr_id: lost.qr_id }])
  expect((await alertsOf('scan')).length).toBeLessThan(20)
})
