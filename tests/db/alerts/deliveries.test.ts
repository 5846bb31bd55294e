import { describe, expect, test } from 'vitest'
import { testChannel } from '#actions/alerts/channels.ts'
import { sweepTables } from '#actions/retention.ts'
import { setBlocked } from '#db/accounts/account-changes.ts'
import { noteReached } from '#db/alerts/channel-state.ts'
import { addChannel, changeChannel, listChannels, removeChannel } from '#db/alerts/channels.ts'
import { listDeliveries, sendAgain } from '#db/alerts/deliveries.ts'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { inTransaction } from '#db/transaction.ts'
import { startSender } from '#mail/sender.ts'
import { openAlerts } from '#tests/support/alerting.ts'
import { NOW } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { dead, delivered } from '#tests/support/channels.ts'
import { insertCode } from '#tests/support/codes.ts'

const HOUR = 3_600
const DAY = 24 * HOUR
/** A mail server's answer for a mailbox that is full for now. */
const FULL = { code: 'EENVELOPE', responseCode: 452, command: 'RCPT TO' }

describe('a waiting alert', () => {
  test('is taken back when its account is blocked, on every channel, but mails about security', async () => {
    const { db, signUp, connect, choose, alert, rows, pass, tried, mails, ...opened } =
      await openAlerts()
    const { send } = opened.deps.mailer
    opened.deps.mailer.send = () => Promise.reject(Object.assign(new Error('mailbox full'), FULL))
    const blocked = await signUp({ subscription_plan: 'enterprise' })
    const other = await signUp()
    const hook = await connect(blocked, 'webhook')
    await connect(other, 'push')
    for (const event of ['plan', 'security'] as const) {
      await choose(blocked, { event, kind: 'webhook', isOn: true })
    }
    opened.behave(() => dead)
    for (const account of [blocked, other]) {
      for (const event of ['message', 'plan', 'security'] as const) await alert(account, { event })
    }
    expect(await listDeliveries(db, blocked.id, hook.id)).toHaveLength(3)
    await setBlocked(db, { contact: blocked.email ?? '', isBlocked: true }, new Date(NOW))
    const left = (await rows()).filter(({ account_id }) => account_id === blocked.id)
    expect(left.map(({ kind, event }) => [kind, event])).toEqual([['email', 'security']])
    expect((await rows()).length).toBeGreaterThan(1)
    expect(await listDeliveries(db, blocked.id, hook.id)).toEqual([])
    opened.behave(() => delivered)
    opened.deps.mailer.send = send
    tried.length = 0
    for (const event of ['message', 'scan', 'plan', 'security'] as const) {
      await alert(blocked, { event })
    }
    await pass(HOUR)
    expect(tried.map(({ kind }) => kind)).toEqual(['push'])
    expect(mails.filter(({ to }) => to === blocked.email)).toHaveLength(2)
  })

  test('is no fault when its account is blocked or deleted while it is on its way', async () => {
    const { db, signUp, connect, alert, pass, behave, rows, logged, tried } = await openAlerts()
    const ends = {
      blocked: (contact: string) =>
        setBlocked(db, { contact, isBlocked: true }, new Date(NOW)).then(() => undefined),
      deleted: (contact: string) =>
        db
          .deleteFrom('accounts')
          .where('email', '=', contact)
          .execute()
          .then(() => undefined),
    }
    for (const [state, end] of Object.entries(ends)) {
      for (const outcome of [delivered, dead, { result: 'gone', why: 'x' } as const]) {
        const account = await signUp({ subscription_plan: 'enterprise' })
        await db.deleteFrom('sessions').execute()
        await connect(account, 'webhook')
        await connect(account, 'push')
        let ending: Promise<void> | undefined
        // None arrives before: the log keeps what an account was told while it was there.
        behave(async () => {
          ending ??= end(account.email ?? '')
          await ending
          return outcome
        })
        await alert(account)
        await pass(DAY)
        const left = (await rows()).filter(({ account_id }) => account_id === account.id)
        expect([state, outcome.result, left]).toEqual([state, outcome.result, []])
      }
    }
    expect(tried.length).toBeGreaterThan(6)
    expect(await db.selectFrom('webhook_deliveries').select('status').execute()).toEqual([])
    expect(logged.join()).not.toContain('the outbox could not be used')
  })

  test('is no fault when its account is deleted while it is mailed, also when the mail fails', async () => {
    const { db, signUp, alert, deps, logged, pass, rows } = await openAlerts()
    const refusal = { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }
    for (const result of ['sent', 'refused', 'failed']) {
      const account = await signUp()
      await db.deleteFrom('sessions').execute()
      deps.mailer.send = async () => {
        await db.deleteFrom('accounts').where('id', '=', account.id).execute()
        if (result === 'refused') throw Object.assign(new Error('no mailbox'), refusal)
        if (result === 'failed') throw new Error('the server is away')
      }
      await alert(account)
      await pass(HOUR)
    }
    expect(await rows()).toEqual([])
    expect(await db.selectFrom('alert_channels').select('id').execute()).toEqual([])
    expect(logged.join()).not.toContain('the outbox could not be used')
  })
})

