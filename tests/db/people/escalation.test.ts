import { describe, expect, test } from 'vitest'
import { saveAlertSettings } from '#actions/alerts/settings.ts'
import { answerAsFinder, answerAsOwner } from '#actions/conversations/conversations.ts'
import { escalate } from '#actions/conversations/escalation.ts'
import { sweepTables } from '#actions/retention.ts'
import { listDueSteps } from '#db/alerts/escalation.ts'
import type { Db } from '#db/client.ts'
import { readConversation, setMuted } from '#db/conversations/conversation-changes.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import type { Tables } from '#db/schema.ts'
import type { Holder } from '#domain/people/share.ts'
import { SMTP } from '#tests/support/alerting.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openConversations, senderFrom } from '#tests/support/conversations.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { insertShare } from '#tests/support/people.ts'
import { plansOf } from '#tests/support/query-plans.ts'
import { race } from '#tests/support/races.ts'

const MINUTES = 15
const NIGHT = { from: '00:00', to: '23:59' }

/** An owner and three people in order, all of them with e-mail. */
async function openEscalation(share: Partial<Tables['shares']> = {}) {
  const opened = await openConversations({ env: SMTP })
  const { db, deps, owner, sender, mails, signUp, advance } = opened
  await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
  await db
    .updateTable('accounts')
    .set({ name: 'Meera Kulkarni' })
    .where('id', '=', owner.id)
    .execute()
  const people = [await signUp(), await signUp(), await signUp()]
  const shares: string[] = []
  for (const [n, person] of people.entries()) {
    const created_at = `2026-11-20T10:00:0${n}.000Z`
    const between = { owner_id: owner.id, person_id: person.id }
    shares.push((await insertShare(db, between, { role: 'member', created_at, ...share })).id)
  }
  await db.insertInto('escalations').values({ account_id: owner.id, minutes: MINUTES }).execute()
  const names = new Map([owner, ...people].map(({ email }, n) => [email, n]))
  /** Lists the readers of the mails since the last call: 0 is the owner, 1 to 3 are the people. */
  async function told(): Promise<(number | undefined)[]> {
    await sender.settled()
    return mails.splice(0).map(({ to }) => names.get(to))
  }
  async function pass(minutes: number) {
    advance(minutes * 60)
    await escalate(deps)
    deps.outbox.wake()
    return told()
  }
  const answer = (token: string, text: string) =>
    answerAsFinder(deps, { token, text, lang: 'en', sender: senderFrom('x') })
  const keepQuiet = (n: number, quietHours = NIGHT) =>
    saveAlertSettings(deps, people[n - 1]?.id ?? '', { quietHours })
  const placeAtOnce = (n: number) =>
    db
      .insertInto('escalation_places')
      .values({ share_id: shares[n - 1] ?? '', place: n, is_at_once: 1 })
      .execute()
  const steps = () =>
    db.selectFrom('escalation_steps').select(['place', 'state']).orderBy('place').execute()
  async function answerAs(n: number, conversationId: string) {
    const person = await holderOf(db, people[n - 1]?.id ?? '', deps.clock())
    await answerAsOwner(
      deps,
      { ...person, name: 'Suresh' },
      conversationId,
      { text: 'I come' },
      () => true,
    )
  }
  const tell = { told, pass, answer, answerAs }
  return { ...opened, ...tell, people, shares, keepQuiet, placeAtOnce, steps }
}

