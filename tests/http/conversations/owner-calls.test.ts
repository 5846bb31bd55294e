import { describe, expect, test } from 'vitest'
import { answerAsFinder, stopConversation } from '#actions/conversations/conversations.ts'
import { sweepTables } from '#actions/retention.ts'
import { setLostMode } from '#db/codes/lost-mode.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import { NOW } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { openConversations, PLATE, senderFrom } from '#tests/support/conversations.ts'

async function openAnswered() {
  const opened = await openConversations()
  const { deps, call } = opened
  const finderWrites = (token: string, text = 'Are you coming?', sender = 'sender') =>
    answerAsFinder(deps, { token, text, sender: senderFrom(sender), lang: 'en' })
  const write = (id: string, json: object = { text: 'I am coming now' }) =>
    call('POST', `/${id}/messages`, { json })
  const setStatus = (id: string, status: string) =>
    call('PUT', `/${id}/status`, { json: { status } })
  return { ...opened, finderWrites, write, setStatus }
}

const ENDED = { detail: 'This conversation has ended' }
const CLOSED = { detail: 'This conversation is closed' }

describe('an owner', () => {
  test('sees what a finder wrote, and of their contact what was ticked', async () => {
    const { begin, call, qr_id } = await openAnswered()
    const { id } = await begin({
      text: 'I have your keys.\nThey are red.',
      place: 'Gate 2',
      latitude: 18.5284567,
      longitude: 73.84123,
      accuracy: 12,
      name: 'Ravi',
      reply_to: 'ravi@example.in',
    })
    const conversation = {
      id,
      qr_id,
      vehicle_registration: PLATE,
      owner_name: 'Ramesh Kulkarni',
      reason: 'found',
      thing: 'keys',
      status: 'open',
      muted: false,
      unread: true,
      has_ended: false,
      blocked: false,
      name: 'Ravi',
      place: 'Gate 2',
      latitude: 18.52846,
      longitude: 73.84123,
      accuracy: 12,
      photo_url: null,
      thumbnail_url: null,
      reply_to: null,
      first_line: 'I have your keys.',
      last_message_at: NOW,
      access: 'owner',
      shared: false,
      shared_by: null,
      read_by: [],
      writing: [],
    }
    expect((await call('GET', '')).body).toStrictEqual({
      conversations: [conversation],
      total_count: 1,
      unread_count: 1,
    })
    const message = {
      id: expect.any(String),
      from: 'finder',
      author: null,
      kind: 'text',
      text: 'I have your keys.\nThey are red.',
      sent_at: NOW,
    }
    expect((await call('GET', `/${id}`)).body).toStrictEqual({
      ...conversation,
      ended_by_moderator: false,
      messages: [message],
    })
    const ticked = await begin({ reply_to: '98765 43210', show_contact: true })
    expect((await call('GET', `/${ticked.id}`)).body.reply_to).toBe('+919876543210')
  })

  test('marks a conversation as read by that call or by an answer, not by listing it', async () => {
    const { begin, call, write, finderWrites } = await openAnswered()
    const { id, token } = await begin()
    const unread = async () => (await call('GET', '')).body.unread_count
    await call('GET', `/${id}`)
    expect(await unread()).toBe(1)
    expect((await call('POST', `/${id}/read`)).body).toMatchObject({ id, unread: false })
    expect(await unread()).toBe(0)
    await finderWrites(token)
    expect(await unread()).toBe(1)
    await write(id)
    expect(await unread()).toBe(0)
  })

  test('lists conversations by their newest message, a page at a time, open or closed', async () => {
    const { insert, call, setStatus, advance, finderWrites } = await openAnswered()
    const made: { id: string; token: string }[] = []
    for (let n = 0; n < 5; n++) {
      made.push(await insert())
      advance(1)
    }
    const [a, b, c, d, e] = made.map(({ id }) => id)
    await finderWrites(made[1]?.token ?? '')
    const idsOf = async (query: string) => {
      const { conversations, total_count } = (await call('GET', query)).body
      return [conversations.map(({ id }: { id: string }) => id), total_count]
    }
    expect(await idsOf('')).toEqual([[b, e, d, c, a], 5])
    expect(await idsOf('?page=2&limit=2')).toEqual([[d, c], 5])
    await setStatus(d ?? '', 'closed')
    await setStatus(e ?? '', 'returned')
    expect(await idsOf('?status=open')).toEqual([[b, c, a], 3])
    expect(await idsOf('?status=closed')).toEqual([[e, d], 2])
    expect((await call('GET', '?status=mine')).body.detail).toBe('Status must be open or closed')
  })

  test('finds a conversation by all that they are shown of it, and nothing else', async () => {
    const { insert, call, write, db, owner, signUp } = await openAnswered()
    const message = { text: 'Red keys at %_x', place: 'FC Road', name: 'Ravi Menon' }
    const { id } = await insert({ ...message, reply_to: 'secret@example.in' })
    await insert({ reason: 'lights', text: '' })
    await write(id, { text: 'Bring them tomorrow' })
    const found = async (search: string) =>
      (await call('GET', `?search=${encodeURIComponent(search)}`)).body.total_count
    const words = ['RED keys', 'fc road', 'ravi', 'tomorrow', 'I found these', '%_x']
    for (const word of words) expect([word, await found(word)]).toEqual([word, 1])
    for (const both of ['MH12 QX', 'ramesh']) expect([both, await found(both)]).toEqual([both, 2])
    expect(await found('secret@example.in')).toBe(0)
    // Once somebody else has the code, its new details are theirs.
    const other = await signUp()
    const theirs = { owner_id: other.id, owner_name: 'Zoya', vehicle_registration: 'KA01AB1234' }
    await db.updateTable('qr_codes').set(theirs).where('owner_id', '=', owner.id).execute()
    for (const word of ['Zoya', 'KA01AB1234']) expect(await found(word)).toBe(0)
    expect((await call('GET', `/${id}`)).body).toMatchObject({
      vehicle_registration: null,
      owner_name: null,
    })
    expect((await call('GET', '', { as: other })).body.total_count).toBe(0)
  })

  test('does not learn the new id of a code that somebody else replaced', async () => {
    const { begin, call, db, deps, signUp, qr_id } = await openAnswered()
    const { id } = await begin()
    const other = await signUp()
    await db.updateTable('qr_codes').set({ owner_id: other.id }).execute()
    const { qr_id: newId } = await replaceQrCode(db, other, qr_id, deps.clock())
    const found = async (search: string) =>
      (await call('GET', `?search=${search}`)).body.total_count
    expect([await found(newId), await found(qr_id)]).toEqual([0, 1])
    expect((await call('GET', `/${id}`)).body.qr_id).toBe(qr_id)
    expect((await call('GET', '')).body.conversations).toMatchObject([{ qr_id }])
  })

  test('answers with a text or the number of the code', async () => {
    const { begin, write, seen } = await openAnswered()
    const { id, token } = await begin()
    const { status, body } = await write(id, { text: '  On my way \r\n' })
    expect([status, body]).toEqual([
      201,
      {
        id: expect.any(String),
        from: 'owner',
        author: null,
        kind: 'text',
        text: 'On my way',
        sent_at: NOW,
      },
    ])
    expect((await write(id, { share_number: true })).body).toMatchObject({
      kind: 'number',
      text: '+919876543210',
    })
    const texts = (await seen(token))?.messages.map(({ from, kind, text }) => [from, kind, text])
    expect(texts).toEqual([
      ['finder', 'text', 'I have your keys.'],
      ['owner', 'text', 'On my way'],
      ['owner', 'number', '+919876543210'],
    ])
    for (const [json, detail] of [
      [{}, 'Please write a message'],
      [{ share_number: 'yes' }, 'share_number must be true or false'],
    ] as const) {
      const refused = await write(id, json)
      expect([refused.status, refused.body.detail]).toEqual([400, detail])
    }
  })

  test('shares no number when the code has none, or when somebody else has the code by now', async () => {
    const { begin, write, db, owner, signUp, call } = await openAnswered()
    const { id } = await begin()
    const set = (values: object) =>
      db.updateTable('qr_codes').set(values).where('created_by', '=', owner.id).execute()
    const typed = { contact_phone: '5' }
    await set({ ...typed, ...phoneColumns(typed) })
    expect((await write(id, { share_number: true })).body.detail).toBe(
      'This QR code has no mobile number to share',
    )
    const other = await signUp()
    await set({ owner_id: other.id, contact_phone: '+919812345678' })
    const refused = await write(id, { share_number: true })
    expect([refused.status, refused.body.detail]).toEqual([409, 'This QR code is no longer yours'])
    // The conversation stays with the old owner.
    expect((await write(id)).status).toBe(201)
    expect((await call('GET', `/${id}`, { as: other })).status).toBe(404)
  })

  test('and the finder write 20 messages each in an hour, the first one counted', async () => {
    const { begin, write, finderWrites, advance } = await openAnswered()
    const { id, token } = await begin()
    for (let n = 0; n < 19; n++) await finderWrites(token)
    await expect(finderWrites(token)).rejects.toThrow(
      '20 messages can be sent in an hour. Try again in 60 minutes.',
    )
    for (let n = 0; n < 20; n++) expect((await write(id)).status).toBe(201)
    const refused = await write(id)
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '3600'])
    advance(3600)
    expect((await write(id)).status).toBe(201)
    await finderWrites(token)
    // A message of the future was written by a clock that was ahead.
    advance(-7200)
    expect((await write(id)).status).toBe(201)
  })
})

