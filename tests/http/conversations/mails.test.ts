import { describe, expect, test } from 'vitest'
import { answerAsFinder, stopConversation } from '#actions/conversations/conversations.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { Mail } from '#domain/mail.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openConversations, PLATE, senderFrom } from '#tests/support/conversations.ts'
import { setAccount } from '#tests/support/rows.ts'

const SMTP = { SMTP_URL: 'smtp://127.0.0.1:25', PUBLIC_URL: 'https://keys.example.in' }
const FINDER = 'ravi@example.in'

async function openMails(env: Record<string, string> = {}, code = {}) {
  const opened = await openConversations({ env: { ...SMTP, ...env }, code })
  const { deps, db, call, mails, sender, owner } = opened
  const finderWrites = (token: string, text: string) =>
    answerAsFinder(deps, { token, text, sender: senderFrom('sender'), lang: 'en' })
  const write = (id: string, json: object = { text: 'I am coming now' }) =>
    call('POST', `/${id}/messages`, { json })
  /** The mails that were sent since the last time, to one side. */
  async function sent(to: string | null = owner.email): Promise<Mail[]> {
    // The sender stops, so that a mail waits until a second message replaces it.
    await sender.stop()
    for (let due = await deps.outbox.claim(); due; due = await deps.outbox.claim()) {
      if (due.mail) mails.push(due.mail)
      await deps.outbox.remove(due)
    }
    const some = mails.filter((mail) => mail.to === to)
    mails.length = 0
    return some
  }
  const waiting = () => db.selectFrom('outbox').select(['recipient', 'next_attempt_at']).execute()
  return { ...opened, finderWrites, write, sent, waiting }
}

