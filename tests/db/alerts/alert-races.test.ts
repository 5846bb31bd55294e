import { setTimeout as sleep } from 'node:timers/promises'
import { describe, expect, test } from 'vitest'
import { aboutScans } from '#actions/alerts/scan-alerts.ts'
import { listChannels, removeAddress } from '#db/alerts/channels.ts'
import { listAlertingCodes, noteScans, releaseScans } from '#db/alerts/scan-alerts.ts'
import { makeTelegramCode, redeemTelegramCode } from '#db/alerts/telegram-codes.ts'
import { MOST_CHANNELS } from '#domain/alerts/alert.ts'
import { startSender } from '#mail/sender.ts'
import { openAlerts } from '#tests/support/alerting.ts'
import { delivered } from '#tests/support/channels.ts'
import { insertCode } from '#tests/support/codes.ts'
import { race } from '#tests/support/races.ts'

const PUSH_ON = { event: 'scan', kind: 'push', isOn: true } as const

describe('twenty at once', () => {
  test('senders never deliver a row at the same time, nor one twice', async () => {
    const { deps, sender, signUp, connect, alert, tried, behave, rows, db } = await openAlerts()
    await sender.stop()
    const accounts = await Promise.all(Array.from({ length: 8 }, () => signUp()))
    for (const account of accounts) {
      await connect(account, 'push', account.id)
      for (let n = 0; n < 5; n++) await alert(account)
    }
    await db.deleteFrom('outbox').where('kind', '=', 'email').execute()
    const onTheirWay = new Set<string>()
    let twiceAtOnce = 0
    behave(async ({ id }) => {
      if (onTheirWay.has(id)) twiceAtOnce++
      onTheirWay.add(id)
      await sleep(2)
      onTheirWay.delete(id)
      return delivered
    })
    const senders = Array.from({ length: 20 }, () => startSender({ ...deps, secondMs: 10 }))
    await expect.poll(async () => (await rows()).length, { timeout: 20_000 }).toBe(0)
    for (const each of senders) await each.stop()
    expect(twiceAtOnce).toBe(0)
    expect(tried).toHaveLength(40)
    expect(new Set(tried.map(({ id }) => id)).size).toBe(40)
  })

  test('scans of a code give one alert, and one more about the others', async () => {
    const { db, deps, signUp, connect, choose, tried, sender, advance } = await openAlerts()
    const owner = await signUp()
    await connect(owner, 'push')
    await choose(owner, PUSH_ON)
    const { qr_id } = await insertCode(db, owner.id, { vehicle_registration: 'MH12QX4827' })
    const [code] = await listAlertingCodes(db, [qr_id], deps.clock())
    if (!code) throw new Error('the code does not alert')
    const rules = () => ({ now: deps.clock(), timezone: deps.config.timezone })
    const notify = aboutScans(deps)
    const { won } = await race(() => noteScans(db, { code, scans: 1 }, rules(), notify))
    expect(won).toHaveLength(20)
    await sender.settled()
    expect(tried).toHaveLength(1)
    advance(15 * 60)
    await race(() => releaseScans(db, 50, rules(), notify))
    await sender.settled()
    expect(tried.map((each) => each.alert.title)).toEqual([
      'Scanned · MH 12 QX 4827',
      'Scanned 19 times · MH 12 QX 4827',
    ])
  })

  test('chats that send a code connect one of them', async () => {
    const { db, deps, signUp } = await openAlerts()
    const account = await signUp()
    const code = await makeTelegramCode(db, account.id, deps.clock())
    let id = 0
    const redeem = () => {
      id++
      const chat = { id, name: `Chat ${id}` }
      return redeemTelegramCode(db, deps.secretKey, { code, chat }, deps.clock())
    }
    const { won } = await race(redeem)
    expect(won.filter(Boolean)).toEqual([{ accountId: account.id }])
    const channels = await listChannels(db, deps.secretKey, account.id)
    expect(channels.map(({ kind }) => kind)).toEqual(['email', 'telegram'])
  })

  test('connections of one address are one channel, and there are at most 20', async () => {
    const { db, deps, signUp, connect } = await openAlerts()
    const account = await signUp()
    const { won } = await race(() => connect(account, 'push', 'same'))
    expect(new Set(won.map(({ id }) => id)).size).toBe(1)
    let n = 0
    const { won: more, refused } = await race(() => connect(account, 'push', `other ${n++}`))
    expect(more).toHaveLength(MOST_CHANNELS - 1)
    expect(refused).toEqual({ 'conflict: You can connect at most 20 channels': 1 })
    const address = { kind: 'push', address: 'same' } as const
    expect(await removeAddress(db, deps.secretKey, address)).toBe(1)
  })

  test('choices of the same tick leave one of them', async () => {
    const { db, signUp, choose } = await openAlerts()
    const account = await signUp()
    let n = 0
    const { won } = await race(() => choose(account, { ...PUSH_ON, isOn: n++ % 2 === 0 }))
    expect(won).toHaveLength(20)
    const rows = await db.selectFrom('alert_choices').selectAll().execute()
    expect(rows.length).toBeLessThanOrEqual(1)
  })
})