test('a channel with much that waits takes turns with those that something came for later', async () => {
  const { deps, signUp, connect, alert, advance, sender } = await openAlerts()
  await sender.stop()
  const [busy, other] = [await signUp(), await signUp()]
  const much = await connect(busy, 'ntfy')
  const little = await connect(other, 'ntfy')
  for (let n = 0; n < 12; n++) await alert(busy)
  advance(1)
  await alert(other)
  const order: string[] = []
  for (;;) {
    advance(1)
    const claimed = await deps.outbox.claimChannels({ most: 1, withFailing: true })
    if (claimed.length === 0) break
    const settled = claimed.map((channel) => {
      order.push(channel.id)
      const delivered = channel.deliveries.map(({ id }) => ({ id, answer: '200' }))
      return { channel, delivered, failed: [], late: [], untried: [] }
    })
    await deps.outbox.settleChannels(settled)
  }
  expect(order).toEqual([much.id, little.id, much.id, much.id])
})

test('the list of a webhook forgets what finders wrote after 30 days, unless it still waits', async () => {
  const { db, deps, signUp, connect, alert, advance } = await openAlerts()
  const account = await signUp({ subscription_plan: 'enterprise' })
  const hook = await connect(account, 'webhook')
  const left = async () => {
    await sweepTables(deps)
    return (await listDeliveries(db, account.id, hook.id)).length
  }
  await alert(account)
  advance(30 * DAY - 1)
  expect(await left()).toBe(1)
  await changeAlertSettings(db, account.id, { quietHours: { from: '00:00', to: '23:59' } })
  await alert(account)
  advance(1)
  expect(await left()).toBe(1)
  advance(30 * DAY)
  expect(await left()).toBe(1)
})