describe('to the owner', () => {
  test('a mail contains the message and the place, and leads to the dashboard', async () => {
    const { begin, sent } = await openMails()
    const { id, token } = await begin({
      text: 'I have your keys.\nSee www.evil.com or https://evil.com/x?a=1.5 at 10:30',
      place: 'Gate 2, evil.com',
      latitude: 1,
      longitude: 2,
      name: 'Ravi.Kumar',
      reply_to: FINDER,
    })
    const [mail, ...others] = await sent()
    expect(others).toEqual([])
    expect(mail?.subject).toBe('I found these keys · MH 12 QX 4827')
    expect(mail?.text).toBe(`This mail is from DriveQR at keys.example.in.
“Ravi. Kumar” wrote to you about MH 12 QX 4827: I found these keys

> I have your keys.
> See www. evil. com or https: //evil. com/x?a=1.5 at 10:30

Where it is: “Gate 2, evil. com”

In your dashboard: a location.

Read and answer:
https://keys.example.in/dashboard?tab=messages&conversation=${id}
`)
    expect(mail?.html).toContain('<blockquote>I have your keys.<br>')
    const all = JSON.stringify(mail)
    for (const secret of [FINDER, token, '9876543210', '/c/']) expect(all).not.toContain(secret)
    expect(mail?.html.match(/href=/g)).toHaveLength(1)
  })

  test('a contact of the finder is in it only when it was ticked', async () => {
    const { begin, sent } = await openMails()
    await begin({ reply_to: '98765 43210', show_contact: true })
    expect((await sent())[0]?.text).toContain('How to reach them: +91 98765 43210')
    await begin({ reply_to: FINDER, show_contact: true })
    expect((await sent())[0]?.text).toContain(`How to reach them: ${FINDER}`)
  })

  test.each([
    [{ vehicle_registration: null }, 'Lights are on, or a window is open · Ramesh Kulkarni'],
    [{}, 'Lights are on, or a window is open · MH 12 QX 4827'],
  ])('the subject names the plate, or else the name', async (code, subject) => {
    const { begin, sent } = await openMails({}, code)
    await begin({ reason: 'lights', text: '' })
    const [mail] = await sent()
    expect(mail?.subject).toBe(subject)
    expect(mail?.text).not.toContain('>')
  })

  test.each([
    { vehicle_registration: 'https://evil.com' },
    { vehicle_registration: null, owner_name: 'www.evil.com' },
  ])('nothing on the code becomes a link: %o', async (code) => {
    const { begin, sent } = await openMails({}, code)
    await begin({ reason: 'lights', text: '' })
    const [mail] = await sent()
    expect(mail?.subject + (mail?.text ?? '')).not.toMatch(/evil\.com|:\/\/evil/i)
  })

  test('none goes to an address that is not verified, nor about a muted conversation', async () => {
    const { begin, call, sent, waiting, finderWrites, db, owner, advance } = await openMails()
    const { id, token } = await begin()
    await sent()
    await finderWrites(token, 'held back')
    expect(await waiting()).toHaveLength(1)
    await call('PUT', `/${id}/mute`, { json: { muted: true } })
    expect(await waiting()).toEqual([])
    await finderWrites(token, 'muted')
    advance(600)
    await finderWrites(token, 'still muted')
    expect(await sent()).toEqual([])
    await call('PUT', `/${id}/mute`, { json: { muted: false } })
    await finderWrites(token, 'heard again')
    expect((await sent())[0]?.text).toContain('heard again')
    await setAccount(db, owner.id, { email_verified_at: null })
    await begin()
    expect(await sent()).toEqual([])
  })

  test('none is made without a mail server', async () => {
    const { begin, db } = await openConversations()
    await begin({ reply_to: FINDER })
    expect(await db.selectFrom('outbox').selectAll().execute()).toEqual([])
    expect(await db.selectFrom('conversation_mails').selectAll().execute()).toEqual([])
  })

  test('names no id that the code got after somebody else had it', async () => {
    const { begin, sent, finderWrites, db, deps, signUp, qr_id, advance } = await openMails()
    const { token } = await begin()
    await sent()
    const other = await signUp()
    await db.updateTable('qr_codes').set({ owner_id: other.id }).execute()
    const { qr_id: newId } = await replaceQrCode(db, other, qr_id, deps.clock())
    advance(300)
    await finderWrites(token, 'Are you there?')
    const [mail] = await sent()
    expect(mail?.subject).toBe(`I found this · ${formatQrId(qr_id)}`)
    expect(JSON.stringify(mail)).not.toContain(formatQrId(newId))
  })
})