describe('a conversation that is closed', () => {
  test('is read on by both, and written in by none, until it is opened again', async () => {
    const { begin, write, setStatus, finderWrites, seen, call } = await openAnswered()
    const { id, token } = await begin()
    expect((await setStatus(id, 'closed')).body).toMatchObject({ status: 'closed' })
    expect(await write(id)).toMatchObject({ status: 409, body: CLOSED })
    await expect(finderWrites(token)).rejects.toThrow(CLOSED.detail)
    expect(await seen(token)).toMatchObject({ status: 'closed' })
    expect((await call('GET', `/${id}`)).status).toBe(200)
    expect((await setStatus(id, 'open')).body).toMatchObject({ status: 'open' })
    expect((await write(id)).status).toBe(201)
    const wrong = await setStatus(id, 'lost')
    expect([wrong.status, wrong.body.detail]).toEqual([
      400,
      'Status must be open, closed or returned',
    ])
  })

  test('because the keys are back thanks the finder once', async () => {
    const { begin, setStatus, seen } = await openAnswered()
    const { id, token } = await begin()
    for (let n = 0; n < 2; n++) {
      expect((await setStatus(id, 'returned')).body).toMatchObject({ status: 'returned' })
    }
    expect(await seen(token)).toMatchObject({
      status: 'returned',
      messages: [{}, { from: 'owner', kind: 'text', text: 'Thank you, I have them back' }],
    })
  })

  test('because the keys are back ends that the code is lost, unless somebody else has it', async () => {
    const { begin, setStatus, db, owner, qr_id, signUp, deps, advance } = await openAnswered()
    await db.updateTable('accounts').set({ subscription_plan: 'premium' }).execute()
    const stored = () =>
      db.selectFrom('qr_codes').select('lost_since').where('qr_id', '=', qr_id).executeTakeFirst()
    const [first, second] = [await begin(), await begin()]
    await setLostMode(db, owner, qr_id, { lost: true, note: 'Red' }, deps.clock())
    advance(60)
    await setStatus(first.id, 'returned')
    expect(await stored()).toEqual({ lost_since: null })
    const periods = await db.selectFrom('lost_periods').select('until').execute()
    expect(periods).toEqual([{ until: deps.clock().toISOString() }])
    const other = await signUp({ subscription_plan: 'premium' })
    await db.updateTable('qr_codes').set({ owner_id: other.id }).execute()
    await setLostMode(db, other, qr_id, { lost: true }, deps.clock())
    await setStatus(second.id, 'returned')
    expect((await stored())?.lost_since).toBeTruthy()
  })

  test('as returned was about found keys', async () => {
    const { begin, setStatus } = await openAnswered()
    const { id } = await begin({ reason: 'lights' })
    expect((await setStatus(id, 'returned')).body).toEqual({
      detail: 'Only found keys can be returned',
    })
  })
})