describe('an alert', () => {
  test('goes to each channel and to the mailbox once, and then is kept nowhere', async () => {
    const { signUp, connect, alert, tried, mails, rows } = await openAlerts()
    const account = await signUp()
    await signUp()
    for (const address of ['one', 'two']) await connect(account, 'push', address)
    await connect(account, 'ntfy')
    await alert(account, { title: 'Keys found', body: 'At the gate', isUrgent: true })
    expect(tried.map(({ kind, target }) => `${kind} ${JSON.stringify(target)}`).sort()).toEqual([
      'ntfy {"address":"one"}',
      'push {"address":"one"}',
      'push {"address":"two"}',
    ])
    expect(tried[0]).toMatchObject({
      at: NOW,
      alert: { event: 'message', title: 'Keys found', body: 'At the gate', isUrgent: true },
    })
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([[account.email, 'It happened']])
    expect(new Set(tried.map(({ id }) => id)).size).toBe(3)
    expect(await rows()).toEqual([])
  })

  test('goes only where it was chosen to go', async () => {
    const { signUp, connect, choose, alert, tried, mails } = await openAlerts()
    const account = await signUp()
    await connect(account, 'push')
    await connect(account, 'ntfy')
    await choose(
      account,
      { event: 'message', kind: 'ntfy', isOn: false },
      { event: 'message', kind: 'email', isOn: false },
      { event: 'scan', kind: 'ntfy', isOn: true },
    )
    await alert(account, { event: 'message' })
    await alert(account, { event: 'scan' })
    await alert(account, { event: 'police_view' })
    expect(tried.map(({ kind, event }) => [kind, event])).toEqual([
      ['push', 'message'],
      ['ntfy', 'scan'],
    ])
    expect(mails).toEqual([])
  })

  test('goes to no address that is not verified, and without a mail server to no mailbox', async () => {
    const { signUp, alert, mails, rows } = await openAlerts()
    await alert(await signUp({ email_verified_at: null }), { event: 'security' })
    expect([mails, await rows()]).toEqual([[], []])
    const without = await openAlerts({ env: { SMTP_URL: '' } })
    await without.alert(await without.signUp(), { event: 'security' })
    expect(await without.rows()).toEqual([])
  })

  test('goes to a webhook on the enterprise plan alone', async () => {
    const { signUp, connect, alert, tried, db } = await openAlerts()
    const account = await signUp({ subscription_plan: 'enterprise' })
    await connect(account, 'webhook')
    await alert(account)
    await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
    await alert(account)
    expect(tried).toHaveLength(1)
  })

  test('cannot be read in a copy of the database, nor can its targets', async () => {
    const { signUp, connect, alert, behave, db, rows } = await openAlerts()
    behave(() => dead)
    const account = await signUp({ subscription_plan: 'enterprise' })
    await connect(account, 'webhook', 'https://hooks.example.in/secret')
    await alert(account, { title: 'Keys found' })
    const channels = await db.selectFrom('alert_channels').selectAll().execute()
    const log = await db.selectFrom('webhook_deliveries').selectAll().execute()
    const stored = JSON.stringify([await rows(), channels, log])
    expect(log).toHaveLength(1)
    for (const secret of ['Keys found', 'hooks.example.in']) expect(stored).not.toContain(secret)
  })

  test('goes with its code, its channel and its account', async () => {
    const { signUp, connect, alert, behave, ask, db, rows } = await openAlerts()
    behave(() => dead)
    const account = await signUp({ subscription_plan: 'enterprise' })
    const { qr_id } = await insertCode(db, account.id)
    const { id } = await connect(account, 'webhook')
    await alert(account, { qr_id })
    expect((await ask('DELETE', `/api/qr/${qr_id}`, { as: account })).status).toBe(200)
    const log = () => db.selectFrom('webhook_deliveries').select('id').execute()
    expect([await rows(), await log()]).toEqual([[], []])
    await alert(account)
    expect((await rows()).length).toBe(1)
    await removeChannel(db, account.id, id)
    expect([await rows(), await log()]).toEqual([[], []])
    await connect(account, 'webhook')
    await changeAlertSettings(db, account.id, { quietHours: { from: '22:00', to: '07:00' } })
    await alert(account)
    await db.deleteFrom('sessions').execute()
    await db.deleteFrom('accounts').where('id', '=', account.id).execute()
    expect([await rows(), await log()]).toEqual([[], []])
  })
})