describe('of a code that gets many messages', () => {
  const TEN_MINUTES = 600

  async function openMany(env: Record<string, string> = {}) {
    const opened = await openMails(env)
    const { send, call, advance, sent } = opened
    let n = 0
    /** Messages of as many finders, each from a network of its own. */
    const arrive = async (count: number, fields: Record<string, unknown> = {}) => {
      for (let k = 0; k < count; k++) {
        n++
        expect((await send(fields, { peer: `203.${n}.113.7` })).status).toBe(201)
      }
    }
    const subjects = async () => (await sent()).map(({ subject }) => subject)
    const later = async (seconds: number) => {
      advance(seconds)
      return subjects()
    }
    const newest = async () => (await call('GET', '')).body.conversations
    return { ...opened, arrive, subjects, later, newest }
  }

  test('ten are told at once, and the others together every ten minutes', async () => {
    const { arrive, subjects, later, newest } = await openMany()
    await arrive(10)
    expect(await subjects()).toEqual(Array(10).fill('I found these keys · MH 12 QX 4827'))
    await arrive(14)
    expect(await later(TEN_MINUTES - 1)).toEqual([])
    expect(await later(1)).toEqual(['14 more messages · MH 12 QX 4827'])
    await arrive(1)
    expect(await later(TEN_MINUTES)).toEqual(['1 more message · MH 12 QX 4827'])
    expect(await newest()).toHaveLength(25)
    expect(await later(3600)).toEqual([])
    await arrive(1)
    expect(await subjects()).toEqual(['I found these keys · MH 12 QX 4827'])
  })

  test('a message of a finder whom the owner has answered is mailed at once', async () => {
    const { arrive, subjects, later, begin, write, finderWrites } = await openMany()
    const { id, token } = await begin({}, { peer: '198.51.100.1' })
    await arrive(12)
    await subjects()
    await write(id)
    await finderWrites(token, 'I wait here')
    expect(await later(300)).toContain('I found these keys · MH 12 QX 4827')
  })

  test('ten that finders add to earlier conversations are told at once, and the others together', async () => {
    const { send, subjects, advance, finderWrites, tokenOf, arrive } = await openMany()
    const reasons = ['found', 'accident']
    const tokens: string[] = []
    for (let n = 0; n < 14; n++) {
      const { body } = await send({ reason: reasons[n % 2] }, { peer: `198.${n}.113.7` })
      tokens.push(tokenOf(body))
    }
    advance(3600)
    await subjects()
    const told: string[] = []
    for (let n = 1; n <= 6; n++) {
      for (const token of tokens) await finderWrites(token, `Hello ${n}`)
      told.push(...(await subjects()))
      advance(300)
    }
    const together = told.filter((subject) => subject.includes('more messages'))
    expect(together.length).toBeLessThanOrEqual(3)
    expect(told).toHaveLength(10 + together.length)
    await arrive(1)
    expect(await subjects()).toContain('I found these keys · MH 12 QX 4827')
  })

  test('three accidents of a network are told at once, and the others together', async () => {
    const { send, subjects, later, arrive } = await openMany()
    await arrive(11)
    await subjects()
    const accident = { reason: 'accident' }
    for (let n = 1; n < 6; n++) {
      expect((await send(accident, { peer: `198.51.100.${n}` })).status).toBe(201)
    }
    expect(await subjects()).toEqual(Array(3).fill('Accident. Someone is hurt · MH 12 QX 4827'))
    expect(await later(TEN_MINUTES)).toEqual(['3 more messages · MH 12 QX 4827'])
    expect((await send(accident, { peer: '198.51.101.1' })).status).toBe(201)
    expect(await subjects()).toEqual(['Accident. Someone is hurt · MH 12 QX 4827'])
  })

  test('a bundle with an accident does not wait for the end of quiet hours', async () => {
    const { send, later, call, ask, owner } = await openMany({ TIMEZONE: 'UTC' })
    const json = { quiet_hours: { from: '09:00', to: '20:00' } }
    expect((await ask('PUT', '/api/notifications/settings', { as: owner, json })).status).toBe(200)
    const accident = { reason: 'accident' }
    for (let n = 1; n < 5; n++) await send(accident, { peer: `198.51.100.${n}` })
    expect(await later(TEN_MINUTES)).toContain('1 more message · MH 12 QX 4827')
    expect((await call('GET', '')).body.total_count).toBe(4)
  })

  test('without rate limits each is told', async () => {
    const { arrive, subjects } = await openMany({ RATE_LIMITS: 'off' })
    await arrive(12)
    expect(await subjects()).toHaveLength(12)
  })
})

describe('near a blocked sender', () => {
  test('at the same IPv4 address messages arrive without an alert, but of accidents', async () => {
    const { begin, send, call, sent, openBrowser } = await openMails()
    const { id } = await begin({}, { cookie: await openBrowser() })
    await call('POST', `/${id}/block`)
    await sent()
    const other = { cookie: await openBrowser() }
    expect((await send({}, other)).status).toBe(201)
    expect(await sent()).toEqual([])
    expect((await call('GET', '')).body).toMatchObject({ total_count: 2, unread_count: 2 })
    await send({ reason: 'accident' }, other)
    expect(await sent()).toHaveLength(1)
    await send({}, { peer: '198.51.100.9' })
    expect(await sent()).toHaveLength(1)
  })

  test('a finder whom the owner has answered alerts as before', async () => {
    const { begin, call, sent, write, deps, rowOf, openBrowser, advance } = await openMails()
    const { id } = await begin({}, { cookie: await openBrowser() })
    const known = await begin({}, { cookie: await openBrowser() })
    await call('POST', `/${id}/block`)
    await sent()
    const { sender_hash } = await rowOf(known.token)
    const sender = { ...senderFrom('other'), addresses: [sender_hash ?? ''], isShared: true }
    const says = (text: string) =>
      answerAsFinder(deps, { token: known.token, text, sender, lang: 'en' })
    advance(300)
    await says('Are you coming?')
    expect(await sent()).toEqual([])
    await write(known.id)
    await says('Thank you')
    expect(await sent()).toHaveLength(1)
  })
})

