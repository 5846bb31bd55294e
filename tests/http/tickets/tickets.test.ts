import { describe, expect, test } from 'vitest'
import { sweepTables } from '#actions/retention.ts'
import { blockAccount } from '#db/accounts/permission-types.ts'
import { CONVERSATION_TABLES } from '#db/tables/conversations.ts'
import { inTransaction } from '#db/transaction.ts'
import { NOW } from '#tests/support/app.ts'
import { insertTicket } from '#tests/support/stored-tickets.ts'
import { openTickets } from '#tests/support/tickets.ts'

const NOT_ENTERPRISE = { detail: 'Dedicated support is available on the Enterprise plan' }
const NOT_FOUND = { detail: 'Ticket not found' }
const HOUR = 3_600

describe('a customer', () => {
  test('opens a ticket, is answered and writes again, and each hands it to the other', async () => {
    const { open, answer, write, call, adminCall, customer, admin } = await openTickets()
    const opened = await open()
    const message = (from: string, text: string, author: string | null = null) => ({
      id: expect.any(String),
      from,
      author,
      text,
      attachment: null,
      sent_at: NOW,
    })
    const ticket = {
      id: expect.any(String),
      number: 1,
      subject: 'Labels print too low',
      status: 'open',
      unread: false,
      last_line: 'By 2 mm, since Monday.',
      created_at: NOW,
      last_message_at: NOW,
      last_customer_message_at: NOW,
    }
    const first = message('customer', 'By 2 mm, since Monday.')
    expect(opened).toStrictEqual({ ...ticket, messages: [first] })
    const { id } = opened
    const second = message('support', 'Which printer is it?', admin.name)
    expect(await answer(id)).toMatchObject({ status: 201, body: second })
    const waiting = { ...ticket, status: 'waiting', unread: true, last_line: second.text }
    expect((await call('GET', '')).body).toStrictEqual({
      tickets: [waiting],
      total_count: 1,
      unread_count: 1,
    })
    // Opening it marks it as read, and so does writing.
    expect((await call('GET', `/${id}`)).body).toStrictEqual({
      ...waiting,
      unread: false,
      messages: [first, { ...second, author: 'Nandini' }],
    })
    await answer(id)
    const third = message('customer', 'HP LaserJet M1136.')
    expect(await write(id)).toMatchObject({ status: 201, body: third })
    const listed = { ...ticket, last_line: third.text }
    expect((await call('GET', '')).body).toMatchObject({ tickets: [listed], unread_count: 0 })
    expect((await adminCall('GET', `/${id}`)).body).toStrictEqual({
      ...listed,
      user_id: customer.id,
      user_name: 'Vikram Deshmukh',
      user_email: customer.email,
      user_plan: 'enterprise',
      overdue: false,
      messages: [first, second, second, third],
    })
  })

  test('closes a ticket and opens it again, and a message opens a closed one', async () => {
    const { open, call, write, answer, db } = await openTickets()
    const { id } = await open()
    const set = (status: string) => call('PUT', `/${id}/status`, { json: { status } })
    expect((await set('closed')).body).toMatchObject({ id, status: 'closed' })
    expect((await set('closed')).body).toMatchObject({ id, status: 'closed' })
    expect((await set('open')).body).toMatchObject({ id, status: 'open' })
    await set('closed')
    await write(id)
    expect((await call('GET', `/${id}`)).body.status).toBe('open')
    await set('closed')
    await answer(id)
    expect((await call('GET', `/${id}`)).body.status).toBe('waiting')
    const row = db.selectFrom('conversations').select('closed_at').where('id', '=', id)
    expect(await row.executeTakeFirst()).toEqual({ closed_at: null })
    expect(await set('waiting')).toMatchObject({
      status: 400,
      body: { detail: 'Status must be open or closed' },
    })
  })

  test('must name the subject, within its length', async () => {
    const { call, TICKET } = await openTickets()
    const refusal = async (fields: object) => {
      const { status, body } = await call('POST', '', { json: { ...TICKET, ...fields } })
      return [status, body.detail]
    }
    expect(await refusal({ subject: ' \u202e ' })).toEqual([400, 'Please enter a subject'])
    expect(await refusal({ subject: null })).toEqual([400, 'Please enter a subject'])
    expect(await refusal({ subject: 'a'.repeat(121) })).toEqual([
      400,
      'Subject must be at most 120 characters',
    ])
    expect(await refusal({ text: '' })).toEqual([400, 'Please write a message'])
    expect(await refusal({ text: 7 })).toEqual([400, 'text must be text'])
    expect(await refusal({ text: 'a'.repeat(2001) })).toEqual([
      400,
      'Message must be at most 2000 characters',
    ])
    const longest = { subject: 'स'.repeat(120), text: 'स'.repeat(2000) }
    expect((await call('POST', '', { json: longest })).body).toMatchObject({
      subject: longest.subject,
      messages: [{ text: longest.text }],
    })
  })

  test('finds tickets by status and words, a page at a time', async () => {
    const { db, customer, call, answer, open, advance } = await openTickets()
    const at = (hour: number) => `2026-11-20T0${hour}:00:00.000Z`
    const a = await insertTicket(db, customer.id, { created_at: at(1), subject: 'Own address' })
    const b = await insertTicket(db, customer.id, { created_at: at(2), status: 'closed' })
    const c = await open()
    advance(60)
    await answer(a.id, 'The TXT record is missing 100 %')
    const found = async (query: string) => {
      const { body } = await call('GET', query)
      return [body.tickets.map(({ id }: { id: string }) => id), body.total_count]
    }
    expect(await found('')).toEqual([[a.id, c.id, b.id], 3])
    expect(await found('?page=3&limit=1')).toEqual([[b.id], 3])
    expect(await found('?status=closed')).toEqual([[b.id], 1])
    expect(await found('?status=waiting')).toEqual([[a.id], 1])
    expect(await found('?search=txt')).toEqual([[a.id], 1])
    expect(await found('?search=100%20%25')).toEqual([[a.id], 1])
    expect(await found('?search=OWN')).toEqual([[a.id], 1])
    expect(await found(`?search=%23${c.number}`)).toEqual([[c.id], 1])
    expect(await found('?search=nothing')).toEqual([[], 0])
    expect((await call('GET', '?status=mine')).body.detail).toBe(
      'Status must be open, waiting or closed',
    )
  })

  test('opens five tickets an hour, and writes twenty messages in one', async () => {
    const { open, call, write, TICKET, advance, answer } = await openTickets()
    const { id } = await open()
    for (let n = 0; n < 4; n++) await open()
    const sixth = await call('POST', '', { json: TICKET })
    expect(sixth.body).toMatchObject({
      detail: '5 tickets can be opened in an hour. Try again in 60 minutes.',
      retry_after: HOUR,
    })
    for (let n = 0; n < 19; n++) expect((await write(id)).status).toBe(201)
    expect(await write(id)).toMatchObject({
      status: 429,
      body: { detail: '20 messages can be sent in an hour. Try again in 60 minutes.' },
    })
    // The other side has twenty of its own.
    expect((await answer(id)).status).toBe(201)
    advance(HOUR)
    await open()
    expect((await write(id)).status).toBe(201)
  })

  test('cannot reach the tickets of others, and neither can finders’ conversations be one', async () => {
    const { open, call, write, signUp } = await openTickets()
    const { id } = await open()
    const other = await signUp({ subscription_plan: 'enterprise' })
    for (const unknown of [id, 'none']) {
      const as = unknown === id ? other : undefined
      const options = as ? { as } : {}
      expect(await call('GET', `/${unknown}`, options)).toMatchObject({
        status: 404,
        body: NOT_FOUND,
      })
      expect(
        await call('PUT', `/${unknown}/status`, { json: { status: 'closed' }, ...options }),
      ).toMatchObject({ status: 404, body: NOT_FOUND })
      expect((await write(unknown, 'Mine?', as)).body).toEqual(NOT_FOUND)
    }
    expect((await call('GET', '', { as: other })).body.total_count).toBe(0)
  })

  test('on another plan is told where there is support', async () => {
    const { call, open, write, signUp, TICKET } = await openTickets()
    const { id } = await open()
    for (const subscription_plan of ['free', 'premium'] as const) {
      const as = await signUp({ subscription_plan })
      expect(await call('GET', '', { as })).toMatchObject({ status: 403, body: NOT_ENTERPRISE })
      expect(await call('POST', '', { json: TICKET, as })).toMatchObject({
        status: 403,
        body: NOT_ENTERPRISE,
      })
      for (const each of [id, 'none']) {
        const asked = [
          await call('GET', `/${each}`, { as }),
          await write(each, 'Mine?', as),
          await call('PUT', `/${each}/status`, { json: { status: 'closed' }, as }),
        ]
        for (const refused of asked) {
          expect(refused).toMatchObject({ status: 403, body: NOT_ENTERPRISE })
        }
      }
    }
  })

  test('whose plan has ended reads and closes, and finds everything when it is back', async () => {
    const { db, customer, open, call, write, answer, TICKET } = await openTickets()
    const { id } = await open()
    const setPlan = (subscription_plan: 'free' | 'enterprise') =>
      db.updateTable('accounts').set({ subscription_plan }).where('id', '=', customer.id).execute()
    await setPlan('free')
    expect((await call('GET', '')).body.total_count).toBe(1)
    expect((await answer(id)).status).toBe(201)
    expect((await call('GET', `/${id}`)).body.messages).toHaveLength(2)
    expect(await write(id)).toMatchObject({ status: 403, body: NOT_ENTERPRISE })
    expect(await call('POST', '', { json: TICKET })).toMatchObject({ status: 403 })
    const set = (status: string) => call('PUT', `/${id}/status`, { json: { status } })
    expect((await set('closed')).status).toBe(200)
    expect(await set('open')).toMatchObject({ status: 403, body: NOT_ENTERPRISE })
    await setPlan('enterprise')
    expect((await write(id)).status).toBe(201)
    expect((await call('GET', `/${id}`)).body).toMatchObject({ status: 'open' })
  })

  test('has no ticket among the conversations with finders', async () => {
    const { open, answer, ask, customer } = await openTickets()
    const { id } = await open()
    await answer(id)
    const as = customer
    const listed = await (await ask('GET', '/api/conversations', { as })).json()
    expect(listed).toEqual({ conversations: [], total_count: 0, unread_count: 0 })
    const calls = [
      ['GET', `/${id}`, undefined],
      ['POST', `/${id}/messages`, { text: 'Hello' }],
      ['PUT', `/${id}/status`, { status: 'returned' }],
      ['PUT', `/${id}/mute`, { muted: true }],
      ['POST', `/${id}/block`, undefined],
      ['POST', `/${id}/report`, { reason: 'spam' }],
      ['DELETE', `/${id}`, undefined],
    ] as const
    for (const [method, path, json] of calls) {
      const refused = await ask(method, `/api/conversations${path}`, { as, ...(json && { json }) })
      expect([method, path, refused.status]).toEqual([method, path, 404])
    }
  })
})