describe('a channel that fails', () => {
  test('is tried again within 30 s, under the same id, and then with growing waits', async () => {
    const { signUp, connect, alert, tried, behave, pass, rows } = await openAlerts()
    const account = await signUp()
    await connect(account, 'push')
    behave(() => dead)
    await alert(account)
    expect(tried).toHaveLength(1)
    await pass(19)
    expect(tried).toHaveLength(1)
    await pass(1)
    expect(tried).toHaveLength(2)
    await pass(59)
    expect(tried).toHaveLength(2)
    behave(() => delivered)
    await pass(1)
    expect(new Set(tried.map(({ id }) => id)).size).toBe(1)
    expect(await rows()).toEqual([])
    await pass(DAY)
    expect(tried).toHaveLength(3)
  })

  test('takes what failed as soon as a test has arrived', async () => {
    const { signUp, connect, alert, tried, behave, pass, rows, db, deps } = await openAlerts()
    const account = await signUp()
    const { id } = await connect(account, 'ntfy')
    behave(() => dead)
    await alert(account)
    await pass(20)
    behave(() => delivered)
    await inTransaction(db, (trx) => noteReached(trx, id, deps.clock()))
    await pass(0)
    expect(tried).toHaveLength(3)
    expect(await rows()).toEqual([])
  })

  test('is no fault when a test arrives while a try is on its way that fails', async () => {
    const { signUp, connect, alert, behave, pass, rows, channel, logged, db, deps } =
      await openAlerts()
    const account = await signUp()
    const { id } = await connect(account, 'ntfy')
    behave(() => dead)
    await alert(account)
    behave(async () => {
      await inTransaction(db, (trx) => noteReached(trx, id, deps.clock()))
      return dead
    })
    await pass(20)
    expect(logged.join()).not.toContain('the outbox could not be used')
    // It counts from here, and is tried again as soon as after a first failure.
    const failing_since = '2026-11-20T10:00:20.000Z'
    expect(await channel(id)).toMatchObject({ claim: null, failures: 1, failing_since })
    behave(() => delivered)
    await pass(20)
    expect(await rows()).toEqual([])
  })

  test('is settled again when the answer of the database was lost', async () => {
    const { signUp, connect, choose, alert, tried, behave, sender, deps, advance, rows } =
      await openAlerts()
    const account = await signUp()
    await connect(account, 'ntfy')
    await choose(account, { event: 'message', kind: 'email', isOn: false })
    behave(() => dead)
    await alert(account, { title: 'first' })
    await sender.stop()
    for (const title of ['second', 'third']) {
      await alert(account, { title })
      advance(1)
    }
    let settlings = 0
    const settleChannels: typeof deps.outbox.settleChannels = async (settled) => {
      await deps.outbox.settleChannels(settled)
      settlings++
      if (settlings === 1) throw new Error('the connection was lost')
    }
    advance(20)
    const outbox = { ...deps.outbox, settleChannels }
    const losing = startSender({ ...deps, outbox, secondMs: 10 })
    await expect.poll(() => settlings).toBe(2)
    expect(tried.map((each) => each.alert.title)).toEqual(['first', 'second'])
    expect((await rows()).map(({ attempts }) => attempts).sort()).toEqual([0, 1, 1])
    behave(() => delivered)
    advance(60)
    await expect.poll(rows).toEqual([])
    await losing.stop()
  })

  test('takes what failed as soon as an alert has arrived', async () => {
    const opened = await openAlerts()
    const { signUp, connect, alert, tried, behave, rows, db, deps, pass } = opened
    const account = await signUp({ subscription_plan: 'enterprise' })
    const { id } = await connect(account, 'webhook')
    await alert(account, { title: 'early' })
    behave(() => ({ result: 'failed', why: 'busy', retryAfter: 6 * HOUR }))
    await alert(account, { title: 'late' })
    behave(() => delivered)
    await pass(60)
    expect(await rows()).toMatchObject([
      { attempts: 1, next_attempt_at: '2026-11-20T16:00:00.000Z' },
    ])
    const early = (await listDeliveries(db, account.id, id)).find(
      ({ status }) => status === 'delivered',
    )
    const again = { channelId: id, deliveryId: early?.id ?? '' }
    await sendAgain(db, account.id, again, deps.clock())
    await pass(0)
    const titles = tried.map((each) => each.alert.title)
    expect(titles).toEqual(['early', 'late', 'early', 'late'])
    expect(await rows()).toEqual([])
  })

  test('that gets another address is tried there at once, under the same id', async () => {
    const opened = await openAlerts()
    const { signUp, connect, alert, tried, behave, rows, db, deps, pass } = opened
    const account = await signUp({ subscription_plan: 'enterprise' })
    const { id } = await connect(account, 'webhook', 'old')
    behave(({ target }) => (JSON.stringify(target).includes('old') ? dead : delivered))
    await alert(account)
    const caller = await newCaller(opened, account.id)
    const change = (target: object) => {
      const moved = { ...target, address: 'new', kept: true }
      return { kind: 'webhook', name: 'new', address: 'new', target: moved } as const
    }
    await changeChannel(db, deps.secretKey, caller, id, change, deps.clock())
    await pass(0)
    expect(tried.map(({ target }) => target)).toEqual([
      { address: 'old' },
      { address: 'new', kept: true },
    ])
    expect(new Set(tried.map((each) => each.id)).size).toBe(1)
    expect(await rows()).toEqual([])
  })

  test('that is connected again with another token is tried with it at once', async () => {
    const { signUp, connect, alert, tried, behave, rows, db, deps, pass } = await openAlerts()
    const account = await signUp()
    await connect(account, 'ntfy', 'topic')
    behave(({ target }) => ('token' in target ? delivered : dead))
    await alert(account)
    for (let hours = 0; hours < 3; hours++) await pass(HOUR)
    tried.length = 0
    const again = {
      kind: 'ntfy',
      name: 'topic',
      address: 'topic',
      target: { token: 'new' },
    } as const
    await addChannel(db, deps.secretKey, account.id, again, deps.clock())
    await pass(0)
    expect(tried.map(({ target }) => target)).toEqual([{ token: 'new' }])
    expect(await rows()).toEqual([])
  })

  test('holds up nobody else’s, and is asked once for all that waits for it', async () => {
    const { signUp, connect, alert, tried, behave } = await openAlerts()
    const [broken, well] = [await signUp(), await signUp()]
    await connect(broken, 'ntfy', 'dead')
    await connect(well, 'ntfy', 'well')
    behave(({ target }) => (JSON.stringify(target).includes('dead') ? dead : delivered))
    for (let n = 0; n < 5; n++) await alert(broken)
    await alert(well)
    expect(tried.filter(({ target }) => JSON.stringify(target).includes('dead'))).toHaveLength(1)
    expect(tried.filter(({ target }) => JSON.stringify(target).includes('well'))).toHaveLength(1)
  })

  test('that refuses one alert alone takes the others', async () => {
    const { signUp, connect, alert, tried, behave, pass, rows } = await openAlerts()
    const account = await signUp()
    await connect(account, 'ntfy')
    behave((each) => (each.alert.title === 'poison' ? dead : delivered))
    await alert(account, { title: 'poison' })
    for (const title of ['one', 'two']) await alert(account, { title })
    await pass(20)
    await pass(60)
    const arrived = tried.map((each) => each.alert.title).filter((title) => title !== 'poison')
    expect(arrived.sort()).toEqual(['one', 'two'])
    expect(await rows()).toHaveLength(1)
  })

  test('that asks for a rest gets it', async () => {
    const { signUp, connect, alert, tried, behave, pass } = await openAlerts()
    const account = await signUp()
    await connect(account, 'telegram')
    behave(() => ({ result: 'failed', why: 'too many', status: 429, retryAfter: 600 }))
    await alert(account)
    await pass(599)
    expect(tried).toHaveLength(1)
    await pass(1)
    expect(tried).toHaveLength(2)
  })

  test('for a day counts as not reachable, its owner is told by mail once, and it heals', async () => {
    const opened = await openAlerts()
    const { signUp, connect, alert, mails, behave, pass, channel, db, deps, rows, logged } = opened
    const account = await signUp()
    const { id } = await connect(account, 'ntfy', 'https://ntfy.example/kulkarni')
    await opened.choose(account, { event: 'message', kind: 'email', isOn: false })
    behave(() => dead)
    await alert(account)
    for (let hours = 0; hours < 23; hours++) await pass(HOUR)
    expect((await channel(id))?.unreachable_since).toBeNull()
    expect(mails).toEqual([])
    for (let hours = 0; hours < 3; hours++) await pass(HOUR)
    expect((await channel(id))?.unreachable_since).toBe(NOW)
    expect(await rows()).toEqual([])
    expect(logged.join()).toContain('alert given up')
    expect(mails.map(({ to, subject }) => [to, subject])).toEqual([
      [account.email, 'DriveQR cannot reach your ntfy'],
    ])
    expect(mails[0]?.text).toContain('since 20 Nov 2026, 3:30 pm')
    await alert(account)
    for (let hours = 0; hours < 26; hours++) await pass(HOUR)
    expect(mails).toHaveLength(1)
    behave(() => delivered)
    await alert(account)
    await pass(HOUR)
    expect((await channel(id))?.unreachable_since).toBeNull()
    const [, shown] = await listChannels(db, deps.secretKey, account.id)
    expect(shown).toMatchObject({ unreachable_since: null, delivered_at: expect.any(String) })
  })

  test('is given up after an hour with an alert of a scan', async () => {
    const { signUp, connect, choose, alert, behave, pass, rows } = await openAlerts()
    const account = await signUp()
    await connect(account, 'push')
    await choose(account, { event: 'scan', kind: 'push', isOn: true })
    behave(() => dead)
    await alert(account, { event: 'scan' })
    await pass(59 * 60)
    expect(await rows()).toHaveLength(1)
    await pass(HOUR)
    expect(await rows()).toEqual([])
  })

  test('is removed with its waiting alerts when it is gone', async () => {
    const { signUp, connect, alert, behave, channel, rows } = await openAlerts()
    const account = await signUp()
    const { id } = await connect(account, 'push')
    behave(() => ({ result: 'gone', why: 'unsubscribed' }))
    await alert(account)
    expect(await channel(id)).toBeUndefined()
    expect(await rows()).toEqual([])
  })

  test('that was connected again while it answered that it is gone stays, and gets what waits', async () => {
    const { signUp, connect, alert, behave, channel, rows, tried } = await openAlerts()
    const account = await signUp()
    for (const kind of ['push', 'telegram'] as const) {
      const { id } = await connect(account, kind)
      tried.length = 0
      behave(async () => {
        if (tried.length > 1) return delivered
        await connect(account, kind)
        return { result: 'gone', why: 'unsubscribed' }
      })
      await alert(account)
      expect([kind, tried.length, await rows()]).toEqual([kind, 2, []])
      expect(await channel(id)).toMatchObject({ kind, claim: null, failures: 0 })
      behave(() => ({ result: 'gone', why: 'unsubscribed' }))
      await alert(account)
      expect(await channel(id)).toBeUndefined()
    }
  })

  test('for want of the secret key waits for it', async () => {
    const { signUp, connect, alert, tried, rows, db, logged } = await openAlerts()
    const account = await signUp()
    await connect(account, 'push')
    await db.updateTable('alert_channels').set({ target: 'x' }).execute()
    await alert(account)
    expect(tried).toEqual([])
    expect(await rows()).toHaveLength(1)
    expect(logged.join()).toContain('encrypted with another secret.key')
  })

  test('writes no word of the alert and no address into the log', async () => {
    const { signUp, connect, alert, behave, logged } = await openAlerts()
    const account = await signUp()
    await connect(account, 'ntfy', 'https://ntfy.example/kulkarni')
    behave(() => dead)
    await alert(account, { title: 'MH12QX4827', body: 'At the gate' })
    expect(logged.join()).toContain('alert failed')
    for (const secret of ['MH12QX4827', 'At the gate', 'kulkarni', account.email ?? '']) {
      expect(logged.join()).not.toContain(secret)
    }
  })
})