describe('to the finder', () => {
  test('a mail leads to the conversation, and has no word of the answer', async () => {
    const { begin, write, sent } = await openMails()
    const { id, token } = await begin({ reply_to: FINDER })
    expect(await sent(FINDER)).toEqual([])
    await write(id, { text: 'Meet me at noon' })
    const [mail] = await sent(FINDER)
    expect(mail?.subject).toBe('The owner answered')
    expect(mail?.text).toContain(`https://keys.example.in/c/${token}\n`)
    expect(JSON.stringify(mail)).not.toMatch(/noon|9876543210|Kulkarni|MH ?12/)
  })

  test('none goes to a mobile number', async () => {
    const { begin, write, sent, waiting } = await openMails()
    const { id } = await begin({ reply_to: '98765 43210', show_contact: true })
    await sent()
    await write(id)
    expect(await waiting()).toEqual([])
  })

  test('one comes with the thanks for returned keys', async () => {
    const { begin, call, sent } = await openMails()
    const { id } = await begin({ reply_to: FINDER })
    await call('PUT', `/${id}/status`, { json: { status: 'returned' } })
    expect(await sent(FINDER)).toHaveLength(1)
  })

  test('none is sent that leads nowhere, after the secret key was lost', async () => {
    const { begin, write, deps, waiting, sent, logged } = await openMails()
    const { id } = await begin({ reply_to: FINDER })
    await sent()
    deps.secretKey = Buffer.alloc(32, 1)
    expect((await write(id)).status).toBe(201)
    expect(await waiting()).toEqual([])
    expect(logged.join()).toContain('the secret key is another one')
  })
})

describe.each([{ RATE_LIMITS: 'on' }, { RATE_LIMITS: 'off' }])('with %o, in 5 minutes', (env) => {
  test('a side gets one mail, and then one about all that was held back', async () => {
    const { begin, finderWrites, sent, advance, waiting, owner } = await openMails(env)
    const { token } = await begin({ text: 'first' })
    expect(await sent()).toHaveLength(1)
    for (const text of ['second', 'third']) {
      advance(60)
      await finderWrites(token, text)
      expect(await sent()).toEqual([])
    }
    expect(await waiting()).toEqual([
      { recipient: owner.email, next_attempt_at: '2026-11-20T10:05:00.000Z' },
    ])
    advance(180)
    const [mail, ...others] = await sent()
    expect(others).toEqual([])
    expect(mail?.text).toContain('> second\n\n> third')
    expect(mail?.text).not.toContain('first')
    await finderWrites(token, 'fourth')
    expect(await sent()).toEqual([])
    advance(300)
    expect((await sent())[0]?.text).toContain('fourth')
    advance(300)
    await finderWrites(token, 'fifth')
    expect((await sent())[0]?.text).toContain('fifth')
  })

  test('each side is counted by itself, and each conversation', async () => {
    const { begin, write, sent } = await openMails(env)
    const one = await begin({ reply_to: FINDER })
    const two = await begin({ reply_to: FINDER })
    for (const { id } of [one, two]) for (let n = 0; n < 3; n++) await write(id)
    expect(await sent(FINDER)).toHaveLength(2)
  })
})

