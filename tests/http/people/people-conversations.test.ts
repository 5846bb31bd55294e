import { describe, expect, test, vi } from 'vitest'
import { removeDeleted } from '#actions/accounts/deletion.ts'
import type { Db } from '#db/client.ts'
import { rowsOf } from '#db/exports/rows.ts'
import { listHelp } from '#db/people/help.ts'
import type { Account } from '#db/schema.ts'
import { KINDS } from '#db/tables/registry.ts'
import type { Kind } from '#db/tables/table.ts'
import { has, type Right } from '#domain/people/roles.ts'
import { openSharedConversations, signUpRoles } from '#tests/support/people-conversations.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

type Opened = Awaited<ReturnType<typeof openSharedConversations>>
type As = { bearerToken: string }

const idsSeenBy = async ({ call }: Opened, as: As) => {
  const { body } = await call('GET', '', { as })
  return body.conversations.map(({ id }: { id: string }) => id)
}

describe('the conversations that a share shows', () => {
  test('are those of its codes in the list, the search, the counts, and on the pages', async () => {
    const opened = await openSharedConversations()
    const { begin, other, person, stranger, call, become, browse, qr_id } = opened
    const { id } = await begin({ text: 'On the counter' })
    const { id: second } = await begin({ text: 'At the gate' }, { of: other.qr_id })
    const page = async (as: { cookie: string }) =>
      (await browse('GET', '/dashboard?tab=messages', undefined, as)).html
    for (const [scope, seen] of [
      [{ company_fleet_name: null }, [id, second]],
      [{ company_fleet_name: 'Sai Motors' }, [id]],
      [{ company_fleet_name: 'Sai' }, []],
      [{ company_fleet_name: null, code_id: other.id }, [second]],
    ] as const) {
      await become(scope)
      expect(new Set(await idsSeenBy(opened, person))).toEqual(new Set(seen))
      const { body } = await call('GET', '?search=counter', { as: person })
      expect(body.total_count).toBe((seen as readonly string[]).includes(id) ? 1 : 0)
      expect(body.unread_count).toBe(seen.length)
      const html = await page(person)
      for (const each of [id, second]) {
        expect(html.includes(each)).toBe((seen as readonly string[]).includes(each))
        const status = (seen as readonly string[]).includes(each) ? 200 : 404
        expect((await call('GET', `/${each}`, { as: person })).status).toBe(status)
      }
      expect(html.includes('Ravi&#x27;s')).toBe(seen.length > 0)
    }
    expect(await idsSeenBy(opened, stranger)).toEqual([])
    expect(qr_id).not.toBe(other.qr_id)
  })

  test('are gone with the code, with the share, and while the owner is blocked', async () => {
    const opened = await openSharedConversations()
    const { begin, person, stranger, owner, db, qr_id, share, become } = opened
    const { id } = await begin()
    expect(await idsSeenBy(opened, person)).toEqual([id])
    const own = (owner_id: string) =>
      db.updateTable('qr_codes').set({ owner_id }).where('qr_id', '=', qr_id).execute()
    await own(stranger.id)
    expect(await idsSeenBy(opened, person)).toEqual([])
    expect(await idsSeenBy(opened, owner)).toEqual([id])
    await own(owner.id)
    await become({ company_fleet_name: 'Sai Motors' })
    await db.updateTable('qr_codes').set({ company_fleet_name: null }).execute()
    expect(await idsSeenBy(opened, person)).toEqual([])
    await become({ company_fleet_name: null })
    const block = (is_active: 0 | 1) =>
      db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
    await block(0)
    expect(await idsSeenBy(opened, person)).toEqual([])
    await block(1)
    expect(await idsSeenBy(opened, person)).toEqual([id])
    await db.deleteFrom('shares').where('id', '=', share.id).execute()
    expect(await idsSeenBy(opened, person)).toEqual([])
  })

  test('leave out those that a reset closed to the owner or to the person', async () => {
    const opened = await openSharedConversations()
    const { begin, person, owner, db, deps } = opened
    const { id } = await begin()
    for (const { id: account_id } of [owner, person]) {
      const now = deps.clock().toISOString()
      const question = { approved_by: 'Parent', denied_at: null, devices_before: now }
      await db
        .insertInto('reset_questions')
        .values({ account_id, ...question, reset_at: now })
        .execute()
      expect(await idsSeenBy(opened, person)).toEqual([])
      await db.deleteFrom('reset_questions').execute()
      expect(await idsSeenBy(opened, person)).toEqual([id])
    }
  })

  test('are not those of a child user with whom the code is registered, nor of an API key', async () => {
    const opened = await openSharedConversations()
    const { person, owner, db, qr_id, signUp } = opened
    const child = await signUp({ name: 'Asha', parent_id: owner.id })
    await insertConversation(db, { account_id: child.id, qr_id })
    expect(await idsSeenBy(opened, person)).toEqual([])
  })
})