test('a mailbox that refuses alerts counts as not reachable, until one is sent', async () => {
  const { signUp, alert, deps, db, mails } = await openAlerts()
  const account = await signUp()
  const { send } = deps.mailer
  const refusal = { code: 'EENVELOPE', responseCode: 550, command: 'RCPT TO' }
  deps.mailer.send = () => Promise.reject(Object.assign(new Error('no mailbox'), refusal))
  await alert(account)
  const email = async () => (await listChannels(db, deps.secretKey, account.id))[0]
  expect(await email()).toMatchObject({ id: 'email', unreachable_since: NOW })
  deps.mailer.send = send
  await alert(account)
  expect(mails).toHaveLength(1)
  expect(await email()).toMatchObject({ unreachable_since: null })
})

test('a mailbox that takes an alert or a test gets what failed before', async () => {
  const { signUp, alert, deps, mails, pass, rows } = await openAlerts()
  const { send } = deps.mailer
  const reached = {
    'an alert': (account: { id: string }) => alert(account),
    'a test': (account: Awaited<ReturnType<typeof signUp>>) => testChannel(deps, account, 'email'),
  }
  for (const [by, reach] of Object.entries(reached)) {
    const account = await signUp()
    deps.mailer.send = () => Promise.reject(Object.assign(new Error('mailbox full'), FULL))
    await alert(account)
    for (let n = 0; n < 4; n++) await pass(HOUR)
    const [waiting] = await rows()
    const wait = Date.parse(waiting?.next_attempt_at ?? '') - deps.clock().getTime()
    expect([by, wait > 60_000]).toEqual([by, true])
    deps.mailer.send = send
    mails.length = 0
    await reach(account)
    await pass(0)
    expect([by, mails.length, await rows()]).toEqual([by, 2, []])
  }
})

