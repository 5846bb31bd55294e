import { describe, expect, onTestFinished, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { setPassword } from '#db/accounts/passwords.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import { findFinderConversation } from '#db/conversations/finder-conversations.ts'
import type { QrCode } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { ALERT_EVENTS, type Choice } from '#domain/alerts/alert.ts'
import { SMTP } from '#tests/support/alerting.ts'
import { PASSWORD } from '#tests/support/app.ts'
import { dead, delivered, recordingChannels } from '#tests/support/channels.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openConversations, senderFrom } from '#tests/support/conversations.ts'
import { registeredChild } from '#tests/support/families.ts'

const BROWSER = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile' }
const NAME = 'MH 12 QX 4827'
const NIGHT = { from: '00:00', to: '23:59' }

/** An owner whose every event goes to one push channel and the mailbox. */
async function openCauses({
  code = {},
  env = {},
}: {
  code?: Partial<QrCode>
  env?: Record<string, string>
} = {}) {
  const recording = recordingChannels()
  const opened = await openConversations({
    env: { ...SMTP, ...env },
    code,
    channels: recording.channels,
  })
  const { db, deps, owner, sender, scanAlerts, mails, ask, qr_id } = opened
  const push = { kind: 'push', name: 'Phone', address: 'phone', target: {} } as const
  await addChannel(db, deps.secretKey, owner.id, push, deps.clock())
  const isOn = true
  const choices = ALERT_EVENTS.map((event) => ({ event, kind: 'push', isOn }) as const)
  await changeAlertSettings(db, owner.id, { choices })
  const scan = async (headers: Record<string, string> = BROWSER, path = `/scan/${qr_id}`) => {
    const answer = await ask('GET', path, { headers })
    await scanAlerts.settled()
    await sender.settled()
    return answer.status
  }
  const titles = () => recording.tried.map(({ alert }) => alert.title)
  const subjects = () => mails.filter(({ to }) => to === owner.email).map(({ subject }) => subject)
  const choose = (...choices: Choice[]) => changeAlertSettings(db, owner.id, { choices })
  const keepQuiet = () => changeAlertSettings(db, owner.id, { quietHours: NIGHT })
  return { ...opened, ...recording, scan, titles, subjects, choose, keepQuiet }
}

describe('a message of a finder', () => {
  test('is told on every channel with its words, and leads to the conversation', async () => {
    const { begin, tried, subjects } = await openCauses()
    const { id } = await begin({
      text: 'I have them.\nSee evil.com',
      place: 'Gate 2',
      name: 'Ravi',
    })
    expect(tried.map(({ alert }) => alert)).toEqual([
      {
        event: 'message',
        title: `I found these keys · ${NAME}`,
        body: 'I have them.\nSee evil. com',
        url: `https://keys.example.in/dashboard?tab=messages&conversation=${id}`,
        isUrgent: false,
        qr_id: expect.any(String),
      },
    ])
    expect(subjects()).toEqual([`I found these keys · ${NAME}`])
  })

  test('carries a contact in the mail alone, and only when it was ticked', async () => {
    const { begin, tried, mails } = await openCauses({ code: { contact_mode: 'relay' } })
    await begin({ reply_to: '98765 43210', show_contact: true, text: '' })
    expect(mails[0]?.text).toContain('+91 98765 43210')
    expect(JSON.stringify(tried)).not.toMatch(/43210|9876543210/)
    expect(tried[0]?.alert.body).toBe(`Somebody wrote to you about ${NAME}: I found these keys`)
  })

  test('is told once in 5 minutes, and then all that was held back together', async () => {
    const { begin, tried, deps, advance, db, sender } = await openCauses()
    const { answerAsFinder } = await import('#actions/conversations/conversations.ts')
    const { token } = await begin({ text: 'first' })
    for (const text of ['second', 'third']) {
      await answerAsFinder(deps, { token, text, sender: senderFrom('x'), lang: 'en' })
    }
    await sender.settled()
    expect(tried).toHaveLength(1)
    expect(await db.selectFrom('outbox').select('kind').execute()).toHaveLength(2)
    advance(300)
    deps.outbox.wake()
    await sender.settled()
    expect(tried.map(({ alert }) => alert.body)).toEqual(['first', 'second\nthird'])
  })

  test.each([
    ['an accident', { reason: 'accident' }, {}],
    ['a lost code', {}, { lost_since: '2026-11-19T10:00:00.000Z' }],
  ])('of %s does not wait for the end of quiet hours', async (_, fields, code) => {
    const { begin, tried, keepQuiet, subjects } = await openCauses({ code })
    await keepQuiet()
    await begin({ ...fields })
    expect(tried.map(({ alert }) => alert.isUrgent)).toEqual([true])
    expect(subjects()).toHaveLength(1)
  })

  test('waits no longer once the code is lost and the finder writes again', async () => {
    const { begin, tried, keepQuiet, subjects, db, deps, sender } = await openCauses()
    const { answerAsFinder } = await import('#actions/conversations/conversations.ts')
    await keepQuiet()
    const { token } = await begin({ text: 'first' })
    await db.updateTable('qr_codes').set({ lost_since: '2026-11-20T09:00:00.000Z' }).execute()
    for (const text of ['second', 'third']) {
      await answerAsFinder(deps, { token, text, sender: senderFrom('x'), lang: 'en' })
      await sender.settled()
    }
    expect(tried.map(({ alert }) => alert.body)).toEqual(['first\nsecond'])
    expect(subjects()).toHaveLength(1)
    const due = await db.selectFrom('outbox').select('next_attempt_at').execute()
    const soon = new Date(deps.clock().getTime() + 300_000).toISOString()
    expect(due).toEqual([{ next_attempt_at: soon }, { next_attempt_at: soon }])
  })

  test('waits in quiet hours, in the mailbox too', async () => {
    const { begin, tried, keepQuiet, subjects, db } = await openCauses()
    await keepQuiet()
    await begin()
    expect([tried, subjects()]).toEqual([[], []])
    const due = await db.selectFrom('outbox').select(['kind', 'next_attempt_at']).execute()
    expect(new Set(due.map(({ next_attempt_at }) => next_attempt_at))).toEqual(
      new Set(['2026-11-20T18:29:00.000Z']),
    )
    expect(due).toHaveLength(2)
  })

  test('is told to nobody once it is stopped or muted', async () => {
    const { begin, keepQuiet, db, deps, call } = await openCauses()
    const { stopConversation } = await import('#actions/conversations/conversations.ts')
    const waiting = () => db.selectFrom('outbox').select('id').execute()
    await keepQuiet()
    const { token } = await begin()
    expect(await waiting()).toHaveLength(2)
    await stopConversation(deps, token)
    expect(await waiting()).toEqual([])
    const { id } = await begin()
    await call('PUT', `/${id}/mute`, { json: { muted: true } })
    expect(await waiting()).toEqual([])
  })
})

describe('an alert that waits in quiet hours', () => {
  const SETTINGS = '/api/notifications/settings'

  test('is taken back where it is switched off, and there alone', async () => {
    const { begin, keepQuiet, db, ask, owner } = await openCauses()
    await keepQuiet()
    await begin()
    const off = (choices: object) =>
      ask('PUT', SETTINGS, { as: owner, json: { events: { message: choices, plan: choices } } })
    await off({ ntfy: false, push: false })
    expect(await db.selectFrom('outbox').select('kind').execute()).toEqual([{ kind: 'email' }])
    await off({ email: false })
    expect(await db.selectFrom('outbox').select('kind').execute()).toEqual([])
  })

  test('and is taken back holds up nothing that is urgent later', async () => {
    const { begin, keepQuiet, db, call, deps, advance, sender, tried } = await openCauses()
    const { answerAsFinder } = await import('#actions/conversations/conversations.ts')
    await keepQuiet()
    const { id, token } = await begin()
    for (const muted of [true, false]) await call('PUT', `/${id}/mute`, { json: { muted } })
    await db.updateTable('qr_codes').set({ lost_since: deps.clock().toISOString() }).execute()
    await answerAsFinder(deps, {
      token,
      text: 'Here they are',
      lang: 'en',
      sender: senderFrom('x'),
    })
    advance(300)
    deps.outbox.wake()
    await sender.settled()
    expect(tried.map(({ alert }) => alert.body)).toEqual(['Here they are'])
  })
})

describe('quiet hours that are switched off', () => {
  const put = (opened: Awaited<ReturnType<typeof openCauses>>, quiet_hours: object | null) =>
    opened.ask('PUT', '/api/notifications/settings', { as: opened.owner, json: { quiet_hours } })

  test('release the message of a finder, and later alerts keep their distance', async () => {
    const opened = await openCauses()
    const { begin, tried, subjects, keepQuiet, advance, deps, sender, db } = opened
    const { answerAsFinder } = await import('#actions/conversations/conversations.ts')
    await keepQuiet()
    const { token } = await begin({ text: 'first' })
    advance(60)
    expect((await put(opened, null)).status).toBe(200)
    await sender.settled()
    expect(tried.map(({ alert }) => alert.body)).toEqual(['first'])
    expect(subjects()).toHaveLength(1)
    await answerAsFinder(deps, { token, text: 'second', lang: 'en', sender: senderFrom('x') })
    await sender.settled()
    expect(tried).toHaveLength(1)
    advance(300)
    deps.outbox.wake()
    await sender.settled()
    expect(tried.map(({ alert }) => alert.body)).toEqual(['first', 'second'])
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('let out a second message 5 minutes after the first one at the soonest', async () => {
    const opened = await openCauses()
    const { begin, tried, keepQuiet, advance, deps, sender } = opened
    const { answerAsFinder } = await import('#actions/conversations/conversations.ts')
    const { token } = await begin({ text: 'first' })
    await keepQuiet()
    await answerAsFinder(deps, { token, text: 'second', lang: 'en', sender: senderFrom('x') })
    advance(60)
    await put(opened, null)
    await sender.settled()
    expect(tried).toHaveLength(1)
    advance(240)
    deps.outbox.wake()
    await sender.settled()
    expect(tried.map(({ alert }) => alert.body)).toEqual(['first', 'second'])
  })

  test('let out the scans that were counted, those of others’ codes not', async () => {
    const opened = await openCauses()
    const { scan, tried, keepQuiet, advance, scanAlerts, sender, db, signUp } = opened
    const stranger = await signUp()
    const code = await insertCode(db, stranger.id)
    const waiting = { qr_id: code.qr_id, event: 'scan', scans: 3 } as const
    const [since, due_at] = ['2026-11-20T09:00:00.000Z', '2026-11-21T09:00:00.000Z']
    await db
      .insertInto('scan_alerts')
      .values({ ...waiting, account_id: stranger.id, since, due_at })
      .execute()
    await keepQuiet()
    await scan()
    advance(60)
    await scan()
    await put(opened, null)
    await scanAlerts.settled()
    await sender.settled()
    expect(tried.map(({ alert }) => alert.body)).toEqual([`${NAME}: 2 scans in the last minute.`])
    expect(
      await db.selectFrom('scan_alerts').select('due_at').where('qr_id', '=', code.qr_id).execute(),
    ).toEqual([{ due_at }])
  })

  test('and set to end sooner or later have what waits come at their end', async () => {
    const opened = await openCauses()
    const { begin, keepQuiet, db } = opened
    await keepQuiet()
    await begin()
    const dues = async () => {
      const rows = await db.selectFrom('outbox').select(['next_attempt_at', 'expires_at']).execute()
      expect(rows).toHaveLength(2)
      return [...new Set(rows.map(({ next_attempt_at }) => next_attempt_at))]
    }
    await put(opened, { from: '15:00', to: '16:00' })
    expect(await dues()).toEqual(['2026-11-20T10:30:00.000Z'])
    await put(opened, { from: '15:00', to: '17:00' })
    expect(await dues()).toEqual(['2026-11-20T11:30:00.000Z'])
  })

  test('leave what failed where it is', async () => {
    const opened = await openCauses()
    const { begin, behave, tried } = opened
    behave(() => ({ result: 'failed', why: 'x', retryAfter: 3_600 }))
    await begin()
    await put(opened, null)
    await opened.sender.settled()
    expect(tried).toHaveLength(1)
  })
})

describe('a scan', () => {
  test('alerts at once, and those of the next 15 minutes are one alert', async () => {
    const { scan, titles, advance, tried } = await openCauses()
    await scan()
    expect(titles()).toEqual([`Scanned · ${NAME}`])
    expect(tried[0]?.alert.body).toBe(`${NAME}: 1 scan on 20 Nov 2026, 3:30 pm (Asia/Kolkata).`)
    for (let n = 0; n < 3; n++) {
      advance(240)
      await scan()
    }
    expect(titles()).toHaveLength(1)
    advance(180)
    await scan({ 'User-Agent': 'Googlebot/2.1' })
    expect(titles()).toEqual([`Scanned · ${NAME}`, `Scanned 3 times · ${NAME}`])
    expect(tried[1]?.alert.body).toBe(`${NAME}: 3 scans in the last 15 minutes.`)
    advance(899)
    await scan()
    expect(titles()).toHaveLength(2)
    advance(1)
    await scan({ 'User-Agent': 'Googlebot/2.1' })
    expect(titles()).toHaveLength(3)
    advance(900)
    await scan()
    expect(titles()).toHaveLength(4)
  })

  test.each([
    ['a robot', { 'User-Agent': 'Googlebot/2.1' }],
    ['a link preview', { 'User-Agent': 'WhatsApp/2.23' }],
    ['a prefetch', { ...BROWSER, 'Sec-Purpose': 'prefetch' }],
  ])('of %s never alerts', async (_, headers) => {
    const { scan, tried } = await openCauses({ code: { lost_since: '2026-11-19T10:00:00.000Z' } })
    expect(await scan(headers)).toBe(200)
    expect(tried).toEqual([])
  })

  test('of the owner or a returning finder never alerts, and one by the API does', async () => {
    const { scan, tried, owner, qr_id, titles } = await openCauses()
    await scan({ ...BROWSER, Cookie: `__Host-${owner.cookie}` })
    await scan({ ...BROWSER, Cookie: `__Host-${owner.cookie}` }, `/scan/${qr_id}?preview=1`)
    await scan({ ...BROWSER, 'Sec-Fetch-Site': 'same-origin' }, `/scan/${qr_id}?seen=1`)
    await scan(BROWSER, '/scan/DEMO')
    expect(tried).toEqual([])
    await scan(BROWSER, `/api/scan/${qr_id}`)
    expect(titles()).toEqual([`Scanned · ${NAME}`])
  })

  test('alerts nobody by default, and nothing is kept of it', async () => {
    const { db, ask, signUp, scanAlerts } = await openConversations({ env: SMTP })
    const { qr_id } = await insertCode(db, (await signUp()).id)
    await ask('GET', `/scan/${qr_id}`, { headers: BROWSER })
    await scanAlerts.settled()
    expect(await db.selectFrom('scan_alerts').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
  })

  test('in quiet hours is counted into one alert when they end', async () => {
    const { scan, tried, db, owner, advance } = await openCauses()
    const quietHours = { from: '15:00', to: '16:00' }
    await changeAlertSettings(db, owner.id, { quietHours })
    await scan()
    advance(20 * 60)
    await scan()
    expect(tried).toEqual([])
    advance(10 * 60)
    await scan({ 'User-Agent': 'Googlebot/2.1' })
    expect(tried.map(({ alert }) => alert.body)).toEqual([
      `${NAME}: 2 scans since 20 Nov 2026, 3:30 pm (Asia/Kolkata).`,
    ])
  })

  test('of a lost code alerts everywhere, once a minute, quiet hours notwithstanding', async () => {
    const code = { lost_since: '2026-11-19T10:00:00.000Z' }
    const { scan, tried, titles, subjects, keepQuiet, advance } = await openCauses({ code })
    await keepQuiet()
    await scan()
    await scan()
    expect(titles()).toEqual([`Lost code scanned · ${NAME}`])
    expect(subjects()).toEqual([`Lost code scanned · ${NAME}`])
    expect(tried[0]?.alert).toMatchObject({ event: 'lost_scan', isUrgent: true })
    advance(60)
    await scan({ 'User-Agent': 'Googlebot/2.1' })
    expect(tried[1]?.alert.body).toBe(`${NAME}, which is reported lost: 1 scan in the last minute.`)
  })

  test('of a child’s code alerts the child user, and not its parent', async () => {
    const opened = await openCauses()
    const { db, scanAlerts, sender, owner, ask, deps, tried } = opened
    const { qr_id, child_account_id } = await registeredChild(opened, owner.id)
    await ask('GET', `/scan/${qr_id}`, { headers: BROWSER })
    await scanAlerts.settled()
    await sender.settled()
    expect(tried).toEqual([])
    const push = { kind: 'push', name: 'Phone', address: 'child', target: {} } as const
    const child = child_account_id ?? ''
    await addChannel(db, deps.secretKey, child, push, deps.clock())
    const on = { event: 'scan', kind: 'push', isOn: true } as const
    await changeAlertSettings(db, child, { choices: [on] })
    await ask('GET', `/scan/${qr_id}`, { headers: BROWSER })
    await scanAlerts.settled()
    await sender.settled()
    expect(tried).toHaveLength(1)
  })
})

test('scans of many codes give an account 120 alerts an hour, and the others are counted', {
  tags: 'slow',
}, async () => {
  const { db, deps, owner, scanAlerts, sender, titles, tried, advance } = await openCauses()
  const lost_since = deps.clock().toISOString()
  const codes = await Promise.all(
    Array.from({ length: 125 }, () => insertCode(db, owner.id, { lost_since })),
  )
  const scan = async (some: typeof codes) => {
    for (const { qr_id } of some) deps.scanCounter.note({ qr_id, lost_since })
    await scanAlerts.settled()
    await sender.settled()
  }
  await scan(codes)
  expect(titles()).toHaveLength(120)
  advance(1_800)
  await scan(codes.slice(0, 5))
  expect(titles()).toHaveLength(120)
  advance(1_800)
  await scanAlerts.settled()
  await sender.settled()
  expect(new Set(tried.map(({ alert }) => alert.qr_id)).size).toBe(125)
})

test('scans that were counted are told although others come without a pause', async () => {
  const { db, deps, owner, qr_id, titles } = await openCauses()
  const scanned = await insertCode(db, owner.id, { vehicle_registration: 'KA05ZZ0003' })
  const scan = () => deps.scanCounter.note({ qr_id: scanned.qr_id, lost_since: null })
  const scanning = setInterval(scan, 20)
  onTestFinished(() => clearInterval(scanning))
  await expect.poll(titles).toEqual(['Scanned · KA 05 ZZ 0003'])
  const [since, due_at] = ['2026-11-20T09:00:00.000Z', '2026-11-20T09:15:00.000Z']
  await db
    .insertInto('scan_alerts')
    .values({ qr_id, event: 'scan', account_id: owner.id, scans: 3, since, due_at })
    .execute()
  await expect.poll(titles).toContain(`Scanned 3 times · ${NAME}`)
})

describe('other events', () => {
  test('the authority page alerts once a view, and not of robots or the owner', async () => {
    const { ask, qr_id, owner, titles, tried } = await openCauses()
    const look = (headers: Record<string, string>) => ask('GET', `/police/${qr_id}`, { headers })
    expect((await look(BROWSER)).status).toBe(200)
    expect(titles()).toEqual([`Authority page opened · ${NAME}`])
    expect(tried[0]?.alert.url).toBe('https://keys.example.in/dashboard?tab=documents')
    await look({ 'User-Agent': 'Googlebot/2.1' })
    await look({ ...BROWSER, Cookie: `__Host-${owner.cookie}` })
    expect(titles()).toHaveLength(1)
  })

  test('the authority page alerts once in a quarter of an hour, however often it is opened', async () => {
    const { ask, titles, subjects, choose, sender, qr_id, advance } = await openCauses()
    await choose({ event: 'police_view', kind: 'email', isOn: true })
    const OPENED = `Authority page opened · ${NAME}`
    const look = (n: number) =>
      ask('GET', `/police/${qr_id}`, { headers: BROWSER, peer: `203.0.113.${n}` })
    for (let n = 0; n < 20; n++) expect((await look(n)).status).toBe(200)
    await sender.settled()
    expect([titles(), subjects()]).toEqual([[OPENED], [OPENED]])
    advance(900)
    await look(1)
    await sender.settled()
    expect(titles()).toHaveLength(2)
  })

  test('the authority pages of many codes give an account 120 alerts an hour', {
    tags: 'slow',
  }, async () => {
    const { ask, db, owner, sender, titles, advance } = await openCauses()
    const codes = await Promise.all(Array.from({ length: 125 }, () => insertCode(db, owner.id)))
    const lookAt = async (some: typeof codes) => {
      for (const [n, { qr_id }] of some.entries()) {
        const asked = { headers: BROWSER, peer: `203.0.113.${n}` }
        expect((await ask('GET', `/police/${qr_id}`, asked)).status).toBe(200)
      }
      await sender.settled()
    }
    await lookAt(codes)
    expect(titles()).toHaveLength(120)
    advance(1_800)
    await lookAt(codes.slice(0, 5))
    expect(titles()).toHaveLength(120)
    advance(1_801)
    await lookAt(codes.slice(0, 5))
    expect(titles()).toHaveLength(125)
  })

  test('alerts of security are 120 an hour on channels, and all are mailed', async () => {
    const { ask, db, deps, owner, qr_id, sender, titles, subjects } = await openCauses()
    const changed = 'Mobile number changed'
    const about = {
      accountId: owner.id,
      alert: {
        event: 'security',
        title: changed,
        body: changed,
        url: 'https://keys.example.in/settings/security',
        isUrgent: false,
        qr_id: null,
      },
      mail: { subject: changed, text: changed, html: changed },
    } as const
    for (let n = 0; n < 125; n++) await inTransaction(db, (trx) => deps.outbox.alert(trx, about))
    await sender.settled()
    expect([titles().length, subjects().length]).toEqual([120, 125])
    // Nobody uses those of one kind up to hide another.
    await ask('GET', `/police/${qr_id}`, { headers: BROWSER })
    await sender.settled()
    expect(titles().at(-1)).toBe(`Authority page opened · ${NAME}`)
  })

  test('a child’s reset request alerts the owner once, also when others request one', async () => {
    const opened = await openCauses()
    const { ask, owner, titles, subjects } = opened
    const child = { kind: 'email', email: 'child@example.in' } as const
    const { qr_id } = await registeredChild(opened, owner.id, { contact: child })
    const forgot = (contact: string) =>
      ask('POST', '/api/qr/forgot-password', { json: { qr_id, contact } })
    await forgot('somebody@example.in')
    expect(titles()).toEqual([])
    await forgot(child.email)
    await forgot(child.email)
    expect(titles()).toHaveLength(1)
    expect(subjects()[0]).toMatch(/^Password reset request · /)
    expect(JSON.stringify(opened.tried)).not.toContain(child.email)
  })

  test('a sign-in on a new device alerts, and one on a known device does not', async () => {
    const { ask, owner, titles, tried, advance, db } = await openCauses()
    const recently = '2026-11-01T10:00:00.000Z'
    await db
      .updateTable('accounts')
      .set({ created_at: recently, email_verified_at: recently })
      .execute()
    const login = (cookie = '') =>
      ask('POST', '/api/auth/login', {
        headers: { ...BROWSER, ...(cookie && { Cookie: cookie }) },
        json: { contact: owner.email, password: PASSWORD },
      })
    const first = await login()
    expect(first.status).toBe(200)
    expect(titles()).toEqual(['New sign-in to your DriveQR account'])
    expect(tried[0]?.alert.body).toMatch(/on a phone \(Android\) that was not used for it before/)
    const cookies = first.headers.getSetCookie().map((each) => each.split(';')[0])
    advance(60)
    await login(cookies.join('; '))
    expect(titles()).toHaveLength(1)
    await login()
    expect(titles()).toHaveLength(2)
  })

  test('a program without cookies alerts once for its name and its network', async () => {
    const { ask, owner, titles, advance, db, deps } = await openCauses()
    const recently = '2026-11-01T10:00:00.000Z'
    const verified = { created_at: recently, email_verified_at: recently }
    await db.updateTable('accounts').set(verified).execute()
    let alerts = 0
    const login = async (agent: string, peer = '203.0.113.7') => {
      const { status } = await ask('POST', '/api/auth/login', {
        headers: { 'User-Agent': agent },
        peer,
        json: { contact: owner.email, password: PASSWORD },
      })
      expect(status).toBe(200)
      const before = alerts
      alerts = titles().length
      return alerts - before
    }
    expect(await login('curl/8.5.0')).toBe(1)
    expect(await login('curl/8.5.0')).toBe(0)
    expect(await login('curl/9.0.0')).toBe(0)
    expect(await login('curl/8.5.0', '203.0.113.8')).toBe(1)
    expect(await login('python-requests/2.32')).toBe(1)
    expect(await login('')).toBe(1)
    expect(await login('')).toBe(0)
    for (let n = 0; n < 2; n++)
      expect(await login('Mozilla/5.0 (X11; Linux) Firefox/140.0')).toBe(1)
    const stored = JSON.stringify(await db.selectFrom('known_programs').selectAll().execute())
    expect(stored).not.toMatch(/curl|203\.0\.113/)
    advance(89 * 86_400)
    await sweepTables(deps)
    expect(await login('curl/8.5.0')).toBe(0)
    advance(90 * 86_400)
    await sweepTables(deps)
    expect(await db.selectFrom('known_programs').selectAll().execute()).toEqual([])
    expect(await login('curl/8.5.0')).toBe(1)
  })

  test('a new password makes every program a new one', async () => {
    const { ask, owner, titles, db, deps } = await openCauses()
    await db.updateTable('accounts').set({ email_verified_at: '2026-11-01' }).execute()
    const login = (password: string) =>
      ask('POST', '/api/auth/login', { json: { contact: owner.email, password } })
    await login(PASSWORD)
    const push = { kind: 'push', name: 'Phone', address: 'phone', target: {} } as const
    const set = { accountId: owner.id, passwordHash: await hashPassword('second horse') }
    await inTransaction(db, (trx) => setPassword(trx, deps.secretKey, set))
    await addChannel(db, deps.secretKey, owner.id, push, deps.clock())
    await login('second horse')
    await login('second horse')
    expect(titles()).toHaveLength(2)
  })

  test('a sign-in alerts in quiet hours, and by mail on any choice of channels', async () => {
    const { ask, owner, subjects, keepQuiet, db } = await openCauses()
    await db.updateTable('accounts').set({ email_verified_at: '2026-11-01' }).execute()
    await keepQuiet()
    await ask('POST', '/api/auth/login', { json: { contact: owner.email, password: PASSWORD } })
    expect(subjects()).toEqual(['New sign-in to your DriveQR account'])
  })
})

test.each(['push', 'email'] as const)(
  'a finder reads that the owner was told once %s has taken the alert, not when it has expired',
  async (kind) => {
    const opened = await openCauses()
    const { begin, behave, choose, advance, deps, sender, db } = opened
    const { answerAsFinder } = await import('#actions/conversations/conversations.ts')
    await choose({ event: 'message', kind: kind === 'push' ? 'email' : 'push', isOn: false })
    const { send } = deps.mailer
    behave(() => dead)
    const full = { code: 'EENVELOPE', responseCode: 452, command: 'RCPT TO' }
    deps.mailer.send = () => Promise.reject(Object.assign(new Error('mailbox full'), full))
    const { token } = await begin({ text: 'first' })
    const toldAt = async () => (await findFinderConversation(db, token))?.told_at
    await sender.settled()
    expect(await db.selectFrom('outbox').select('kind').execute()).toEqual([{ kind }])
    expect(await toldAt()).toBeNull()
    advance(2 * 86_400)
    deps.outbox.wake()
    await sender.settled()
    const left = await db.selectFrom('outbox').where('event', '=', 'message').select('id').execute()
    expect(left).toEqual([])
    expect(await toldAt()).toBeNull()
    behave(() => delivered)
    deps.mailer.send = send
    advance(2 * 86_400)
    await answerAsFinder(deps, { token, text: 'second', lang: 'en', sender: senderFrom('x') })
    await sender.settled()
    expect(await toldAt()).toBe(deps.clock().toISOString())
  },
)