describe('a conversation has ended', () => {
  test('for both once the finder stops it, with all that they shared', async () => {
    const { begin, write, setStatus, finderWrites, deps, seen, call, rowOf } = await openAnswered()
    const { id, token } = await begin({
      place: 'Gate 2',
      latitude: 1,
      longitude: 2,
      accuracy: 3,
      reply_to: 'ravi@example.in',
      show_contact: true,
    })
    await stopConversation(deps, token)
    expect(await seen(token)).toBeUndefined()
    await expect(finderWrites(token)).rejects.toMatchObject({
      kind: 'not_found',
      message: ENDED.detail,
    })
    await expect(stopConversation(deps, token)).rejects.toThrow(ENDED.detail)
    expect(await write(id)).toMatchObject({ status: 409, body: ENDED })
    expect(await setStatus(id, 'open')).toMatchObject({ status: 409, body: ENDED })
    expect((await call('GET', `/${id}`)).body).toMatchObject({
      has_ended: true,
      status: 'closed',
      place: null,
      latitude: null,
      longitude: null,
      accuracy: null,
      reply_to: null,
      messages: [{ text: 'I have your keys.' }],
    })
    expect(await rowOf(token)).toMatchObject({ reply_to: null, place: null, ended_at: NOW })
  })

  test('once it is deleted, and no word of it is left', async () => {
    const { begin, write, finderWrites, seen, call, db, rowOf, signUp } = await openAnswered()
    const { id, token } = await begin({ name: 'Ravi', place: 'Gate 2' })
    await write(id)
    const { status, body } = await call('DELETE', `/${id}`)
    expect([status, body]).toEqual([200, { message: 'Conversation deleted successfully!' }])
    expect(await seen(token)).toBeUndefined()
    await expect(finderWrites(token)).rejects.toThrow(ENDED.detail)
    const json = { text: 'Hello', status: 'open', muted: true, reason: 'spam' }
    for (const [method, path] of [
      ['GET', ''],
      ['GET', '/photo'],
      ['POST', '/read'],
      ['PUT', '/status'],
      ['PUT', '/mute'],
      ['POST', '/block'],
      ['POST', '/report'],
      ['DELETE', ''],
    ] as const) {
      const answer = await call(method, `/${id}${path}`, method === 'GET' ? {} : { json })
      expect([path, answer.status]).toEqual([path, 404])
    }
    expect(await write(id)).toMatchObject({ status: 409, body: ENDED })
    expect((await call('POST', `/${id}/messages`, { json, as: await signUp() })).status).toBe(404)
    expect(await rowOf(token)).toMatchObject({ name: null, place: null, first_line: '' })
    expect(await db.selectFrom('conversation_messages').selectAll().execute()).toEqual([])
    expect((await call('GET', '')).body).toMatchObject({ total_count: 0, unread_count: 0 })
  })

  test('after its sender is blocked, and their browser cannot write about any code of that owner for a day', async () => {
    const { begin, send, call, write, seen, db, owner, signUp, advance, openBrowser } =
      await openAnswered()
    const { qr_id: second } = await insertCode(db, owner.id)
    const { qr_id: others } = await insertCode(db, (await signUp()).id)
    const cookie = await openBrowser()
    const { id, token } = await begin({}, { cookie })
    const { status, body } = await call('POST', `/${id}/block`)
    expect([status, body]).toEqual([200, { message: 'Blocked. The conversation has ended.' }])
    expect(await seen(token)).toBeUndefined()
    expect(await write(id)).toMatchObject({ status: 409, body: ENDED })
    expect(await call('GET', `/${id}`)).toMatchObject({ body: { has_ended: true, blocked: true } })
    const REFUSED = { detail: 'The owner takes no messages from here' }
    for (const where of [{}, { of: second }, { peer: '198.51.100.9' }]) {
      const refused = await send({}, { cookie, ...where })
      expect(refused).toMatchObject({ status: 403, body: REFUSED })
    }
    expect((await send({}, { cookie, of: others })).status).toBe(201)
    advance(86_400 - 60)
    expect(await send({}, { cookie })).toMatchObject({ status: 403, body: REFUSED })
    advance(60)
    expect((await send({}, { cookie })).status).toBe(201)
  })

  test('after its sender is blocked, and others at the same IPv4 address go on', async () => {
    const { begin, send, call, openBrowser } = await openAnswered()
    const { id } = await begin({}, { cookie: await openBrowser() })
    await call('POST', `/${id}/block`)
    expect((await send({}, { cookie: await openBrowser() })).status).toBe(201)
    expect((await send()).status).toBe(201)
    expect((await call('GET', '')).body).toMatchObject({ total_count: 3, unread_count: 3 })
  })

  test('after its sender is blocked, with the IPv6 address of one phone in every spelling', async () => {
    const { begin, send, call, openBrowser } = await openAnswered()
    const { id } = await begin({}, { peer: '2001:db8:1:2:0:0:0:7' })
    await call('POST', `/${id}/block`)
    for (const cookie of [undefined, await openBrowser()]) {
      expect((await send({}, { peer: '2001:DB8:1:2::7', cookie })).status).toBe(403)
      expect((await send({}, { peer: '2001:db8:1:2::8', cookie })).status).toBe(201)
    }
  })

  test('also for a block that comes days later, and it holds for a day from then', async () => {
    const { begin, send, call, advance } = await openAnswered()
    const from = { peer: '2001:db8:1:2::7' }
    const { id } = await begin({}, from)
    advance(6 * 86_400)
    await call('POST', `/${id}/block`)
    expect((await send({}, from)).status).toBe(403)
    advance(86_400 - 60)
    expect((await send({}, from)).status).toBe(403)
    advance(60)
    expect((await send({}, from)).status).toBe(201)
  })

  test('by a block, of which nobody else can write the rest in another conversation', async () => {
    const { begin, call, finderWrites, rowOf } = await openAnswered()
    const from = { peer: '2001:db8:1:2::7' }
    const [{ id, token }, another] = [await begin({}, from), await begin({}, from)]
    const { sender_hash } = await rowOf(token)
    await call('POST', `/${id}/block`)
    await expect(finderWrites(another.token, 'Hi', sender_hash ?? '')).rejects.toThrow(
      'The owner takes no messages from here',
    )
  })

  test('until its sender is unblocked, as it was before', async () => {
    const { begin, send, call, seen, setStatus, openBrowser, advance } = await openAnswered()
    const cookie = await openBrowser()
    const [open, closed] = [await begin({}, { cookie }), await begin({}, { cookie })]
    await setStatus(closed.id, 'closed')
    advance(1)
    for (const { id } of [open, closed]) await call('POST', `/${id}/block`)
    expect((await send({}, { cookie })).status).toBe(403)
    const unblocked = await call('DELETE', `/${open.id}/block`)
    expect(unblocked).toMatchObject({
      status: 200,
      body: { has_ended: false, blocked: false, status: 'open' },
    })
    expect(await seen(open.token)).toMatchObject({ status: 'open' })
    expect((await send({}, { cookie })).status).toBe(201)
    expect(await call('DELETE', `/${closed.id}/block`)).toMatchObject({
      body: { status: 'closed' },
    })
    expect(await call('DELETE', `/${closed.id}/block`)).toMatchObject({
      body: { status: 'closed' },
    })
    expect((await call('DELETE', '/none/block')).status).toBe(404)
  })

  test('until it is unblocked a week later, when nobody knows its sender any more', async () => {
    const { begin, call, deps, advance } = await openAnswered()
    const { id } = await begin()
    await call('POST', `/${id}/block`)
    advance(8 * 86_400)
    await sweepTables(deps)
    expect(await call('DELETE', `/${id}/block`)).toMatchObject({
      status: 200,
      body: { has_ended: false, blocked: false },
    })
  })

  test('and stays so when its finder had stopped it before the block that is undone', async () => {
    const { begin, call, deps, advance } = await openAnswered()
    const { id, token } = await begin()
    await stopConversation(deps, token)
    advance(1)
    await call('POST', `/${id}/block`)
    expect(await call('DELETE', `/${id}/block`)).toMatchObject({
      body: { has_ended: true, blocked: false },
    })
  })

  test('without rate limits a blocked sender stays blocked', async () => {
    const { begin, send, call } = await openConversations({ env: { RATE_LIMITS: 'off' } })
    const from = { peer: '2001:db8:1:2::7' }
    const { id } = await begin({}, from)
    await call('POST', `/${id}/block`)
    expect((await send({}, from)).status).toBe(403)
  })
})