describe('in quiet hours', () => {
  const NIGHT = { now: '2026-11-20T18:00:00.000Z' }
  const MORNING = 7.5 * HOUR

  test('alerts wait until they end, on every channel, and urgent ones do not', async () => {
    const { signUp, connect, alert, tried, mails, pass, db } = await openAlerts(NIGHT)
    const account = await signUp()
    await connect(account, 'push')
    await changeAlertSettings(db, account.id, { quietHours: { from: '22:00', to: '07:00' } })
    await alert(account, { title: 'later' })
    await alert(account, { title: 'now', isUrgent: true })
    await alert(account, { title: 'security', event: 'security' })
    expect(tried.map((each) => each.alert.title)).toEqual(['now'])
    expect(mails).toHaveLength(2)
    await pass(MORNING - 1)
    expect(tried).toHaveLength(1)
    await pass(1)
    expect(tried.map((each) => [each.alert.title, each.at])).toEqual([
      ['now', NIGHT.now],
      ['later', NIGHT.now],
    ])
    expect(mails).toHaveLength(3)
  })

  test('alerts that waited are tried for a day from their end', async () => {
    const { signUp, connect, alert, behave, pass, db, rows } = await openAlerts(NIGHT)
    const account = await signUp()
    await connect(account, 'push')
    await changeAlertSettings(db, account.id, { quietHours: { from: '22:00', to: '07:00' } })
    behave(() => dead)
    await alert(account)
    const due = '2026-11-21T01:30:00.000Z'
    expect(await rows()).toMatchObject([
      { next_attempt_at: due, expires_at: '2026-11-22T01:30:00.000Z' },
      { next_attempt_at: due, expires_at: '2026-11-22T01:30:00.000Z' },
    ])
    await pass(MORNING + 23 * HOUR)
    expect(await rows()).toHaveLength(1)
  })
})

