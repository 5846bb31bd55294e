import { expect, test, vi } from 'vitest'
import { openSharedConversations } from '#tests/support/people-conversations.ts'

const SECOND = 1_000

async function openEvents(fields: object = {}) {
  const opened = await openSharedConversations(fields)
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date() })

  /** The events of an account's stream, as they come. */
  async function listen(as: { bearerToken: string }) {
    const { body } = await opened.ask('GET', '/api/conversations/events', { as })
    const events: unknown[] = []
    let hasEnded = false
    const decoder = new TextDecoder()
    const read = async () => {
      for await (const piece of body ?? []) {
        const said = decoder.decode(piece).matchAll(/^data: (.*)$/gm)
        for (const [, data = ''] of said) events.push(JSON.parse(data))
      }
      hasEnded = true
    }
    void read()
    return { events, hasEnded: () => hasEnded }
  }
  return { ...opened, listen }
}

/** Lets a second pass before each look at a value. */
function inSeconds<T>(read: () => T) {
  return expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(SECOND)
    return read()
  })
}

const event = (conversation_id: string | null, unread_count: number) => ({
  conversation_id,
  unread_count,
})

test('a person is told of the conversations in their scope alone, with a count of their own', async () => {
  const opened = await openEvents({ company_fleet_name: 'Sai Motors' })
  const { listen, begin, person, owner, stranger, other, call } = opened
  const [own, helping, strange] = [
    await listen(owner),
    await listen(person),
    await listen(stranger),
  ]
  const { id: outside } = await begin({}, { of: other.qr_id })
  await inSeconds(() => own.events.at(-1)).toEqual(event(outside, 1))
  const { id } = await begin()
  await inSeconds(() => own.events.at(-1)).toEqual(event(id, 2))
  await inSeconds(() => helping.events).toEqual([event(null, 0), event(id, 1)])
  await call('POST', `/${id}/read`, { as: person })
  await inSeconds(() => helping.events.at(-1)).toEqual(event(id, 0))
  expect(own.events.at(-1)).toEqual(event(id, 2))
  expect(strange.events).toEqual([event(null, 0)])
})

test('a stream ends within seconds of a change of the share, its end, or the block of the owner', async () => {
  const { listen, person, owner, become, db, share } = await openEvents()
  const block = (is_active: 0 | 1) =>
    db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
  for (const [change, undo] of [
    [() => become({ role: 'viewer' }), undefined],
    [() => become({ company_fleet_name: 'Sai Motors' }), undefined],
    [() => block(0), () => block(1)],
    [() => db.deleteFrom('shares').where('id', '=', share.id).execute(), undefined],
  ] as const) {
    const stream = await listen(person)
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(stream.hasEnded()).toBe(false)
    await change()
    await inSeconds(stream.hasEnded).toBe(true)
    await undo?.()
  }
  // The account has its own stream still.
  const last = await listen(person)
  await vi.advanceTimersByTimeAsync(3 * SECOND)
  expect(last.hasEnded()).toBe(false)
})

test('streams of people leave the owner room for theirs', async () => {
  const { listen, person, owner, signUp, db, share } = await openEvents()
  for (let n = 0; n < 20; n++) await listen(person)
  const more = await signUp()
  await db
    .insertInto('shares')
    .values({ ...share, id: 'more', person_id: more.id })
    .execute()
  await listen(more)
  const own = await listen(owner)
  await inSeconds(() => own.events).toEqual([event(null, 0)])
})