describe('the name of an admin', () => {
  test.each([
    ['Nandini Rao', 'Nandini'],
    ['Rao, Nandini', 'Rao'],
    ['Nandini', 'Nandini'],
    ['नंदिनी राव', 'नंदिनी'],
  ])(
    '%s is shown to the customer as %s, in the export too, and to admins whole',
    async (author, shown) => {
      const { db, customer, call, adminCall } = await openTickets()
      const messages = [{ text: 'Where?' }, { sender: 'support', author, text: 'Here' }] as const
      const { id } = await insertTicket(db, customer.id, { messages: [...messages] })
      const authors = (body: { messages: { author: string | null }[] }) =>
        body.messages.map((message) => message.author)
      expect(authors((await call('GET', `/${id}`)).body)).toEqual([null, shown])
      expect(authors((await adminCall('GET', `/${id}`)).body)).toEqual([null, author])
      const { exported } = CONVERSATION_TABLES.conversation_messages
      const rows = await exported.rows(db, { ...customer, closed: '' }).execute()
      expect(rows.map((row) => row.author)).toEqual([null, shown])
    },
  )
})

describe('an admin', () => {
  test('lists the tickets of everybody, and those that wait too long are marked', async () => {
    const { db, customer, adminCall, signUp } = await openTickets({ env: { SUPPORT_HOURS: '2' } })
    const other = await signUp({ name: 'Fatima Begum', subscription_plan: 'enterprise' })
    const ago = (minutes: number) => new Date(Date.parse(NOW) - minutes * 60_000).toISOString()
    const late = await insertTicket(db, customer.id, { created_at: ago(121) })
    const exact = await insertTicket(db, other.id, { created_at: ago(120), subject: 'TXT' })
    const answered = await insertTicket(db, other.id, {
      created_at: ago(500),
      status: 'waiting',
      messages: [{ text: 'Where?' }, { sender: 'support', author: 'Nandini', text: 'Here' }],
    })
    const list = async (query = '') => {
      const { tickets } = (await adminCall('GET', query)).body
      return tickets.map(({ id, overdue }: { id: string; overdue: boolean }) => [id, overdue])
    }
    expect(await list()).toEqual([
      [exact.id, false],
      [late.id, true],
      [answered.id, false],
    ])
    expect(await list('?status=open')).toEqual([
      [exact.id, false],
      [late.id, true],
    ])
    expect(await list('?search=fatima&status=open')).toEqual([[exact.id, false]])
    expect(await list(`?search=${customer.email}`)).toEqual([[late.id, true]])
    const { tickets } = (await adminCall('GET', '?status=waiting')).body
    expect(tickets).toMatchObject([
      { last_message_at: ago(499), last_customer_message_at: ago(500) },
    ])
  })

  test('answers and closes, and the log says so without a word of the ticket', async () => {
    const { open, answer, adminCall, admin, db } = await openTickets()
    const { id } = await open({ subject: 'A secret' })
    await answer(id)
    const set = (status: string) => adminCall('PUT', `/${id}/status`, { json: { status } })
    for (const status of ['closed', 'closed', 'open']) {
      expect((await set(status)).body).toMatchObject({ id, status, user_id: expect.any(String) })
    }
    const acts = await db
      .selectFrom('audit_events')
      .select(['action', 'actor_id', 'subject_type', 'subject_id', 'before', 'after'])
      .orderBy('id')
      .execute()
    const state = (status: string) => JSON.stringify({ title: 'Ticket 1', status })
    const act = { actor_id: admin.id, subject_type: 'ticket', subject_id: id }
    expect(acts).toHaveLength(3)
    expect(acts).toEqual(
      expect.arrayContaining([
        { ...act, action: 'ticket.answered', before: state('open'), after: state('waiting') },
        { ...act, action: 'ticket.closed', before: state('waiting'), after: state('closed') },
        { ...act, action: 'ticket.changed', before: state('closed'), after: state('open') },
      ]),
    )
  })

  test('answers also while the customer is blocked, who reads it later', async () => {
    const { open, answer, customer, db, call } = await openTickets()
    const { id } = await open()
    await inTransaction(db, (trx) => blockAccount(trx, undefined, customer.id, new Date()))
    expect((await call('GET', '')).status).toBe(401)
    expect((await answer(id)).status).toBe(201)
  })
})

