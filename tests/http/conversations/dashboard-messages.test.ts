import { expect, test } from 'vitest'
import type { QrCode } from '#db/schema.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { setCode } from '#tests/support/rows.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

const TAB = '/dashboard?tab=messages'
const MORNING = '2026-11-20T05:12:00.000Z'

/** An owner whose keys somebody has found. */
async function openTab(code: Partial<QrCode> = {}) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const { qr_id } = await insertCode(app.db, owner.id, {
    vehicle_registration: 'MH12QX4827',
    ...code,
  })
  const open = (query = '', as = owner) => app.browse('GET', TAB + query, undefined, as)
  const submit = (path: string, form: Record<string, string> = {}, as = owner) =>
    app.browse('POST', `/dashboard/messages/${path}`, new URLSearchParams(form), as)
  type Fields = Parameters<typeof insertConversation>[2]
  const begin = (fields?: Fields, account_id = owner.id) =>
    insertConversation(app.db, { account_id, qr_id }, fields)
  async function beginRead(many: number, fields?: Fields): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < many; n++) ids.push((await begin({ is_unread: 0, ...fields })).id)
    return ids
  }
  const find = (id: string) =>
    app.db.selectFrom('conversations').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  return { ...app, owner, qr_id, open, submit, begin, beginRead, find }
}

/** Returns the text of a page, without its tags. */
function textOf(html: string): string {
  return html
    .replaceAll(/<svg hidden.*?<\/svg>|<[^>]*>/gs, ' ')
    .replaceAll(/\s+/g, ' ')
    .replaceAll('&#x27;', "'")
}

test('before the first message the tab says so, and shows the page of finders', async () => {
  const { open, qr_id } = await openTab()
  const { html } = await open()
  expect(html).toContain('No messages yet')
  expect(html).toContain('When somebody scans a code and writes to you, it appears here.')
  expect(html).toContain(`href="/scan/${qr_id}?preview=1"`)
})

