import { describe, expect, test } from 'vitest'
import { remindOfDue } from '#actions/papers/digests.ts'
import { openAlerts } from '#tests/support/alerting.ts'
import type { TestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { insertShare } from '#tests/support/people.ts'

const PAGE = '/settings/notifications'
const ORDER = `${PAGE}/if-nobody-answers`
const CALL = '/api/notifications/settings'
const BROWSER = { 'User-Agent': 'Mozilla/5.0 (Linux; Android 15; Pixel 9) Mobile' }

const browserAs = (app: Pick<TestApp, 'ask'>, { cookie }: { cookie: string }) =>
  browserOf(app, { cookie: `__Host-${cookie}` })

/** An owner called Meera with a code, and two people who help. */
async function openPeople(share: Parameters<typeof insertShare>[2] = {}) {
  const app = await openAlerts()
  const { db, signUp, ask, scanAlerts, sender, mails } = app
  const owner = await signUp({ name: 'Meera Kulkarni', subscription_plan: 'premium' })
  const first = await signUp({ name: 'Asha Rao' })
  const second = await signUp({ name: 'Vikram Sethi' })
  const code = await insertCode(db, owner.id, { vehicle_registration: 'MH12QX4827' })
  for (const [n, person] of [first, second].entries()) {
    const created_at = `2026-11-20T10:00:0${n}.000Z`
    await insertShare(db, { owner_id: owner.id, person_id: person.id }, { created_at, ...share })
  }
  const read = async (as = owner) => (await ask('GET', CALL, { as })).json()
  const put = (json: object, as = owner) => ask('PUT', CALL, { json, as })
  async function scan() {
    await ask('GET', `/scan/${code.qr_id}`, { headers: BROWSER })
    await scanAlerts.settled()
    return mailed()
  }
  async function mailed() {
    await sender.settled()
    return mails.splice(0).map(({ to, subject }) => [to, subject])
  }
  return { ...app, owner, first, second, code, read, put, scan, mailed }
}

describe('the settings', () => {
  test('for shared codes are message and lost_scan by e-mail at first, beside those for own codes', async () => {
    const { read, put, first } = await openPeople()
    const on = { email: true, push: false, telegram: false, ntfy: false, webhook: false }
    const off = { ...on, email: false }
    const before = await read(first)
    expect(before.shared_events).toEqual({ message: on, lost_scan: on, scan: off, due: off })
    const answer = await put({ shared_events: { scan: { email: true } } }, first)
    expect(answer.status).toBe(200)
    const after = await read(first)
    expect(after.shared_events.scan).toEqual(on)
    expect(after.events).toEqual(before.events)
  })

  test('name the people in order, those added last at the end, and refuse others', async () => {
    const { read, put, owner, first, second, signUp, db } = await openPeople()
    expect((await read()).escalation).toEqual({
      minutes: null,
      order: [first.id, second.id],
      at_once: [],
    })
    const order = [second.id, first.id]
    const escalation = { minutes: 15, order, at_once: [first.id] }
    expect((await (await put({ escalation })).json()).escalation).toEqual(escalation)
    const third = await signUp()
    await insertShare(db, { owner_id: owner.id, person_id: third.id })
    expect((await read()).escalation.order).toEqual([...order, third.id])
    await db.deleteFrom('shares').where('person_id', '=', second.id).execute()
    const left = { minutes: 15, order: [first.id, third.id], at_once: [first.id] }
    for (const wrong of [
      { order: [second.id] },
      { order: [owner.id] },
      { at_once: ['nobody'] },
      { order: [first.id, first.id] },
      { minutes: 7 },
      { minutes: '15' },
      { order: 'all' },
      { order: [7] },
    ]) {
      const { status } = await put({ escalation: { minutes: 60, ...wrong } })
      expect(status, JSON.stringify(wrong)).toBe(400)
    }
    expect((await read()).escalation).toEqual(left)
    await put({ escalation: { order: [third.id] } })
    expect((await read()).escalation).toEqual({ ...left, order: [third.id, first.id] })
    await put({ escalation: { minutes: null } })
    expect((await read()).escalation.minutes).toBeNull()
  })

  test('of twenty calls at once are those of one of them', async () => {
    const { read, put, first, second } = await openPeople()
    const orders = [
      [first.id, second.id],
      [second.id, first.id],
    ]
    const answers = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        put({ escalation: { minutes: 5, order: orders[n % 2], at_once: [] } }),
      ),
    )
    expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
    expect(orders).toContainEqual((await read()).escalation.order)
  })
})

