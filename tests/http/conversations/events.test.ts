import type { KyselyPlugin } from 'kysely'
import { describe, expect, test, vi } from 'vitest'
import { answerAsFinder, stopConversation } from '#actions/conversations/conversations.ts'
import { watchConversations } from '#actions/conversations/watch.ts'
import { sweepTables } from '#actions/retention.ts'
import { openConversations, senderFrom } from '#tests/support/conversations.ts'

async function openEvents() {
  const opened = await openConversations()
  vi.useFakeTimers({ toFake: ['Date', 'setInterval', 'clearInterval'], now: new Date() })
  const { ask, owner, deps } = opened

  /** The events of a stream as they come. */
  async function listen(path: string, options: Parameters<typeof ask>[2] = {}) {
    const answer = await ask('GET', path, options)
    const events: string[] = []
    let text = ''
    let hasEnded = false
    const decoder = new TextDecoder()
    const reader = answer.body?.getReader()
    const read = async () => {
      for (;;) {
        const { done, value } = (await reader?.read()) ?? { done: true }
        if (done) break
        text += decoder.decode(value)
        events.length = 0
        events.push(...[...text.matchAll(/^data: (.*)\n\n/gm)].map(([, data = '']) => data))
      }
      hasEnded = true
    }
    if (answer.status === 200) void read()
    const cancel = () => reader?.cancel()
    return { answer, events, raw: () => text, hasEnded: () => hasEnded, cancel }
  }

  const listenAsOwner = (as: { bearerToken: string } = owner) =>
    listen('/api/conversations/events', { as })
  const finderWrites = (token: string, text = 'Hello?') =>
    answerAsFinder(deps, { token, text, sender: senderFrom('sender'), lang: 'en' })
  return { ...opened, listen, listenAsOwner, finderWrites }
}

const SECOND = 1_000

/** Lets a second pass before each look at a value. The database takes its own time. */
function inSeconds<T>(read: () => T) {
  return expect.poll(async () => {
    await vi.advanceTimersByTimeAsync(SECOND)
    return read()
  })
}

const event = (conversation_id: string | null, unread_count: number) =>
  JSON.stringify({ conversation_id, unread_count })

describe('an owner who listens', () => {
  test('is told which conversation is new and how many are unread, never what was written', async () => {
    const { listenAsOwner, begin, finderWrites, call } = await openEvents()
    const { events, answer, raw } = await listenAsOwner()
    expect(answer.headers.get('Content-Type')).toBe('text/event-stream')
    expect(answer.headers.get('Cache-Control')).toBe('no-store')
    await expect.poll(() => events).toEqual([event(null, 0)])
    const { id, token } = await begin({ text: 'A secret' })
    await inSeconds(() => events).toEqual([event(null, 0), event(id, 1)])
    await call('POST', `/${id}/read`)
    await inSeconds(() => events.at(-1)).toBe(event(id, 0))
    await finderWrites(token, 'Another secret')
    await inSeconds(() => events.at(-1)).toBe(event(id, 1))
    expect(raw()).not.toContain('secret')
  })

  test('is told nothing of other accounts', async () => {
    const { listenAsOwner, begin, signUp } = await openEvents()
    const other = await listenAsOwner(await signUp())
    const own = await listenAsOwner()
    await begin()
    await inSeconds(() => own.events.length).toBe(2)
    expect(other.events).toEqual([event(null, 0)])
  })

  test('is left when the session ends or the account is blocked', async () => {
    const { listenAsOwner, signUp, ask, db } = await openEvents()
    const [leaver, blocked, stayer] = [await signUp(), await signUp(), await signUp()]
    const left = await listenAsOwner(leaver)
    const shut = await listenAsOwner(blocked)
    const open = await listenAsOwner(stayer)
    await ask('POST', '/api/auth/logout', { as: leaver })
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', blocked.id).execute()
    await inSeconds(() => [left.hasEnded(), shut.hasEnded()]).toEqual([true, true])
    expect(open.hasEnded()).toBe(false)
    // It had its heartbeat by then.
    expect(open.raw()).toMatch(/^:\n\n/m)
  })

  test('is told once of each first step with the code that the page waits for', async () => {
    const { listen, owner, ask, qr_id, signUp } = await openEvents()
    const path = `/api/conversations/events?code=${qr_id}&done=`
    const { events } = await listen(`${path}0`, { as: owner })
    await inSeconds(() => events).toEqual([event(null, 0)])
    await ask('GET', `/scan/${qr_id}`)
    const changed = JSON.stringify({ conversation_id: null, unread_count: 0, changed_code: qr_id })
    await inSeconds(() => events).toEqual([event(null, 0), changed])
    await ask('GET', `/scan/${qr_id}`)
    await vi.advanceTimersByTimeAsync(3 * SECOND)
    expect(events).toHaveLength(2)
    await ask('GET', `/api/qr/${qr_id}/download?format=svg`, { as: owner })
    await inSeconds(() => events.slice(1)).toEqual([changed, changed])
    const late = await listen(`${path}1`, { as: owner })
    await inSeconds(() => late.events).toEqual([event(null, 0), changed])
    expect((await listen(`${path}0`, { as: await signUp() })).answer.status).toBe(404)
  })

  test('must be signed in, by no API key', async () => {
    const { listen } = await openEvents()
    expect((await listen('/api/conversations/events')).answer.status).toBe(401)
  })
})