test('the list shows plate, reason, first line, time and the unread count, the newest first', async () => {
  const { open, begin, db, owner } = await openTab()
  const bag = await insertCode(db, owner.id, { owner_name: 'Arjun’s school bag' })
  const old = { reason: 'accident', created_at: '2026-11-18T05:12:00.000Z', is_unread: 0 } as const
  await begin({ ...old, messages: [{ text: 'A bike touched the rear door.' }] })
  await begin({ created_at: MORNING, photo_thumbnail_name: 'thumb.png' })
  const ofBag = { account_id: owner.id, qr_id: bag.qr_id }
  await insertConversation(db, ofBag, { reason: 'other', created_at: '2026-11-19T05:12:00.000Z' })
  const { html } = await open()
  const rows = [...html.matchAll(/<li id="thread-.*?<\/li>/gs)].map(([row]) => textOf(row).trim())
  expect(rows).toEqual([
    'MH 12 QX 4827 Unread: I found these keys They were on the counter. 10:42 am Image not found',
    'Arjun’s school bag Unread: Something else They were on the counter. Yesterday',
    'MH 12 QX 4827 Accident. Someone is hurt A bike touched the rear door. 18 Nov',
  ])
  expect(html).toContain('src="/api/files/thumb.png"')
})

test('a list shows the unread count of the other one, which the badge counts too', async () => {
  const { open, begin, beginRead } = await openTab()
  await beginRead(5)
  await begin({ status: 'closed', closed_at: MORNING, ended_at: MORNING })
  await begin({ is_unread: 0 })
  const lists = async (query = '') => {
    const [nav = ''] = /<nav class="segments".*?<\/nav>/s.exec((await open(query)).html) ?? []
    return textOf(nav).trim()
  }
  expect(await lists()).toBe('Open Closed 1 unread')
  expect(await lists('&status=closed')).toBe('Open Closed')
  await begin({ messages: [{ text: 'They lie at gate 2.' }] })
  expect(await lists('&q=counter')).toBe('Open Closed 1 unread')
})

test('every tab counts the conversations that are unread, and opening one makes it read', async () => {
  const { open, browse, begin, find, owner } = await openTab()
  const { id } = await begin()
  await begin()
  await begin({ is_unread: 0 })
  const badge = async (tab: string) => {
    const { html } = await browse('GET', `/dashboard?tab=${tab}`, undefined, owner)
    return textOf(/Messages<span class="count">.*?<\/a>/s.exec(html)?.[0] ?? '').trim()
  }
  expect(await badge('my-qrs')).toBe('Messages 2 unread')
  expect(await badge('analytics')).toBe('Messages 2 unread')
  expect(textOf((await open(`&conversation=${id}&block=1&part=dialog`)).html)).toContain('2 unread')
  expect((await find(id)).is_unread).toBe(1)
  expect(textOf((await open(`&conversation=${id}`)).html)).toContain('Messages 1 unread')
  expect((await find(id)).is_unread).toBe(0)
  expect(await badge('my-qrs')).toBe('Messages 1 unread')
})

test('search and the filter are addresses, which a conversation in the list keeps', async () => {
  const { open, begin, beginRead } = await openTab()
  const others = await beginRead(5)
  const { id } = await begin({ messages: [{ text: 'On the tea stall' }] })
  const closed = await begin({ status: 'closed', reason: 'lights', is_unread: 0 })
  const listed = async (query: string) => {
    const { html } = await open(query)
    return [...html.matchAll(/<li id="thread-([^"]+)"/g)].map(([, thread]) => thread)
  }
  expect((await listed('')).sort()).toEqual([id, ...others].sort())
  expect(await listed('&status=closed')).toEqual([closed.id])
  expect(await listed('&q=tea+stall')).toEqual([id])
  expect(await listed('&q=MH12&page=1')).toHaveLength(6)
  expect(await listed('&q=lights&status=closed')).toEqual([closed.id])
  const found = await open('&q=tea&status=open')
  expect(found.html).toContain(`href="${TAB}&amp;q=tea&amp;conversation=${id}"`)
  expect(found.html).toContain(`href="${TAB}&amp;q=tea&amp;status=closed"`)
  const none = await open('&q=camel')
  expect(none.html).toContain('No messages found')
  expect(none.html).toContain('Nothing matches “camel” among the open conversations.')
  expect((await open('&status=closed&q=camel')).html).toContain('among the closed conversations')
})

test('search and filter come with the sixth conversation; before that open and closed ones stand together', async () => {
  const { open, begin, beginRead } = await openTab()
  const open4 = await beginRead(4)
  const closed = await begin({ status: 'closed', closed_at: MORNING, is_unread: 0 })
  const few = (await open()).html
  expect([...few.matchAll(/<li id="thread-([^"]+)"/g)].map(([, id]) => id).sort()).toEqual(
    [...open4, closed.id].sort(),
  )
  expect(textOf(few)).toContain(' Closed ')
  expect(few).not.toMatch(/Search messages|aria-label="Show"/)
  await begin({ status: 'closed', closed_at: MORNING, is_unread: 0 })
  const many = (await open()).html
  expect([...many.matchAll(/<li id="thread-([^"]+)"/g)]).toHaveLength(4)
  expect(many).toMatch(/Search messages.*aria-label="Show"/s)
})

test('the list, the conversation and the search name the thing that was found', async () => {
  const { open, begin, db, owner, signUp } = await openTab()
  const bag = await insertCode(db, owner.id, { owner_name: 'Arjun', thing: 'bag' })
  const ofBag = { account_id: owner.id, qr_id: bag.qr_id }
  const { id } = await insertConversation(db, ofBag)
  await begin()
  const listed = async (query: string) =>
    [...(await open(query)).html.matchAll(/<li id="thread-([^"]+)"/g)].map(([, thread]) => thread)
  const page = textOf((await open(`&conversation=${id}`)).html)
  expect(page).toContain('Unread: I found these keys')
  expect(page).toContain('Arjun I found this bag')
  expect(await listed('&q=this+bag')).toEqual([id])
  expect(await listed('&q=these+keys')).toHaveLength(1)
  expect(await listed('&q=I+found')).toHaveLength(2)
  // The present owner's thing is none of the former one's business.
  await setCode(db, bag, { owner_id: (await signUp()).id })
  expect(textOf((await open(`&conversation=${id}`)).html)).toContain('I found this They were')
  expect(await listed('&q=this+bag')).toEqual([])
})

test('an empty list says where the others are', async () => {
  const { open, beginRead } = await openTab()
  await beginRead(6, { status: 'returned' })
  expect((await open()).html).toContain('No open conversations')
  const other = await openTab()
  await other.beginRead(6)
  expect((await other.open('&status=closed')).html).toContain('No closed conversations')
})

test('a long list has pages, and beyond the last one leads to it', async () => {
  const { open, begin } = await openTab()
  for (let n = 0; n < 21; n++) await begin()
  const first = await open()
  expect(first.html).toContain('Page 1 of 2')
  expect(first.html).toContain(`href="${TAB}&amp;page=2"`)
  const second = await open('&page=2')
  const [, id] = /<li id="thread-([^"]+)"/.exec(second.html) ?? []
  expect(second.html).toContain(`href="${TAB}&amp;page=2&amp;conversation=${id}"`)
  expect((await open('&page=9')).to).toBe(`${TAB}&page=2`)
})

test('a conversation shows its messages day by day, and the shared contact and place', async () => {
  const { open, begin } = await openTab()
  const { id } = await begin({
    created_at: '2026-11-19T05:12:00.000Z',
    name: 'Farhan',
    place: 'Tea stall opposite Kothrud depot',
    latitude: 18.5074,
    longitude: 73.8077,
    accuracy: 12,
    photo_name: 'photo.png',
    photo_thumbnail_name: 'thumb.png',
    reply_to: 'farhan@example.in',
    show_contact: 1,
    messages: [
      { text: 'They were on the counter.\nI wait until 11:30.' },
      { text: 'I am coming now', sender: 'owner', sent_at: MORNING },
      { text: '+919876543210', kind: 'number', sender: 'owner', sent_at: MORNING },
    ],
  })
  const { html } = await open(`&conversation=${id}`)
  expect(textOf(html)).toContain(
    'Yesterday They were on the counter. I wait until 11:30. Image not found Open the photo in full size ' +
      'Tea stall opposite Kothrud depot 18.50740, 73.80770 within 12 metres Open in maps ' +
      'Apple Maps (new window) OpenStreetMap (new window) Wants to be told: farhan@example.in Farhan , 10:42 am ' +
      'Today I am coming now You , 10:42 am You shared your number +91 98765 43210 You , 10:42 am',
  )
  expect(html).toContain('href="geo:18.50740,73.80770?q=18.50740,73.80770"')
  expect(html).toContain(
    'href="https://maps.apple.com/?ll=18.50740%2C73.80770&amp;q=18.50740%2C73.80770"',
  )
  expect(html).toMatch(
    /href="https:\/\/www\.openstreetmap\.org\/\?mlat=18\.50740&amp;mlon=73\.80770#[^"]*" target="_blank" rel="noreferrer"/,
  )
  expect(html).toMatch(/href="\/api\/conversations\/[^"]+\/photo" target="_blank" rel="noreferrer"/)
  expect(html).toContain('href="mailto:farhan@example.in"')
  expect(html).toContain('<title>I found these keys · DriveQR</title>')
})