describe('the page', () => {
  test('is there for an owner with people, and orders them without script', async () => {
    const app = await openPeople()
    const { owner, first, second, read, signUp } = app
    const browser = browserAs(app, owner)
    expect(await browser.read(PAGE)).toContain(`href="${ORDER}"`)
    const html = await browser.read(ORDER)
    expect(html).toContain('Asha Rao')
    expect(html).toContain(`name="order" value="${first.id} ${second.id}"`)
    const order = `${first.id} ${second.id}`
    const fields = { minutes: '30', order, [`at_once.${first.id}`]: 'on', later: first.id }
    await browser.submit(ORDER, fields)
    expect((await read()).escalation).toEqual({
      minutes: 30,
      order: [second.id, first.id],
      at_once: [first.id],
    })
    expect(await browser.read(ORDER)).toMatch(/After 30 min.*Vikram.*At once.*Asha/s)
    const alone = await signUp()
    expect((await browserAs(app, alone).open(ORDER)).to).toBe(PAGE)
    const { escalation } = await read()
    await browser.submit(ORDER, { minutes: '7', order })
    expect((await read()).escalation).toEqual(escalation)
  })

  test('of notifications shows choices for shared codes to people who help', async () => {
    const app = await openPeople()
    const { first, owner, read } = app
    const browser = browserAs(app, first)
    const html = await browser.read(PAGE)
    expect(html).toContain('Codes shared with you')
    expect(html).not.toContain(ORDER)
    expect(await browserAs(app, owner).read(PAGE)).not.toContain('Codes shared with you')
    const before = await read(first)
    const fields = {
      shown: 'email',
      shared: 'on',
      'shared.due.email': 'on',
      'security.email': 'on',
    }
    await browser.submit(PAGE, { ...fields, 'message.email': 'on' })
    const { shared_events, events } = await read(first)
    expect(shared_events.due.email).toBe(true)
    expect(shared_events.message.email).toBe(false)
    expect(events.message.email).toBe(true)
    expect(before.shared_events.message.email).toBe(true)
    // A form without them leaves them as they are.
    await browser.submit(PAGE, { shown: 'email', 'message.email': 'on' })
    expect((await read(first)).shared_events).toEqual(shared_events)
  })
})

describe('scans', () => {
  test('of a shared code reach the people who chose it, each by their own quiet hours', async () => {
    const { scan, put, first, second, owner, advance } = await openPeople()
    expect(await scan()).toEqual([])
    await put({ shared_events: { scan: { email: true } } }, first)
    await put({ shared_events: { scan: { email: true } } }, second)
    await put({ quiet_hours: { from: '00:00', to: '23:59' } }, second)
    expect(await scan()).toEqual([[first.email, "Scanned · Meera's MH 12 QX 4827"]])
    advance(900)
    await put({ events: { scan: { email: true } } }, owner)
    expect((await scan()).map(([to]) => to).sort()).toEqual([first.email, owner.email].sort())
  })

  test('of a lost code reach everybody, and nobody outside the scope', async () => {
    const { scan, db, first, second, owner, code } = await openPeople()
    const lost_since = '2026-11-20T09:00:00.000Z'
    await db.updateTable('qr_codes').set({ lost_since }).where('id', '=', code.id).execute()
    await db
      .updateTable('shares')
      .set({ company_fleet_name: 'Sai Motors' })
      .where('person_id', '=', second.id)
      .execute()
    expect((await scan()).map(([to]) => to).sort()).toEqual([owner.email, first.email].sort())
  })
})

test('the digest of an owner’s papers comes once to each person who chose it, without private ones for members', async () => {
  const { db, deps, put, first, second, code, owner, mailed } = await openPeople()
  await insertPaper(
    db,
    { qr_id: code.qr_id, account_id: owner.id },
    { expires_on: '2026-11-21', is_public: 0, document_type: 'puc' },
  )
  await db
    .updateTable('shares')
    .set({ role: 'member' })
    .where('person_id', '=', second.id)
    .execute()
  for (const person of [first, second]) {
    await put({ shared_events: { due: { email: true } } }, person)
  }
  await remindOfDue(deps)
  const mails = await mailed()
  expect(mails.map(([to]) => to).sort()).toEqual([owner.email, first.email].sort())
  expect(mails.find(([to]) => to === first.email)?.[1]).toContain("Meera's MH 12 QX 4827")
  await db.deleteFrom('meta').where('key', '=', 'due_run').execute()
  await remindOfDue(deps)
  expect(await mailed()).toEqual([])
})