describe('a finder who listens', () => {
  test('is told that something changed, and that it was read, but not that it was muted', async () => {
    const { listen, listenAsOwner, begin, call } = await openEvents()
    const { id, token } = await begin()
    const { events, raw } = await listen(`/c/${token}/events`)
    const own = await listenAsOwner()
    await call('PUT', `/${id}/mute`, { json: { muted: true } })
    await inSeconds(() => own.events.at(-1)).toBe(event(id, 1))
    expect(events).toEqual([])
    await call('POST', `/${id}/read`)
    await inSeconds(() => events).toEqual(['changed'])
    await call('POST', `/${id}/messages`, { json: { text: 'A secret' } })
    await inSeconds(() => events).toEqual(['changed', 'changed'])
    await call('PUT', `/${id}/status`, { json: { status: 'closed' } })
    await inSeconds(() => events).toEqual(['changed', 'changed', 'changed'])
    expect(raw()).not.toContain('secret')
  })

  test('is told at once when the page that listens is out of date', async () => {
    const { listen, begin } = await openEvents()
    const { token } = await begin()
    const eventsOf = async (query: string) => {
      const { events, raw } = await listen(`/c/${token}/events${query}`)
      await expect.poll(raw).not.toBe('')
      return events
    }
    expect(await eventsOf('?messages=1&status=open&read=false')).toEqual([])
    expect(await eventsOf('?messages=1&status=open&read=true')).toEqual(['changed'])
    expect(await eventsOf('?messages=0&status=open')).toEqual(['changed'])
    expect(await eventsOf('?messages=1&status=closed')).toEqual(['changed'])
  })

  test.each(['stop', 'delete', 'block', 'remove the code', 'expire'])(
    'is left when the conversation ends: %s',
    async (way) => {
      const { listen, begin, call, ask, owner, qr_id, deps, advance } = await openEvents()
      const { id, token } = await begin()
      const { events, hasEnded } = await listen(`/c/${token}/events`)
      if (way === 'stop') await stopConversation(deps, token)
      if (way === 'delete') await call('DELETE', `/${id}`)
      if (way === 'block') await call('POST', `/${id}/block`)
      if (way === 'remove the code') await ask('DELETE', `/api/qr/${qr_id}`, { as: owner })
      if (way === 'expire') {
        await call('PUT', `/${id}/status`, { json: { status: 'closed' } })
        advance(91 * 86_400)
        await sweepTables(deps)
      }
      await inSeconds(hasEnded).toBe(true)
      expect(events.at(-1)).toBe('changed')
      expect((await listen(`/c/${token}/events`)).answer.status).toBe(404)
    },
  )
})