describe('with time', () => {
  test('a ticket that waits for its customer is closed after 30 days, and an open one never is', async () => {
    const { open, answer, advance, deps, db } = await openTickets()
    const { id: waiting } = await open()
    const { id: left } = await open()
    await answer(waiting)
    advance(30 * 24 * HOUR - 1)
    await sweepTables(deps)
    const statuses = async () => {
      const rows = await db.selectFrom('conversations').select(['id', 'status']).execute()
      return new Map(rows.map(({ id, status }) => [id, status]))
    }
    expect(await statuses()).toEqual(
      new Map([
        [waiting, 'waiting'],
        [left, 'open'],
      ]),
    )
    advance(1)
    await sweepTables(deps)
    expect(await statuses()).toEqual(
      new Map([
        [waiting, 'closed'],
        [left, 'open'],
      ]),
    )
    advance(400 * 24 * HOUR)
    await sweepTables(deps)
    expect(await statuses()).toEqual(
      new Map([
        [waiting, 'closed'],
        [left, 'open'],
      ]),
    )
  })

  test('the tickets of an account go with it', async () => {
    const { open, answer, db, customer } = await openTickets()
    await answer((await open()).id)
    await db.deleteFrom('accounts').where('id', '=', customer.id).execute()
    for (const table of ['conversations', 'conversation_messages', 'conversation_mails'] as const) {
      expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
    }
  })
})