describe('the log of a webhook', () => {
  async function openHook() {
    const opened = await openAlerts()
    const account = await opened.signUp({ subscription_plan: 'enterprise' })
    const { id } = await opened.connect(account, 'webhook')
    const log = () => listDeliveries(opened.db, account.id, id)
    const again = (deliveryId: string, of = account.id) =>
      sendAgain(opened.db, of, { channelId: id, deliveryId }, opened.deps.clock())
    return { ...opened, account, id, log, again }
  }

  test('lists the answer to each delivery, and the time of the next try', async () => {
    const { account, alert, log, behave, pass } = await openHook()
    await alert(account)
    expect(await log()).toMatchObject([
      { type: 'message', created_at: NOW, attempts: 1, status: 'delivered', answer: '200' },
    ])
    behave(() => dead)
    await pass(60)
    await alert(account, { event: 'lost_scan' })
    const [waiting] = await log()
    expect(waiting).toMatchObject({
      type: 'lost_scan',
      attempts: 1,
      status: 'waiting',
      answer: 'no answer in 5 s',
      next_try_at: '2026-11-20T10:01:20.000Z',
    })
    for (let n = 0; n < 5; n++) await pass(HOUR)
    expect((await log())[0]).toMatchObject({ status: 'failed', answer: 'no answer in 5 s' })
  })

  test('has the last 50', { tags: 'slow' }, async () => {
    const { account, alert, log, pass } = await openHook()
    for (let n = 0; n < 53; n++) {
      await alert(account)
      await pass(1)
    }
    const listed = await log()
    expect(listed).toHaveLength(50)
    expect(listed[0]?.created_at).toBe('2026-11-20T10:00:52.000Z')
  })

  test('sends one again under its id, and one that waits at once', async () => {
    const { account, alert, log, again, tried, behave, pass } = await openHook()
    await alert(account, { title: 'once' })
    const [first] = await log()
    await again(first?.id ?? '')
    expect((await log())[0]).toMatchObject({ status: 'waiting', answer: null, next_try_at: null })
    await pass(0)
    expect(tried.map(({ id, alert: { title } }) => [id, title])).toEqual([
      [first?.id, 'once'],
      [first?.id, 'once'],
    ])
    behave(() => dead)
    await pass(10)
    await alert(account)
    behave(() => delivered)
    await again((await log())[0]?.id ?? '')
    await pass(0)
    expect((await log()).map(({ status }) => status)).toEqual(['delivered', 'delivered'])
  })

  test('is the owner’s alone', async () => {
    const { account, alert, log, again, signUp, db, id } = await openHook()
    await alert(account)
    const other = await signUp()
    const [first] = await log()
    await expect(again(first?.id ?? '', other.id)).rejects.toThrow('Channel not found')
    await expect(listDeliveries(db, other.id, id)).rejects.toThrow('Channel not found')
    await expect(again('unknown')).rejects.toThrow('Delivery not found')
  })
})