describe('a message that nobody opens', () => {
  test('is told to the owner at once, and then to one person after another', async () => {
    const { begin, told, pass, mails, steps } = await openEscalation()
    await begin({ text: 'I wait' })
    expect(await told()).toEqual([0])
    expect(await pass(MINUTES - 1)).toEqual([])
    expect(await pass(1)).toEqual([1])
    expect(await pass(MINUTES)).toEqual([2])
    expect(await pass(MINUTES)).toEqual([3])
    expect(await pass(60)).toEqual([])
    expect(mails).toEqual([])
    expect((await steps()).map(({ state }) => state)).toEqual(['told', 'told', 'told'])
  })

  test('says whose code it is, and leads to the conversation', async () => {
    const { begin, told, mails, sender, advance, deps } = await openEscalation()
    const { id } = await begin({ text: 'I wait' })
    await told()
    advance(MINUTES * 60)
    await escalate(deps)
    await sender.settled()
    expect(mails[0]?.subject).toBe("I found these keys · Meera's MH 12 QX 4827")
    expect(mails[0]?.text).toContain("Somebody wrote about Meera's MH 12 QX 4827")
    expect(mails[0]?.text).toContain(`/dashboard?tab=messages&conversation=${id}`)
    expect(mails[0]?.text).toContain('I wait')
  })

  test('is told at once to all of them while that is off, and after an accident', async () => {
    const { begin, told, db, pass } = await openEscalation()
    await begin({ reason: 'accident' })
    expect((await told()).sort()).toEqual([0, 1, 2, 3])
    await db.deleteFrom('escalations').execute()
    await begin()
    expect((await told()).sort()).toEqual([0, 1, 2, 3])
    expect(await pass(60)).toEqual([])
  })

  test('is told at once to those who want it, and in the order of the places', async () => {
    const { begin, told, pass, placeAtOnce, db, shares } = await openEscalation()
    await placeAtOnce(2)
    const last = { share_id: shares[2] ?? '', place: 0, is_at_once: 0 } as const
    await db.insertInto('escalation_places').values(last).execute()
    await begin()
    expect((await told()).sort()).toEqual([0, 2])
    expect(await pass(MINUTES)).toEqual([3])
    expect(await pass(MINUTES)).toEqual([1])
  })

  test('is told to nobody any more once it was opened, muted or closed', async () => {
    const { begin, told, pass, db, owner, deps, steps } = await openEscalation()
    const { id } = await begin()
    expect(await told()).toEqual([0])
    expect(await pass(MINUTES)).toEqual([1])
    await readConversation(db, owner, id, deps.clock())
    expect(await steps()).toEqual([])
    expect(await pass(60)).toEqual([])
    const other = await begin()
    await told()
    await setMuted(db, owner, other.id, true, deps.clock())
    expect(await pass(60)).toEqual([])
  })

  test('is told by the channels that a person chose for messages, or else by e-mail', async () => {
    const { begin, told, pass, deps, people } = await openEscalation()
    const off = { event: 'message', kind: 'email', isOn: false, isShared: true } as const
    await saveAlertSettings(deps, people[0]?.id ?? '', { choices: [off] })
    await begin()
    expect(await told()).toEqual([0])
    expect(await pass(MINUTES)).toEqual([1])
  })

  test('is told to the next at once when a person has left or cannot be reached', async () => {
    const { begin, told, pass, db, shares, people } = await openEscalation()
    await begin()
    await told()
    await db
      .deleteFrom('shares')
      .where('id', '=', shares[0] ?? '')
      .execute()
    const address = { email_verified_at: null }
    await db
      .updateTable('accounts')
      .set(address)
      .where('id', '=', people[1]?.id ?? '')
      .execute()
    expect(await pass(MINUTES)).toEqual([3])
  })

  test('goes on after the person whose turn it was deleted their account', async () => {
    const { begin, told, pass, db, people, deps } = await openEscalation()
    await begin()
    await told()
    await db
      .deleteFrom('accounts')
      .where('id', '=', people[0]?.id ?? '')
      .execute()
    expect(await pass(MINUTES)).toEqual([])
    await sweepTables(deps)
    expect(await pass(0)).toEqual([2])
  })
})

describe('further messages', () => {
  test('neither double nor delay the steps, and are told to those who were told', async () => {
    const { begin, told, pass, answer } = await openEscalation()
    const { token } = await begin({ text: 'first' })
    expect(await told()).toEqual([0])
    await pass(10)
    await answer(token, 'second')
    expect(await told()).toEqual([0])
    expect(await pass(5)).toEqual([1])
    await pass(6)
    await answer(token, 'third')
    expect((await told()).sort()).toEqual([0, 1])
    expect(await pass(9)).toEqual([2])
  })

  test('begin again after the conversation was opened', async () => {
    const { begin, told, pass, answer, db, owner, deps } = await openEscalation()
    const { id, token } = await begin()
    await told()
    expect(await pass(MINUTES)).toEqual([1])
    await readConversation(db, owner, id, deps.clock())
    await pass(10)
    await answer(token, 'Hello?')
    expect(await told()).toEqual([0])
    expect(await pass(MINUTES)).toEqual([1])
  })
})