describe('a report', () => {
  test('has what was written until then, without the number that was shared', async () => {
    const { begin, call, write, db, owner, qr_id } = await openAnswered()
    const { id } = await begin({ name: 'Ravi', reply_to: 'ravi@example.in', show_contact: true })
    await write(id, { share_number: true })
    const json = { reason: 'threat', text: ' He shouts. ' }
    const { status, body } = await call('POST', `/${id}/report`, { json })
    expect([status, body]).toEqual([201, { message: 'Reported. A moderator will look at it.' }])
    await write(id, { text: 'later' })
    const { snapshot, ...report } = await db
      .selectFrom('reports')
      .selectAll()
      .executeTakeFirstOrThrow()
    expect(report).toMatchObject({
      kind: 'conversation',
      reason: 'threat',
      text: 'He shouts.',
      qr_id,
      account_id: owner.id,
      conversation_id: id,
      status: 'open',
      action: null,
    })
    expect(JSON.parse(snapshot)).toEqual({
      owner_name: 'Ramesh',
      vehicle_registration: PLATE,
      reason: 'found',
      thing: 'keys',
      name: 'Ravi',
      place: null,
      had_photo: false,
      messages: [
        { from: 'finder', kind: 'text', text: 'I have your keys.', sent_at: NOW },
        { from: 'owner', kind: 'number', text: null, sent_at: NOW },
      ],
    })
    expect(snapshot).not.toMatch(/9876543210|ravi@example/)
    const again = await call('POST', `/${id}/report`, { json })
    expect([again.status, again.body.detail]).toEqual([
      409,
      'You have reported this conversation already',
    ])
    expect((await call('POST', `/${id}/report`, { json: { reason: 'dull' } })).status).toBe(400)
    const long = { reason: 'spam', text: 'a'.repeat(501) }
    expect((await call('POST', `/${id}/report`, { json: long })).body.detail).toBe(
      'Text must be at most 500 characters',
    )
  })
})