describe('a role', () => {
  const ACTS: [string, Right, string, string, object?][] = [
    ['reads', 'look', 'GET', ''],
    ['opens', 'look', 'POST', '/read'],
    ['answers', 'answer', 'POST', '/messages', { text: 'I am coming now' }],
    ['shares the number', 'answer', 'POST', '/messages', { share_number: true }],
    ['types', 'answer', 'POST', '/typing'],
    ['mutes', 'answer', 'PUT', '/mute', { muted: true }],
    ['closes', 'answer', 'PUT', '/status', { status: 'closed' }],
    ['has it back', 'answer', 'PUT', '/status', { status: 'returned' }],
    ['reports', 'tend', 'POST', '/report', { reason: 'spam' }],
    ['blocks', 'tend', 'POST', '/block'],
    ['unblocks', 'tend', 'DELETE', '/block'],
    ['deletes', 'papers', 'DELETE', ''],
  ]

  test.each(ACTS)('%s as its right says', async (_, right, method, path, json) => {
    const opened = await openSharedConversations()
    const { call, insert, stranger, become, person, db } = opened
    for (const role of ['manager', 'member', 'viewer'] as const) {
      const { id } = await insert()
      await become({ role })
      const { status, body } = await call(method, `/${id}${path}`, {
        as: person,
        ...(json && { json }),
      })
      if (has(role, right)) expect([role, status]).toEqual([role, expect.toBeOneOf([200, 201])])
      else {
        expect([status, body.detail]).toEqual([403, 'Your role does not allow this'])
        const { count } = await db
          .selectFrom('conversation_messages')
          .select(({ fn }) => fn.countAll<number>().as('count'))
          .where('conversation_id', '=', id)
          .executeTakeFirstOrThrow()
        expect(count).toBe(1)
      }
      const strange = await call(method, `/${id}${path}`, { as: stranger, ...(json && { json }) })
      expect(strange.status).toBe(404)
    }
  })

  test('shows the acts that it has, and no others', async () => {
    const opened = await openSharedConversations()
    const { begin, browse, owner } = opened
    const people = await signUpRoles(opened)
    const { id } = await begin()
    const shown = async (as: { cookie: string }) => {
      const { html } = await browse(
        'GET',
        `/dashboard?tab=messages&conversation=${id}`,
        undefined,
        as,
      )
      const words = ['name="text"', 'Got it back', 'Mute', '>Close<', 'Report', 'Block', 'number']
      return words.filter((word) => html.includes(word))
    }
    expect(await shown(people.viewer)).toEqual([])
    const member = ['name="text"', 'Got it back', 'Mute', '>Close<', 'number']
    expect(await shown(people.member)).toEqual(member)
    expect(await shown(people.manager)).toEqual((await shown(owner)).toSorted(byPlace))
    const dialog = (as: { cookie: string }) =>
      browse('GET', `/dashboard?tab=messages&conversation=${id}&number=1`, undefined, as)
    expect((await dialog(people.member)).html).toContain('Share Ravi&#x27;s number?')
    expect((await dialog(people.viewer)).status).toBe(403)
  })

  test('leaves a trace in the owner’s log of acts, and none of answers', async () => {
    const { call, begin, person, db, owner } = await openSharedConversations()
    const { id } = await begin()
    await call('POST', `/${id}/messages`, { as: person, json: { text: 'Coming' } })
    await call('PUT', `/${id}/status`, { as: person, json: { status: 'closed' } })
    await call('PUT', `/${id}/status`, { as: owner, json: { status: 'open' } })
    await call('POST', `/${id}/block`, { as: person })
    await call('DELETE', `/${id}`, { as: person })
    const acts = (await listHelp(db, owner.id)).map(({ action, actor }) => `${actor} ${action}`)
    expect(acts.toSorted()).toEqual(
      ['blocked', 'closed', 'deleted'].map((act) => `Meera conversation.${act}`),
    )
  })
})

const PLACES = ['name="text"', 'Got it back', 'Mute', '>Close<', 'Report', 'Block', 'number']
const byPlace = (a: string, b: string) => PLACES.indexOf(a) - PLACES.indexOf(b)

