import { describe, expect, test } from 'vitest'
import { addChannel } from '#db/alerts/channels.ts'
import { changeAlertSettings, getAlertSettings } from '#db/alerts/settings.ts'
import { makeTelegramCode, redeemTelegramCode } from '#db/alerts/telegram-codes.ts'
import { openAlerts } from '#tests/support/alerting.ts'

const PUSH_ON = { event: 'scan', kind: 'push', isOn: true } as const

describe('settings', () => {
  test('are stored where they differ from the default alone', async () => {
    const { db, signUp, choose } = await openAlerts()
    const account = await signUp()
    await choose(account, PUSH_ON, { event: 'message', kind: 'push', isOn: true })
    const rows = () => db.selectFrom('alert_choices').select(['event', 'kind', 'is_on']).execute()
    expect(await rows()).toEqual([{ event: 'scan', kind: 'push', is_on: 1 }])
    await choose(account, { ...PUSH_ON, isOn: false })
    expect(await rows()).toEqual([])
  })

  test('take any part, and end quiet hours', async () => {
    const { db, signUp } = await openAlerts()
    const { id } = await signUp()
    const quietHours = { from: '22:00', to: '07:00' }
    await changeAlertSettings(db, id, { quietHours })
    await changeAlertSettings(db, id, { choices: [PUSH_ON] })
    const both = await getAlertSettings(db, id)
    expect([both.quietHours, both.choices.scan.push]).toEqual([quietHours, true])
    expect((await changeAlertSettings(db, id, { quietHours: null })).quietHours).toBeNull()
  })

  test('refuse wrong times, and an e-mail about security that is switched off', async () => {
    const { db, signUp } = await openAlerts()
    const { id } = await signUp()
    const wrong = changeAlertSettings(db, id, { quietHours: { from: '22', to: '07:00' } })
    await expect(wrong).rejects.toThrow('Please enter a time like 22:00')
    const off = { event: 'security', kind: 'email', isOn: false } as const
    const without = changeAlertSettings(db, id, { choices: [PUSH_ON, off] })
    await expect(without).rejects.toThrow('E-mails about security cannot be switched off')
    expect((await getAlertSettings(db, id)).choices.scan.push).toBe(false)
  })
})

describe('a code for Telegram', () => {
  test('works for 10 minutes, for the newest alone, and for no blocked account', async () => {
    const { db, deps, signUp, advance } = await openAlerts()
    const account = await signUp()
    const make = () => makeTelegramCode(db, account.id, deps.clock())
    const redeem = (code: string) =>
      redeemTelegramCode(db, deps.secretKey, { code, chat: { id: 7, name: 'Asha' } }, deps.clock())
    const [old, late] = [await make(), await make()]
    expect(await redeem(old)).toBeUndefined()
    advance(600)
    expect(await redeem(late)).toBeUndefined()
    const blocked = await make()
    await db.updateTable('accounts').set({ is_active: 0 }).execute()
    expect(await redeem(blocked)).toBeUndefined()
    await db.updateTable('accounts').set({ is_active: 1 }).execute()
    expect(await redeem(blocked)).toEqual({ accountId: account.id })
    expect(JSON.stringify(await db.selectFrom('telegram_codes').selectAll().execute())).toBe('[]')
  })

  test('is stored as a hash', async () => {
    const { db, deps, signUp } = await openAlerts()
    const code = await makeTelegramCode(db, (await signUp()).id, deps.clock())
    expect(code).toMatch(/^[\w-]{43}$/)
    const [row] = await db.selectFrom('telegram_codes').selectAll().execute()
    expect(JSON.stringify(row)).not.toContain(code)
  })
})

test('the same address again takes its new target, and counts as reachable', async () => {
  const { db, deps, signUp, connect, channel, tried, alert } = await openAlerts()
  const account = await signUp()
  const { id } = await connect(account, 'push', 'endpoint')
  const failing = { failures: 3, failing_since: '2026-11-01', unreachable_since: '2026-11-01' }
  await db.updateTable('alert_channels').set(failing).execute()
  const again = {
    kind: 'push',
    name: 'Phone',
    address: 'endpoint',
    target: { auth: 'new' },
  } as const
  expect((await addChannel(db, deps.secretKey, account.id, again, deps.clock())).id).toBe(id)
  expect(await channel(id)).toMatchObject({ failures: 0, unreachable_since: null })
  await alert(account)
  expect(tried.map(({ target }) => target)).toEqual([{ auth: 'new' }])
})