describe('streams', () => {
  test('are 20 for an account, and one more when one was left', async () => {
    const { listenAsOwner, deps } = await openEvents()
    const streams = []
    for (let n = 0; n < 20; n++) streams.push(await listenAsOwner())
    const { answer } = await listenAsOwner()
    expect([answer.status, answer.headers.get('Retry-After')]).toEqual([429, '30'])
    await streams[0]?.cancel()
    expect(deps.conversationWatch.count()).toBe(19)
    expect((await listenAsOwner()).answer.status).toBe(200)
  })

  test('are 10 for a conversation and 50 for an address', async () => {
    const { listen, insert, begin } = await openEvents()
    const { token } = await begin()
    const statuses: number[] = []
    for (let n = 0; n < 11; n++) {
      const { answer } = await listen(`/c/${token}/events`, { peer: `203.0.113.${n + 1}` })
      statuses.push(answer.status)
    }
    expect(statuses).toEqual([...Array(10).fill(200), 429])
    for (let n = 0; n < 50; n++) {
      const other = await insert()
      const { answer } = await listen(`/c/${other.token}/events`, { peer: '192.0.2.1' })
      expect(answer.status).toBe(200)
    }
    const last = await insert()
    const refused = await listen(`/c/${last.token}/events`, { peer: '192.0.2.1' })
    expect(refused.answer.status).toBe(429)
  })

  test('of one finder leave room for others at the same address, one page each', async () => {
    const { listen, insert } = await openEvents()
    const peer = '192.0.2.1'
    const watch = async (token: string) => listen(`/c/${token}/events`, { peer })
    const own: Awaited<ReturnType<typeof watch>>[] = []
    for (let n = 0; n < 5; n++) {
      const { token } = await insert()
      for (let page = 0; page < 10; page++) own.push(await watch(token))
    }
    expect(own.map(({ answer }) => answer.status)).toEqual(Array(50).fill(200))
    const others = await Promise.all(Array.from({ length: 45 }, () => insert()))
    for (const { token } of others) expect((await watch(token)).answer.status).toBe(200)
    await expect.poll(() => own.filter((each) => each.hasEnded()).length).toBe(45)
    // Each of the five conversations keeps its newest page.
    expect(own.flatMap((each, n) => (each.hasEnded() ? [] : [n % 10]))).toEqual([9, 9, 9, 9, 9])
    expect((await watch(others[0]?.token ?? '')).answer.status).toBe(429)
    expect((await watch((await insert()).token)).answer.status).toBe(429)
  })

  test('end at once when the server stops, and none is opened any more', async () => {
    const { listenAsOwner, listen, begin, deps } = await openEvents()
    const { token } = await begin()
    const own = await listenAsOwner()
    const finders = await listen(`/c/${token}/events`)
    deps.conversationWatch.stop()
    await expect.poll(() => [own.hasEnded(), finders.hasEnded()]).toEqual([true, true])
    expect(deps.conversationWatch.count()).toBe(0)
    expect((await listenAsOwner()).answer.status).toBe(503)
  })

  test('that nobody reads are ended', async () => {
    const { ask, owner, deps, db, begin } = await openEvents()
    const answer = await ask('GET', '/api/conversations/events', { as: owner })
    expect(answer.status).toBe(200)
    const { id } = await begin()
    for (let n = 0; n < 100; n++) {
      await db
        .insertInto('conversation_changes')
        .values({
          conversation_id: `${id}${n}`,
          account_id: owner.id,
          concerns_finder: 0,
          changed_at: deps.clock().toISOString(),
        })
        .execute()
    }
    await inSeconds(() => deps.conversationWatch.count()).toBe(0)
  })

  /** The watch with a database that is counted, and can fail. */
  async function openCounted() {
    const opened = await openEvents()
    const { deps, db } = opened
    const asked = { count: 0, answered: 0, fails: false, failsOnce: '' }
    const counting: KyselyPlugin = {
      transformQuery({ node }) {
        asked.count++
        const isOnce = asked.failsOnce !== '' && JSON.stringify(node).includes(asked.failsOnce)
        if (isOnce) asked.failsOnce = ''
        if (asked.fails || isOnce) throw new Error('The database is gone')
        return node
      },
      async transformResult({ result }) {
        asked.answered++
        return result
      },
    }
    deps.conversationWatch = watchConversations({
      ...deps,
      db: db.withPlugin(counting),
      isLimited: true,
    })
    return { ...opened, asked }
  }

  test('of all watchers together ask the database once a second, and none ask nothing', async () => {
    const { listenAsOwner, asked } = await openCounted()
    const streams = await Promise.all(Array.from({ length: 10 }, () => listenAsOwner()))
    asked.count = asked.answered = 0
    for (const seconds of [1, 2, 3]) {
      await vi.advanceTimersByTimeAsync(SECOND)
      await expect.poll(() => asked.answered).toBe(seconds)
    }
    for (const each of streams) await each.cancel()
    await vi.advanceTimersByTimeAsync(5 * SECOND)
    expect(asked.count).toBe(3)
  })

  test('go on after the database did not answer', async () => {
    const { listenAsOwner, begin, logged, asked } = await openCounted()
    const { events } = await listenAsOwner()
    asked.fails = true
    asked.count = 0
    await vi.advanceTimersByTimeAsync(2 * SECOND)
    expect(asked.count).toBe(2)
    asked.fails = false
    const failures = logged.filter((line) => line.includes('could not be read'))
    expect(failures).toHaveLength(1)
    const { id } = await begin()
    await inSeconds(() => events.at(-1)).toBe(event(id, 1))
  })

  test.each([
    ['the owner', 'is_unread', 'owner'],
    ['the finder', 'ended_at', 'finder'],
  ] as const)('tell %s of a change although the database failed once', async (_, column, who) => {
    const { listen, listenAsOwner, begin, call, asked } = await openCounted()
    const { id, token } = await begin()
    const own = await listenAsOwner()
    const finders = await listen(`/c/${token}/events?messages=1&status=open`)
    asked.failsOnce = column
    await call('DELETE', `/${id}`)
    await inSeconds(() => asked.failsOnce).toBe('')
    if (who === 'owner') await inSeconds(() => own.events.at(-1)).toBe(event(id, 0))
    else await inSeconds(finders.hasEnded).toBe(true)
  })

  test('tell of a change that is committed after a later one', async () => {
    const { listenAsOwner, db, owner, deps } = await openEvents()
    const { events } = await listenAsOwner()
    const change = (n: number) =>
      db
        .insertInto('conversation_changes')
        .values({
          n,
          conversation_id: `c${n}`,
          account_id: owner.id,
          concerns_finder: 1,
          changed_at: deps.clock().toISOString(),
        })
        .execute()
    await change(150)
    await inSeconds(() => events.at(-1)).toBe(event('c150', 0))
    await change(20)
    await inSeconds(() => events.at(-1)).toBe(event('c20', 0))
    expect(events).toHaveLength(3)
  })
})