describe('who has read a conversation', () => {
  test('is each person’s own, until the finder writes again', async () => {
    const opened = await openSharedConversations()
    const { begin, call, person, owner, seen, ask } = opened
    const { id, token } = await begin()
    const of = async (as: As) => {
      const { body } = await call('GET', `/${id}`, { as })
      const { unread_count } = (await call('GET', '', { as })).body
      return [body.unread, unread_count, body.read_by]
    }
    expect([await of(owner), await of(person)]).toEqual([
      [true, 1, []],
      [true, 1, []],
    ])
    await call('POST', `/${id}/read`, { as: person })
    expect([await of(owner), await of(person)]).toEqual([
      [true, 1, ['Meera']],
      [false, 0, []],
    ])
    expect((await seen(token))?.is_read).toBe(true)
    await call('POST', `/${id}/read`, { as: owner })
    expect(await of(person)).toEqual([false, 0, ['Ravi Kulkarni']])
    await ask('POST', `/c/${token}`, {
      body: new URLSearchParams({ text: 'Still here' }),
      headers: { 'Sec-Fetch-Site': 'same-origin' },
    })
    expect([await of(owner), await of(person)]).toEqual([
      [true, 1, []],
      [true, 1, []],
    ])
    expect((await seen(token))?.is_read).toBe(false)
    await call('POST', `/${id}/messages`, { as: person, json: { text: 'Coming' } })
    expect([await of(owner), await of(person)]).toEqual([
      [true, 1, ['Meera']],
      [false, 0, []],
    ])
  })

  test('is nobody after a viewer’s look, by the call or on the page', async () => {
    const { begin, call, person, become, seen, browse, db } = await openSharedConversations()
    await become({ role: 'viewer' })
    const { id, token } = await begin()
    await call('POST', `/${id}/read`, { as: person })
    await browse('GET', `/dashboard?tab=messages&conversation=${id}`, undefined, person)
    expect((await seen(token))?.is_read).toBe(false)
    const { body } = await call('GET', `/${id}`)
    expect([body.unread, body.read_by]).toEqual([true, []])
    expect(await db.selectFrom('conversation_reads').selectAll().execute()).toEqual([])
    expect((await call('GET', `/${id}`, { as: person })).body.unread).toBe(true)
    await call('POST', `/${id}/read`)
    expect((await call('GET', `/${id}`, { as: person })).body.unread).toBe(false)
  })

  test('counts nothing that nobody wrote in since the codes are shared', async () => {
    const { insert, call, person, become } = await openSharedConversations()
    await insert()
    await become({ created_at: new Date(Date.now() + 1000).toISOString() })
    const { body } = await call('GET', '', { as: person })
    expect([body.total_count, body.unread_count]).toEqual([1, 0])
  })
})

/** Returns the authors in the messages of an account's export. */
async function listAuthors(db: Db, account: Account): Promise<unknown[]> {
  const kind = KINDS.find(({ file }) => file === 'messages') as Kind
  const authors: unknown[] = []
  for await (const rows of rowsOf(db, kind, { ...account, closed: '' })) {
    authors.push(...rows.map(({ author }) => author))
  }
  return authors
}