describe('a person who is named as the finder', () => {
  test('gets a limited number of mails about answers in a day, from any number of conversations', async () => {
    const { insert, write, sent, signUp, db, qr_id, call } = await openMails()
    const other = await signUp()
    const { qr_id: otherCode } = await insertCode(db, other.id)
    for (let n = 0; n < 19; n++) await write((await insert({ reply_to: FINDER })).id)
    const json = { text: 'Hi' }
    for (const _ of [1, 2]) {
      const { id } = await insert({ reply_to: FINDER }, otherCode)
      expect((await call('POST', `/${id}/messages`, { json, as: other })).status).toBe(201)
    }
    const { id } = await insert({ reply_to: FINDER }, qr_id)
    await call('PUT', `/${id}/status`, { json: { status: 'returned' } })
    expect(await sent(FINDER)).toHaveLength(20)
    await write((await insert({ reply_to: 'other@example.in' })).id)
    expect(await sent('other@example.in')).toHaveLength(1)
  })

  test('counts as one of the limited number whom an account mails in an hour', async () => {
    const { insert, write, sent, waiting, advance } = await openMails()
    for (let n = 0; n < 31; n++) {
      const { id } = await insert({ reply_to: `ravi${n}@example.in` })
      expect((await write(id)).status).toBe(201)
    }
    await sent()
    expect(await waiting()).toEqual([])
    const { id } = await insert({ reply_to: FINDER })
    await write(id)
    expect(await sent(FINDER)).toEqual([])
    advance(3600)
    await write(id)
    expect(await sent(FINDER)).toHaveLength(1)
  })

  test('is counted once for answers that one mail tells of', async () => {
    const { insert, write, sent, advance } = await openMails()
    const { id } = await insert({ reply_to: FINDER })
    for (let n = 0; n < 15; n++) {
      await write(id)
      await write(id)
      advance(600)
      expect(await sent(FINDER)).toHaveLength(n === 0 ? 2 : 1)
    }
  })
})

test('a mail that could not be sent yet is replaced by one about everything since', async () => {
  const { begin, finderWrites, deps, db, advance, sent, sender } = await openMails()
  await sender.stop()
  const { token } = await begin({ text: 'first' })
  await finderWrites(token, 'second')
  expect(await db.selectFrom('outbox').select('id').execute()).toHaveLength(1)
  // The mail server fails.
  const due = await deps.outbox.claim()
  if (!due) throw new Error('nothing is due')
  expect(due.mail?.text).toContain('> first\n\n> second')
  await deps.outbox.postpone(due)
  await finderWrites(token, 'third')
  expect(await sent()).toEqual([])
  advance(300)
  const [mail, ...others] = await sent()
  expect(others).toEqual([])
  expect(mail?.text).toContain('> first\n\n> second\n\n> third')
})

test('a waiting mail is removed when its conversation ends', async () => {
  const { begin, write, finderWrites, call, deps, ask, owner, qr_id, sent, waiting } =
    await openMails()
  const ends = [
    ({ token }: { token: string }) => stopConversation(deps, token),
    ({ id }: { id: string }) => call('DELETE', `/${id}`),
    () => ask('DELETE', `/api/qr/${qr_id}`, { as: owner }),
  ]
  for (const end of ends) {
    const begun = await begin({ reply_to: FINDER })
    await write(begun.id)
    await sent()
    await finderWrites(begun.token, 'more')
    await write(begun.id)
    expect(await waiting()).toHaveLength(2)
    await end(begun)
    expect(await waiting()).toEqual([])
  }
})

test('no mail and no log says the number of an owner or a finder', async () => {
  const { begin, write, sent, logged, mails } = await openMails({}, { contact_mode: 'relay' })
  const { id } = await begin({ reply_to: FINDER, text: 'call me' })
  await write(id, { share_number: true })
  const all = [...(await sent(FINDER)), ...mails]
  expect(all).toHaveLength(1)
  expect(JSON.stringify(all)).not.toContain('9876543210')
  for (const secret of ['9876543210', FINDER, 'call me', PLATE]) {
    expect(logged.join()).not.toContain(secret)
  }
})
