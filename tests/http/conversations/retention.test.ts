import { expect, test } from 'vitest'
import { answerAsFinder } from '#actions/conversations/conversations.ts'
import { sweepTables } from '#actions/retention.ts'
import { openConversations, senderFrom } from '#tests/support/conversations.ts'
import { filesIn, photoForm, picture } from '#tests/support/uploads.ts'

const DAY = 86_400

async function openSwept() {
  const opened = await openConversations({ env: { SMTP_URL: 'smtp://127.0.0.1:25' } })
  const { advance, deps, db, owner } = opened
  /** Lets time go by, and sweeps. */
  const after = async (seconds: number) => {
    advance(seconds)
    await sweepTables(deps)
  }
  /** A call of the owner, whose sessions end while time goes by. */
  const call = async (method: string, path: string, json: object | undefined = undefined) =>
    opened.call(method, path, { json, as: await deps.sessions.start(owner) })
  const all = () => db.selectFrom('conversations').selectAll().execute()
  return { ...opened, after, all, call }
}

test('a conversation closes 30 days after its last message', async () => {
  const { begin, after, advance, seen, deps, call } = await openSwept()
  const { id, token } = await begin()
  advance(DAY)
  await answerAsFinder(deps, { token, text: 'Hello?', sender: senderFrom('s'), lang: 'en' })
  await after(30 * DAY - 1)
  expect(await seen(token)).toMatchObject({ status: 'open' })
  await after(1)
  expect(await seen(token)).toMatchObject({ status: 'closed' })
  expect((await call('GET', '?status=closed')).body.conversations).toMatchObject([{ id }])
  const answer = await call('POST', `/${id}/messages`, { text: 'Hi' })
  expect([answer.status, answer.body.detail]).toEqual([409, 'This conversation is closed'])
})

test('one that nobody could close in time counts as closed since then', async () => {
  const { begin, after, all, seen } = await openSwept()
  const { token } = await begin({ place: 'Gate 2' })
  const [{ last_message_at: last = '' } = {}] = await all()
  await after(33 * DAY)
  const closed_at = new Date(Date.parse(last) + 30 * DAY * 1000).toISOString()
  expect(await all()).toMatchObject([{ status: 'closed', closed_at }])
  await after(27 * DAY - 1)
  expect(await seen(token)).toMatchObject({ place: 'Gate 2' })
  await after(1)
  expect(await seen(token)).toMatchObject({ place: null })
})

test('the finder’s contact and place are deleted 30 days after closing, and the rest 60 days later', async () => {
  const { ask, qr_id, pageToken, call, tokenOf, after, all, seen, dataDir, db } = await openSwept()
  const fields = {
    reason: 'found',
    text: 'Keys',
    place: 'Gate 2',
    latitude: '1',
    longitude: '2',
    reply_to: 'ravi@example.in',
    page_token: pageToken(),
  }
  const body = photoForm(await picture(), fields)
  const begun = await (await ask('POST', `/api/scan/${qr_id}/messages`, { body })).json()
  const token = tokenOf(begun)
  const [{ id }] = (await call('GET', '')).body.conversations
  await call('PUT', `/${id}/status`, { status: 'closed' })
  await after(30 * DAY - 1)
  expect(await seen(token)).toMatchObject({ place: 'Gate 2', photo_url: `/c/${token}/photo` })
  expect(filesIn({ dataDir }).stored).toHaveLength(2)
  await after(1)
  const nothing = { place: null, latitude: null, longitude: null, photo_url: null }
  expect(await seen(token)).toMatchObject({ ...nothing, messages: [{ text: 'Keys' }] })
  expect(await all()).toMatchObject([{ reply_to: null, photo_thumbnail_name: null }])
  expect(filesIn({ dataDir }).stored).toEqual([])
  await after(60 * DAY - 1)
  expect(await seen(token)).toBeDefined()
  await after(1)
  expect(await seen(token)).toBeUndefined()
  expect((await call('GET', `/${id}`)).status).toBe(404)
  for (const table of ['conversations', 'conversation_messages', 'conversation_mails'] as const) {
    expect(await db.selectFrom(table).selectAll().execute()).toEqual([])
  }
})

test('one that was opened again is kept', async () => {
  const { begin, call, after, seen } = await openSwept()
  const { id, token } = await begin({ place: 'Gate 2' })
  await call('PUT', `/${id}/status`, { status: 'closed' })
  await after(20 * DAY)
  await call('PUT', `/${id}/status`, { status: 'open' })
  await call('POST', `/${id}/messages`, { text: 'Sorry' })
  await after(29 * DAY)
  expect(await seen(token)).toMatchObject({ status: 'open', place: 'Gate 2' })
})

test('the fingerprint of a sender is deleted after 7 days, and a block after one', async () => {
  const { begin, call, after, all, db, openBrowser } = await openSwept()
  const { id } = await begin({}, { cookie: await openBrowser() })
  await call('POST', `/${id}/block`)
  const blocks = () => db.selectFrom('blocked_senders').selectAll().execute()
  const hash = expect.stringMatching(/^[0-9a-f]{64}$/)
  await after(DAY - 1)
  expect(await blocks()).toHaveLength(2)
  await after(1)
  expect(await blocks()).toEqual([])
  await after(6 * DAY - 1)
  expect(await all()).toMatchObject([{ sender_hash: hash, browser_hash: hash, network_hash: hash }])
  await after(1)
  expect(await all()).toMatchObject([{ sender_hash: null, browser_hash: null, network_hash: null }])
})

test('old changes go, and the numbers of new ones go on', async () => {
  const { begin, after, db } = await openSwept()
  const numbers = async () => {
    const rows = await db.selectFrom('conversation_changes').select('n').orderBy('n').execute()
    return rows.map(({ n }) => n)
  }
  await begin()
  await begin()
  const before = await numbers()
  expect(before).toHaveLength(2)
  await after(DAY)
  expect(await numbers()).toEqual(before.slice(1))
  await begin()
  expect(Math.max(...(await numbers()))).toBeGreaterThan(before[1] ?? 0)
})

test('hundreds are swept at once', async () => {
  const { insert, after, all, deps } = await openSwept()
  for (let n = 0; n < 250; n++) await insert({ place: `Gate ${n}` })
  await after(30 * DAY)
  expect((await all()).filter(({ status }) => status === 'closed')).toHaveLength(250)
  await after(30 * DAY)
  expect((await all()).filter(({ place }) => place)).toEqual([])
  await after(60 * DAY)
  expect(await all()).toEqual([])
  await sweepTables(deps)
})