describe('an answer of a person', () => {
  test('names its author to the owner and the people, and never to the finder', async () => {
    const opened = await openSharedConversations()
    const { begin, call, person, owner, seen, ask, mails, browse } = opened
    const { id, token } = await begin({ reply_to: 'finder@example.in' })
    const write = (as: As, text: string) => call('POST', `/${id}/messages`, { as, json: { text } })
    expect((await write(person, 'I come')).body.author).toBe(null)
    await write(owner, 'I come, too')
    await call('POST', `/${id}/messages`, { as: person, json: { share_number: true } })
    const authors = async (as: As) => {
      const { messages } = (await call('GET', `/${id}`, { as })).body
      return messages.map(({ author }: { author: string | null }) => author)
    }
    expect(await authors(owner)).toEqual([null, 'Meera', null, 'Meera'])
    expect(await authors(person)).toEqual([null, null, 'Ravi Kulkarni', null])
    const shown = async (as: { cookie: string }) => {
      const { html } = await browse(
        'GET',
        `/dashboard?tab=messages&conversation=${id}`,
        undefined,
        as,
      )
      return [...html.matchAll(/<bdi>([^<]*)<\/bdi>/g)].map(([, by]) => by)
    }
    expect(await shown(owner)).toEqual(['Finder', 'Meera', 'You', 'Meera'])
    expect(await shown(person)).toEqual(['Finder', 'You', 'Ravi Kulkarni', 'You'])
    const html = await (await ask('GET', `/c/${token}`)).text()
    const finders = JSON.stringify([await seen(token), html, mails])
    expect(finders).toContain('I come')
    for (const secret of ['Meera', person.id, person.email as string]) {
      expect(finders).not.toContain(secret)
    }
    expect(finders).toContain('+91')
  })

  test('sent twice by one form is one, and by two people two', async () => {
    const { begin, browse, person, owner, call } = await openSharedConversations()
    const { id } = await begin()
    const send = (as: { cookie: string }) => {
      const body = new URLSearchParams({ text: 'I am coming now' })
      return browse('POST', `/dashboard/messages/${id}/answer`, body, as)
    }
    for (const as of [person, person, owner, owner]) expect((await send(as)).status).toBe(303)
    expect((await call('GET', `/${id}`)).body.messages).toHaveLength(3)
  })

  test('stays the owner’s without a name when the person is deleted, and is in the owner’s export alone', async () => {
    const opened = await openSharedConversations()
    const { begin, call, person, owner, db, deps, ask, advance } = opened
    const { id } = await begin()
    await call('POST', `/${id}/messages`, { as: person, json: { text: 'I come' } })
    expect(await listAuthors(db, owner)).toEqual([null, 'Meera'])
    expect(await listAuthors(db, person)).toEqual([])
    const json = { email: person.email }
    expect((await ask('POST', '/api/account/deletion', { as: person, json })).status).toBe(200)
    advance(8 * 86_400)
    await removeDeleted(deps)
    const account = db.selectFrom('accounts').select('id').where('id', '=', person.id)
    expect(await account.executeTakeFirst()).toBe(undefined)
    const { messages } = (await call('GET', `/${id}`)).body
    expect(messages.at(-1)).toMatchObject({ author: 'Somebody', text: 'I come' })
    const left = await db.selectFrom('conversation_messages').select('author_id').execute()
    expect(left).toEqual([{ author_id: null }, { author_id: null }])
  })
})

describe('somebody who writes', () => {
  test('is shown to the others for ten seconds after the last key, and never to the finder', async () => {
    const opened = await openSharedConversations()
    const { begin, call, person, owner, seen, advance, ask, browse, deps, db } = opened
    vi.useFakeTimers({ toFake: ['Date'], now: new Date() })
    const { id, token } = await begin()
    const before = await (await ask('GET', `/c/${token}`)).text()
    const type = (as: As) => call('POST', `/${id}/typing`, { as })
    const writing = async (as: As) => (await call('GET', `/${id}`, { as })).body.writing
    const changes = () => db.selectFrom('conversation_changes').selectAll().orderBy('n').execute()
    advance(1)
    expect((await type(person)).status).toBe(200)
    const until = new Date(deps.clock().getTime() + 10_000).toISOString()
    expect([await writing(owner), await writing(person)]).toEqual([[{ name: 'Meera', until }], []])
    const href = `/dashboard?tab=messages&conversation=${id}`
    const shown = async () => (await browse('GET', href, undefined, owner)).html
    expect(await shown()).toContain('Meera is writing')
    expect(await shown()).toContain('data-writing="10"')
    expect((await changes()).map(({ concerns_finder }) => concerns_finder)).toEqual([1, 1, 0, 1])
    const after = await (await ask('GET', `/c/${token}`)).text()
    expect(JSON.stringify([await seen(token), after])).not.toContain('Meera')
    expect(after.length).toBeLessThan(before.length + 100)
    advance(6)
    const count = (await changes()).length
    await type(person)
    // It is known already: no page needs to look again.
    expect((await changes()).length).toBe(count)
    advance(9)
    expect(await writing(owner)).toHaveLength(1)
    advance(1)
    expect([await writing(owner), await shown()]).toEqual([
      [],
      expect.stringContaining('Read by Meera'),
    ])
    await type(person)
    await call('POST', `/${id}/messages`, { as: person, json: { text: 'I come' } })
    expect(await writing(owner)).toEqual([])
    advance(1)
    await type(owner)
    expect(await writing(person)).toMatchObject([{ name: 'Ravi Kulkarni' }])
    await call('PUT', `/${id}/status`, { json: { status: 'closed' } })
    expect((await type(person)).status).toBe(409)
  })

  test('is told to the script only where somebody else could see it', async () => {
    const { begin, browse, owner, db, person } = await openSharedConversations()
    const { id } = await begin()
    const href = `/dashboard?tab=messages&conversation=${id}`
    for (const as of [owner, person]) {
      expect((await browse('GET', href, undefined, as)).html).toContain(`data-typing="${id}"`)
    }
    await db.deleteFrom('shares').execute()
    expect((await browse('GET', href, undefined, owner)).html).not.toContain('data-typing')
  })
})