test('thanks are counted among the messages of an hour', async () => {
  const { begin, call } = await openConversations()
  const { id } = await begin()
  const statuses: number[] = []
  for (let n = 0; n < 21; n++) {
    const answer = await call('PUT', `/${id}/status`, { json: { status: 'returned' } })
    statuses.push(answer.status)
    await call('PUT', `/${id}/status`, { json: { status: 'open' } })
  }
  expect(statuses).toEqual([...Array.from({ length: 20 }, () => 200), 429])
})

test('hidden characters, markup and addresses stay plain text', async () => {
  const { begin, call, seen } = await openAnswered()
  const text = '\u202e<b>x</b>\u0000 https://evil.example \u2066👍\u200b'
  const { id, token } = await begin({ text, name: '\u202eRavi', place: 'a\u0007b' })
  const plain = '<b>x</b> https://evil.example 👍'
  expect((await call('GET', `/${id}`)).body).toMatchObject({
    first_line: plain,
    name: 'Ravi',
    place: 'ab',
    messages: [{ text: plain }],
  })
  expect((await seen(token))?.messages[0]?.text).toBe(plain)
})

test('a finder sees no vehicle that the code does not show, and the first word of a name', async () => {
  const { begin, seen } = await openConversations({ code: { show_vehicle: 0 } })
  const { token } = await begin()
  expect(await seen(token)).toMatchObject({ vehicle_registration: null, owner_name: 'Ramesh' })
  expect(JSON.stringify(await seen(token))).not.toMatch(/98765|Kulkarni/)
})