test('the address of a finder writes no part of the owner’s mail', async () => {
  const { open, begin } = await openTab()
  const reply_to = 'pay@example.in?subject=refund&body=pay%20here'
  const { id } = await begin({ reply_to, show_contact: 1 })
  const { html } = await open(`&conversation=${id}`)
  const [, href = ''] = /href="(mailto:[^"]*)"/.exec(html) ?? []
  expect(href).toMatch(/^mailto:pay@example\.in/)
  expect(new URL(href).search).toBe('')
  expect(decodeURIComponent(href)).toBe(`mailto:${reply_to}`)
})

test('without the tick nobody reads where the finder wants to be told', async () => {
  const { open, begin } = await openTab()
  const { id } = await begin({ reply_to: 'farhan@example.in' })
  expect((await open(`&conversation=${id}`)).html).not.toContain('farhan@example.in')
})

test('the text of a stranger is shown as it is, without links', async () => {
  const { open, begin } = await openTab()
  const text = '<b>www.example.in</b> https://example.in'
  const { id } = await begin({ name: '<i>x</i>', place: '<u>y</u>', messages: [{ text }] })
  const { html } = await open(`&conversation=${id}`)
  expect(html).toContain('<p class="bubble-text" lang="" dir="auto">&lt;b&gt;www.example.in')
  expect(html).not.toMatch(/<(b|i|u)>(www|x|y)|href="https:\/\/example/)
})

test('an answer is sent without script, and the place is kept', async () => {
  const { open, submit, begin } = await openTab()
  const { id } = await begin()
  const place = '?q=keys&page=1'
  const done = await submit(`${id}/answer${place}`, { text: ' I am on my way ' })
  expect(done).toMatchObject({
    status: 303,
    to: `${TAB}&q=keys&conversation=${id}&done=answered`,
  })
  const { html } = await open(`&conversation=${id}&done=answered`)
  expect(html).toContain('Answer sent')
  expect(textOf(html)).toContain('I am on my way You , 3:30 pm')
})

test.each([
  ['found', 'I am coming now|Please leave them at the security desk|Thank you, I have them back'],
  ['parking', 'I am coming now|Ten minutes, sorry|Somebody else is coming'],
  ['lights', 'Thank you, on my way|Somebody goes there now'],
  ['damage', 'I am coming now|Please call me'],
  ['accident', 'I am coming now|Please call me'],
  ['other', ''],
] as const)('the quick answers to %s are put into the box, and not sent', async (reason, texts) => {
  const { open, submit, begin, db } = await openTab()
  const { id } = await begin({ reason })
  const { html } = await open(`&conversation=${id}`)
  const offered = [...html.matchAll(/<button[^>]* value="([^"]*)"[^>]* name="quick"/g)]
  expect(offered.map(([, text]) => text).join('|')).toBe(texts)
  const numbers = html.match(/number=1"/g) ?? []
  expect(numbers).toHaveLength(reason === 'damage' || reason === 'accident' ? 2 : 1)
  const quick = texts.split('|')[0] || 'Hello'
  const filled = await submit(`${id}/answer?q=keys`, { text: ' So sorry. ', quick })
  expect(filled.status).toBe(200)
  expect(filled.html).toContain(`>So sorry. ${quick}</textarea>`)
  const sent = db.selectFrom('conversation_messages').select('id').where('sender', '=', 'owner')
  expect(await sent.execute()).toEqual([])
})

test('an answer that is too long is refused, and stays typed', async () => {
  const { submit, begin } = await openTab()
  const { id } = await begin()
  const text = 'x'.repeat(1001)
  const { status, html } = await submit(`${id}/answer`, { text })
  expect(status).toBe(400)
  expect(html).toContain('Message must be at most 1000 characters')
  expect(html).toContain(`${text}</textarea>`)
})

test('the owner’s number goes out when they say so, and never before', async () => {
  const { open, submit, begin } = await openTab({ contact_phone: '9876543210' })
  const { id } = await begin()
  expect((await open(`&conversation=${id}`)).html).not.toContain('98765 43210')
  const dialog = (await open(`&conversation=${id}&number=1`)).html
  expect(dialog).toContain('A number that is shared stays shared.')
  expect(dialog).toContain('+91 98765 43210')
  const { to } = await submit(`${id}/answer`, { share_number: 'true' })
  expect(to).toBe(`${TAB}&conversation=${id}&done=number-shared&at=number`)
  const { html } = await open(`&conversation=${id}`)
  expect(textOf(html)).toContain('You shared your number +91 98765 43210')
})

test('where there is no number to share, the dialog says why and offers none', async () => {
  const { open, begin, db, qr_id, signUp } = await openTab({ contact_phone: null })
  const { id } = await begin()
  const ask = async () => textOf((await open(`&conversation=${id}&number=1`)).html)
  expect(await ask()).toContain('This QR code has no mobile number to share.')
  expect(await ask()).not.toContain('A number that is shared stays shared.')
  const { id: owner_id } = await signUp()
  await db.updateTable('qr_codes').set({ owner_id }).where('qr_id', '=', qr_id).execute()
  expect(await ask()).toContain('This QR code is no longer yours.')
})

test('an answer or a number whose form is sent again stands there once, that of a program each time', async () => {
  const { ask, owner, submit, begin, advance, db } = await openTab({ contact_phone: '9876543210' })
  const { id } = await begin()
  const count = async () => {
    const rows = db.selectFrom('conversation_messages').select('id').where('sender', '=', 'owner')
    return (await rows.where('conversation_id', '=', id).execute()).length
  }
  const answers: Record<string, string>[] = [{ text: 'I am coming now' }, { share_number: 'true' }]
  for (const [n, form] of answers.entries()) {
    for (let i = 0; i < 2; i++) expect((await submit(`${id}/answer`, form)).status).toBe(303)
    expect(await count()).toBe(n + 1)
  }
  advance(301)
  await submit(`${id}/answer`, { share_number: 'true' })
  expect(await count()).toBe(3)
  const json = { text: 'Still there?' }
  for (let i = 0; i < 2; i++) {
    await ask('POST', `/api/conversations/${id}/messages`, { as: owner, json })
  }
  expect(await count()).toBe(5)
})

test('a conversation is muted and unmuted', async () => {
  const { open, submit, begin, find } = await openTab()
  const { id } = await begin()
  const shown = async () => textOf((await open(`&conversation=${id}`)).html)
  expect(await shown()).toContain(' Mute ')
  expect((await submit(`${id}/mute`, { muted: 'true' })).to).toContain('done=muted')
  expect((await find(id)).is_muted).toBe(1)
  expect(await shown()).toContain(' Unmute ')
  expect((await submit(`${id}/mute`, { muted: 'false' })).to).toContain('done=unmuted')
  expect((await find(id)).is_muted).toBe(0)
})

test('a closed conversation has no answer box until it is opened again', async () => {
  const { open, submit, begin } = await openTab()
  const { id } = await begin()
  const shown = async () => (await open(`&conversation=${id}`)).html
  expect((await submit(`${id}/status`, { status: 'closed' })).to).toContain('done=closed')
  const closed = await shown()
  expect(closed).toContain('<b>This conversation is closed</b>')
  expect(closed).not.toMatch(/<textarea|Share my number/)
  expect(textOf(closed)).toMatch(/Reopen Report Delete/)
  const late = await submit(`${id}/answer`, { text: 'Still there?' })
  expect([late.status, late.html]).toEqual([
    409,
    expect.stringContaining('This conversation is closed'),
  ])
  expect((await submit(`${id}/status`, { status: 'open' })).to).toContain('done=open')
  expect(await shown()).toContain('<textarea')
  expect((await submit(`${id}/status`, { status: 'gone' })).status).toBe(400)
})

test('Got it back is there for found keys alone, and thanks the finder', async () => {
  const { open, submit, begin, find } = await openTab()
  const { id } = await begin()
  const lights = await begin({ reason: 'lights' })
  expect((await open(`&conversation=${lights.id}`)).html).not.toContain('Got it back')
  expect((await open(`&conversation=${id}`)).html).toContain('Got it back')
  expect((await submit(`${id}/status`, { status: 'returned' })).to).toContain('at=talk')
  expect((await find(id)).status).toBe('returned')
  const { html } = await open(`&conversation=${id}`)
  expect(html).toContain('<b>You have it back</b>')
  expect(textOf(html)).toContain('Thank you, I have them back You')
  expect(html.slice(html.indexOf('talk-pane'))).not.toContain('Got it back')
})

test('blocking names its effects, and ends the conversation', async () => {
  const { open, submit, begin, find } = await openTab()
  const { id } = await begin({ sender_hash: 'a'.repeat(64) })
  const dialog = (await open(`&conversation=${id}&block=1`)).html
  expect(dialog).toContain('The conversation ends. The finder can no longer open it.')
  expect(dialog).toContain('stays here until you delete it, for 90 days at most.')
  expect((await submit(`${id}/block`)).to).toBe(`${TAB}&conversation=${id}&done=blocked&at=talk`)
  expect((await find(id)).ended_at).not.toBeNull()
  const { html } = await open(`&conversation=${id}`)
  expect(html).toContain('<b>You blocked this sender</b>')
  expect(html).not.toMatch(/<textarea|Got it back|Share my number/)
  const tools = html.slice(html.indexOf('tools talk-tools'))
  expect(textOf(`<${tools}`)).toMatch(/^ Report Delete /)
  const late = await submit(`${id}/answer`, { text: 'Hello?' })
  expect([late.status, textOf(late.html)]).toEqual([
    409,
    expect.stringContaining('Not sent Hello?'),
  ])
})

test('a block is undone where it is told, and the list says how conversations are over', async () => {
  const { open, submit, begin, find } = await openTab()
  const { id } = await begin({ sender_hash: 'a'.repeat(64) })
  const closed = await begin()
  const returned = await begin()
  await submit(`${id}/block`)
  await submit(`${closed.id}/status`, { status: 'closed' })
  await submit(`${returned.id}/status`, { status: 'returned' })
  const list = textOf((await open('&status=closed')).html)
  for (const state of ['Blocked', 'Closed', 'Got it back']) expect(list).toContain(state)
  expect((await open(`&conversation=${id}`)).html).toContain(`/messages/${id}/unblock`)
  const unblocked = await submit(`${id}/unblock`)
  expect(unblocked.to).toBe(`${TAB}&conversation=${id}&done=unblocked&at=talk`)
  expect(await find(id)).toMatchObject({ status: 'open', ended_at: null, blocked_at: null })
  expect((await open(`&conversation=${closed.id}`)).html).toContain('Reopen')
})

test('a report keeps what was chosen until it can be taken, and is made once', async () => {
  const { open, submit, begin, db } = await openTab()
  const { id } = await begin()
  expect((await open(`&conversation=${id}&report=1`)).html).toContain('Report this conversation')
  const refused = await submit(`${id}/report`, { text: 'He wants money' })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('Please choose what is wrong')
  expect(refused.html).toContain('He wants money</textarea>')
  const report = { reason: 'fraud', text: 'He wants money' }
  expect((await submit(`${id}/report`, report)).to).toContain('done=reported')
  const again = await submit(`${id}/report`, report)
  expect([again.status, again.html]).toEqual([409, expect.stringContaining('reported')])
  expect(again.html).toMatch(/<input type="radio"(?=[^>]* value="fraud")[^>]* checked=""/)
  const rows = await db.selectFrom('reports').select(['kind', 'reason', 'text']).execute()
  expect(rows).toEqual([{ kind: 'conversation', ...report }])
})

test('deleting names its effects, and leads back to the list', async () => {
  const { open, submit, begin } = await openTab()
  const { id } = await begin()
  expect((await open(`&conversation=${id}&delete=1`)).html).toContain('Delete this conversation?')
  expect((await submit(`${id}/delete?status=closed`)).to).toBe(
    `${TAB}&status=closed&done=conversation-deleted`,
  )
  expect((await open('&done=conversation-deleted')).html).toContain('Conversation deleted')
  expect((await open(`&conversation=${id}`)).status).toBe(404)
})

test('a conversation is its account’s alone', async () => {
  const { open, begin, signUp } = await openTab()
  const { id } = await begin()
  const stranger = await signUp()
  expect((await open('', stranger)).html).toContain('No messages yet')
  for (const query of ['', '&block=1', '&number=1&part=dialog']) {
    expect((await open(`&conversation=${id}${query}`, stranger)).status).toBe(404)
  }
})

test('the child user of a code sees what was written about it, and its parent does not', async () => {
  const { open, submit, signUp, owner, db } = await openTab()
  const child = await signUp({ parent_id: owner.id })
  const { qr_id } = await insertCode(db, owner.id, {
    qr_type: 'child',
    is_child_registered: 1,
    child_account_id: child.id,
    owner_name: 'Arjun',
  })
  const { id } = await insertConversation(db, { account_id: child.id, qr_id })
  expect((await open('', owner)).html).toContain('No messages yet')
  expect((await open(`&conversation=${id}`, owner)).status).toBe(404)
  expect((await open('', child)).html).toContain(`id="thread-${id}"`)
  expect((await open(`&conversation=${id}`, child)).html).toContain('Arjun')
  expect((await submit(`${id}/answer`, { text: 'Thank you' }, child)).status).toBe(303)
})

test('a code that went to somebody else leaves its conversation, without its number', async () => {
  const { open, submit, begin, signUp, db, qr_id } = await openTab()
  const { id } = await begin()
  const heir = await signUp()
  await setCode(
    db,
    { qr_id },
    { owner_id: heir.id, contact_phone: '+919000000001', owner_name: 'Heir' },
  )
  const { html } = await open(`&conversation=${id}&number=1`)
  expect(html).not.toMatch(/90000 00001|Heir|MH 12/)
  expect((await submit(`${id}/answer`, { share_number: 'true' })).status).toBe(409)
})