describe('a channel that does not answer', () => {
  test('keeps only its own deliveries waiting, and is not asked twice at once', async () => {
    const { signUp, connect, alert, tried, behave, deps, db, sender } = await openAlerts()
    const [slow, quick] = [await signUp(), await signUp()]
    await connect(slow, 'ntfy', 'slow')
    let answer = () => {}
    const answered = new Promise<void>((resolve) => {
      answer = resolve
    })
    behave(async ({ target }) => {
      if (JSON.stringify(target).includes('slow')) await answered
      return delivered
    })
    await sender.stop()
    await alert(slow)
    await connect(quick, 'ntfy', 'quick')
    for (let n = 0; n < 20; n++) await alert(quick)
    const again = startSender({ ...deps, secondMs: 10 })
    const arrived = () => tried.filter(({ target }) => JSON.stringify(target).includes('quick'))
    await expect.poll(() => arrived().length).toBe(20)
    expect(tried).toHaveLength(21)
    answer()
    await again.stop()
    expect(tried).toHaveLength(21)
    expect(await db.selectFrom('outbox').where('kind', '=', 'ntfy').selectAll().execute()).toEqual(
      [],
    )
  })

  test('has what is on its way finished by a stop, and the rest stays untried', async () => {
    const { signUp, connect, alert, tried, behave, deps, rows, sender } = await openAlerts()
    await sender.stop()
    const account = await signUp()
    await connect(account, 'ntfy')
    for (let n = 0; n < 10; n++) await alert(account, { title: String(n) })
    let begun = () => {}
    const isBegun = new Promise<void>((resolve) => {
      begun = resolve
    })
    behave(async () => {
      begun()
      await new Promise((resolve) => setTimeout(resolve, 100))
      return delivered
    })
    const stopped = startSender(deps)
    await isBegun
    await stopped.stop()
    const left = (await rows()).filter(({ kind }) => kind === 'ntfy')
    expect(left.length + tried.length).toBe(10)
    expect(left.length).toBeGreaterThan(0)
    expect(left.map(({ attempts }) => attempts)).toEqual(left.map(() => 0))
    const next = startSender(deps)
    await expect.poll(() => tried.length).toBe(10)
    await next.stop()
  })
})