describe('who has answered', () => {
  test('hears at once of the finder’s reply, and the others follow in their order', async () => {
    const { begin, told, pass, answer, answerAs } = await openEscalation()
    const { id, token } = await begin()
    await told()
    await answerAs(2, id)
    await pass(10)
    await answer(token, 'Thank you')
    expect((await told()).sort()).toEqual([0, 2])
    expect(await pass(MINUTES)).toEqual([1])
    expect(await pass(MINUTES)).toEqual([3])
    expect(await pass(60)).toEqual([])
  })

  test('hears of nothing more once the code is shared with them no more', async () => {
    const { begin, told, pass, answer, answerAs, db, shares } = await openEscalation()
    const { id, token } = await begin()
    await told()
    await answerAs(2, id)
    await db
      .deleteFrom('shares')
      .where('id', '=', shares[1] ?? '')
      .execute()
    await pass(10)
    await answer(token, 'Thank you')
    expect(await told()).toEqual([0])
  })
})

describe('in quiet hours', () => {
  test('an alert waits for their end, and is not sent once somebody has opened the conversation', async () => {
    const { begin, told, pass, placeAtOnce, keepQuiet, db, owner, deps } = await openEscalation()
    await placeAtOnce(1)
    for (const n of [1, 2, 3]) await keepQuiet(n, { from: '00:00', to: '18:00' })
    const opened = await begin()
    await db.deleteFrom('escalations').execute()
    const offOpened = await begin()
    const unopened = await begin()
    expect(await told()).toEqual([0, 0, 0])
    for (const { id } of [opened, offOpened]) await readConversation(db, owner, id, deps.clock())
    expect((await pass(24 * 60)).sort()).toEqual([1, 2, 3])
    await readConversation(db, owner, unopened.id, deps.clock())
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('an alert is not sent once a person or the owner has answered, but a viewer’s look changes nothing', async () => {
    const { begin, told, pass, keepQuiet, answerAs, db, people, shares, deps, owner } =
      await openEscalation()
    await db.deleteFrom('escalations').execute()
    await keepQuiet(1, { from: '00:00', to: '18:00' })
    const conversations = [await begin(), await begin(), await begin()]
    await told()
    const [byPerson, byOwner, looked] = conversations.map(({ id }) => id)
    await answerAs(2, byPerson ?? '')
    await answerAsOwner(
      deps,
      { ...owner, name: 'Asha' },
      byOwner ?? '',
      { text: 'On my way' },
      () => true,
    )
    await db
      .updateTable('shares')
      .set({ role: 'viewer' })
      .where('id', '=', shares[2] ?? '')
      .execute()
    const viewer = await holderOf(db, people[2]?.id ?? '', deps.clock())
    await readConversation(db, viewer, looked ?? '', deps.clock())
    expect(await pass(24 * 60)).toEqual([1])
  })

  test('of a person the next hears at once, and the person at their end, unless it was opened', async () => {
    const { begin, told, pass, keepQuiet, db, owner, deps } = await openEscalation()
    await keepQuiet(1, { from: '00:00', to: '18:00' })
    const { id } = await begin()
    expect(await told()).toEqual([0])
    expect(await pass(MINUTES)).toEqual([2])
    expect(await pass(MINUTES)).toEqual([3])
    // From 16:00 to the end of the quiet hours.
    expect(await pass(119)).toEqual([])
    expect(await pass(1)).toEqual([1])
    await keepQuiet(1, { from: '18:00', to: '20:00' })
    const other = await begin()
    await told()
    expect(await pass(MINUTES)).toEqual([2])
    for (const each of [id, other.id]) await readConversation(db, owner, each, deps.clock())
    expect(await pass(120)).toEqual([])
  })

  test('of the owner the first person hears at once', async () => {
    const { begin, told, pass, deps, owner } = await openEscalation()
    await saveAlertSettings(deps, owner.id, { quietHours: NIGHT })
    await begin()
    expect(await told()).toEqual([])
    expect(await pass(0)).toEqual([1])
    expect(await pass(MINUTES)).toEqual([2])
  })

  test('that a person ends, they hear of it', async () => {
    const { begin, told, pass, keepQuiet, deps, people } = await openEscalation()
    await keepQuiet(1)
    await begin()
    await told()
    expect(await pass(MINUTES)).toEqual([2])
    await saveAlertSettings(deps, people[0]?.id ?? '', { quietHours: null })
    expect(await pass(0)).toEqual([1])
  })

  test('an accident and a lost code wait for nobody', async () => {
    const { begin, told, keepQuiet, pass, db } = await openEscalation()
    for (const n of [1, 2, 3]) await keepQuiet(n)
    await begin({ reason: 'accident' })
    expect((await told()).sort()).toEqual([0, 1, 2, 3])
    await db.updateTable('qr_codes').set({ lost_since: '2026-11-20T09:00:00.000Z' }).execute()
    await begin()
    expect(await told()).toEqual([0])
    expect(await pass(MINUTES)).toEqual([1])
  })
})

async function holderOf(db: Db, id: string, now: Date): Promise<Holder> {
  return { id, shares: await listHeldShares(db, id, now) }
}

describe('each step happens once', () => {
  test('among twenty workers', async () => {
    const { begin, told, deps, advance, steps } = await openEscalation()
    for (let n = 0; n < 3; n++) await begin()
    await told()
    advance(MINUTES * 60)
    await race(() => escalate(deps))
    expect(await told()).toEqual([1, 1, 1])
    expect((await steps()).filter(({ state }) => state === 'due')).toHaveLength(3)
  })

  test('when the conversation is opened at that moment, and none comes after that', async () => {
    const { begin, told, deps, advance, db, owner, steps } = await openEscalation()
    const { id } = await begin()
    await told()
    advance(MINUTES * 60)
    await race(async (n) => {
      if (n === 7) await readConversation(db, owner, id, deps.clock())
      else await escalate(deps)
    })
    expect((await told()).length).toBeLessThan(2)
    expect(await steps()).toEqual([])
  })

  test('after a clock that jumped ahead or back', async () => {
    const { begin, told, pass } = await openEscalation()
    await begin()
    await told()
    // Ahead: one step, and the next its minutes later.
    expect(await pass(24 * 60)).toEqual([1])
    // Back: a step that waits longer than any can is due.
    expect(await pass(-24 * 60)).toEqual([2])
    expect(await pass(MINUTES - 1)).toEqual([])
    expect(await pass(1)).toEqual([3])
  })
})

describe('an alert of a shared code', () => {
  test('that waits is not delivered once the share has ended, nor outside its scope', async () => {
    const { begin, told, pass, db, shares, keepQuiet, people, qr_id, owner } =
      await openEscalation()
    await db.deleteFrom('escalations').execute()
    for (const n of [1, 2, 3]) await keepQuiet(n, { from: '00:00', to: '18:00' })
    await begin()
    expect(await told()).toEqual([0])
    await db
      .deleteFrom('shares')
      .where('id', '=', shares[0] ?? '')
      .execute()
    const other = await insertCode(db, owner.id)
    await db
      .updateTable('shares')
      .set({ code_id: other.id })
      .where('id', '=', shares[1] ?? '')
      .execute()
    expect(people).toHaveLength(3)
    expect(await pass(24 * 60)).toEqual([3])
    const waiting = await db.selectFrom('outbox').select('id').where('qr_id', '=', qr_id).execute()
    expect(waiting).toEqual([])
  })

  test('that waits is not delivered while the share sleeps above the limit of the owner’s plan', async () => {
    const { begin, told, pass, db, keepQuiet, owner } = await openEscalation()
    await db.deleteFrom('escalations').execute()
    for (const n of [1, 2, 3]) await keepQuiet(n, { from: '00:00', to: '18:00' })
    await begin()
    expect(await told()).toEqual([0])
    await db
      .updateTable('accounts')
      .set({ subscription_plan: 'free' })
      .where('id', '=', owner.id)
      .execute()
    expect(await pass(24 * 60)).toEqual([1])
    expect(await db.selectFrom('outbox').select('id').execute()).toEqual([])
  })

  test('reaches nobody outside the scope, nor above the limit of the owner’s plan', async () => {
    const { begin, told, db, owner } = await openEscalation({ company_fleet_name: 'Sai Motors' })
    await begin({ reason: 'accident' })
    expect(await told()).toEqual([0])
    await db.updateTable('shares').set({ company_fleet_name: null }).execute()
    await db
      .updateTable('accounts')
      .set({ subscription_plan: 'free' })
      .where('id', '=', owner.id)
      .execute()
    await begin({ reason: 'accident' })
    expect((await told()).sort()).toEqual([0, 1])
  })
})

testOnSqlite('the look for due steps finds them by an index', async () => {
  const { db, deps, connection } = await openConversations()
  const plans = await plansOf(connection, () => listDueSteps(db, 100, deps.clock()))
  const steps = plans.flat()
  expect(steps.join()).toContain('escalation_steps_by_due')
  expect(steps.filter((step) => step.startsWith('SCAN escalation_steps'))).toEqual([])
})
