import { expect, test } from 'vitest'
import { openAdmin } from '#tests/support/admin.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { INSERTED } from '#tests/support/inserted.ts'

const CALL = '/api/admin/messages'
const THANKS = { title: 'Thank you', content: 'One call is all it takes.' }

async function openMessages() {
  const app = await openTestApp()
  const admin = await app.signUp({ role: 'admin', name: 'Nandini Rao' })
  const code = await insertCode(app.db, admin.id)
  const call = async (method: string, path = '', json?: unknown) => {
    const answer = await app.ask(method, CALL + path, { as: admin, json })
    return { status: answer.status, body: await answer.json() }
  }
  const seen = async () => {
    const page = await (await app.ask('GET', `/scan/${code.qr_id}`)).text()
    const popup = await (await app.ask('GET', `/api/scan/${code.qr_id}/popup`)).json()
    return { html: page, titles: popup.admin_messages.map(({ title }: typeof THANKS) => title) }
  }
  const acts = () =>
    app.db
      .selectFrom('audit_events')
      .select(['actor', 'action', 'before', 'after'])
      .orderBy(INSERTED)
      .execute()
  return { ...app, admin, call, seen, acts }
}

const ON = /role="switch"[^>]* checked=""/

test('a message is shown to finders at once, hidden, shown again and deleted', async () => {
  const { call, seen, acts } = await openMessages()
  expect((await seen()).html).not.toContain('Continue to Contact Info')
  const made = await call('POST', '', {
    title: ' Thank you ',
    content: 'One call is all it takes.',
  })
  const message = { ...THANKS, id: expect.any(String), is_active: true }
  expect(made).toMatchObject({ status: 201, body: message })
  expect((await call('GET')).body).toEqual([made.body])
  const shown = await seen()
  expect(shown.html).toContain('Continue to Contact Info')
  expect(shown.html).toContain('One call is all it takes.')
  expect(shown.titles).toEqual(['Thank you'])
  const { id } = made.body
  expect((await call('PUT', `/${id}/toggle`)).body).toEqual({ ...made.body, is_active: false })
  expect((await seen()).html).not.toContain('Thank you')
  expect((await seen()).titles).toEqual([])
  expect((await call('PUT', `/${id}/toggle`)).body).toEqual(made.body)
  expect((await seen()).titles).toEqual(['Thank you'])
  expect(await call('DELETE', `/${id}`)).toEqual({
    status: 200,
    body: { message: 'Message deleted' },
  })
  expect((await seen()).titles).toEqual([])
  expect((await call('GET')).body).toEqual([])
  expect(await acts()).toMatchObject([
    { actor: 'Nandini Rao', action: 'message.added', after: JSON.stringify(THANKS) },
    { action: 'message.toggled', after: '{"title":"Thank you","is_active":false}' },
    { action: 'message.toggled', after: '{"title":"Thank you","is_active":true}' },
    { action: 'message.deleted', before: JSON.stringify(THANKS) },
  ])
})

test.each([
  [{ content: 'x' }, 'Please enter a title'],
  [{ title: ' ', content: 'x' }, 'Please enter a title'],
  [{ title: 'x' }, 'Please enter a message'],
  [{ title: 'x'.repeat(201), content: 'x' }, 'Title must be at most 200 characters'],
  [{ title: 'x', content: 'x'.repeat(1001) }, 'Message must be at most 1000 characters'],
  [{ title: 7, content: 'x' }, 'title must be text'],
])('%j is refused: %s', async (json, detail) => {
  const { call } = await openMessages()
  expect(await call('POST', '', json)).toEqual({ status: 400, body: { detail } })
  expect((await call('GET')).body).toEqual([])
})

test('a missing message is not found', async () => {
  const { call } = await openMessages()
  expect((await call('PUT', '/none/toggle')).status).toBe(404)
  expect((await call('DELETE', '/none')).status).toBe(404)
})

test('a form that is sent again, because its answer was lost, adds one message', async () => {
  const { open, submit, db } = await openAdmin()
  const dialog = (await open('?tab=system&create=1')).html
  const [, form_key = ''] = /name="form_key" value="([^"]+)"/.exec(dialog) ?? []
  expect(form_key).not.toBe('')
  const add = async (fields: object) =>
    (await submit('/messages', { ...THANKS, form_key, ...fields })).to
  const added = await add({})
  expect(added).toContain('done=message-added')
  expect(await add({})).toBe(added)
  expect(await add({ title: 'Happy Diwali' })).not.toBe(added)
  const rows = await db.selectFrom('admin_messages').select('title').orderBy('title').execute()
  expect(rows.map(({ title }) => title)).toEqual(['Happy Diwali', THANKS.title])
  const acts = await db.selectFrom('audit_events').select('action').execute()
  expect(acts).toHaveLength(2)
})

test('a message has a text for each language, which its readers see', async () => {
  const { call, ask, db, admin, acts } = await openMessages()
  const { qr_id } = await db.selectFrom('qr_codes').select('qr_id').executeTakeFirstOrThrow()
  const { body: made } = await call('POST', '', THANKS)
  const hindi = { title: 'धन्यवाद', content: 'एक फ़ोन काफ़ी है।' }
  const urdu = { title: 'شکریہ', content: 'ایک کال کافی ہے۔' }
  const set = (lang: string, json: object) => call('PUT', `/${made.id}/text`, { lang, ...json })
  await Promise.all([set('hi', { title: 'x', content: 'y' }), set('ur', urdu)])
  const both = await set('hi', hindi)
  expect(both).toEqual({ status: 200, body: { ...made, texts: { hi: hindi, ur: urdu } } })
  const read = async (lang: string) => (await ask('GET', `/scan/${qr_id}?lang=${lang}`)).text()
  expect(await read('hi')).toContain(`<h3>${hindi.title}</h3><p>${hindi.content}</p>`)
  expect(await read('ur')).toContain(urdu.content)
  for (const lang of ['en', 'ta']) expect(await read(lang)).toContain(THANKS.content)

  const removed = await set('hi', { title: ' ', content: null })
  expect(removed.body.texts).toEqual({ ur: urdu })
  expect(await read('hi')).toContain(THANKS.content)
  expect(await set('hi', { title: 'धन्यवाद' })).toEqual({
    status: 400,
    body: { detail: 'Please enter a message' },
  })
  expect(await set('xx', hindi)).toEqual({ status: 400, body: { detail: 'Unknown language' } })
  const missing = await ask('PUT', `${CALL}/none/text`, {
    as: admin,
    json: { lang: 'hi', ...hindi },
  })
  expect(missing.status).toBe(404)
  expect((await acts()).at(-1)).toMatchObject({ action: 'message.translated' })
  await call('DELETE', `/${made.id}`)
  expect(await db.selectFrom('admin_message_texts').selectAll().execute()).toEqual([])
})

test('a text in another language is written without script', async () => {
  const { open, submit, db } = await openAdmin()
  await submit('/messages', THANKS)
  const { id } = await db.selectFrom('admin_messages').select('id').executeTakeFirstOrThrow()
  const dialog = (await open(`?tab=system&text=${id}`)).html
  expect(dialog).toContain('Message in another language</h2>')
  const refused = await submit(`/messages/${id}/text`, { lang: 'ur', title: '', content: 'x' })
  expect(refused.status).toBe(400)
  expect(refused.html).toContain('Please enter a title')
  const saved = await submit(`/messages/${id}/text`, { lang: 'ur', title: 'شکریہ', content: 'x' })
  expect(saved.to).toContain('done=message-translated')
  expect((await open('?tab=system')).html).toContain('<b>شکریہ</b>')
})

test('the switch of a message says the same again when its form is sent twice', async () => {
  const { submit, db } = await openAdmin()
  await submit('/messages', THANKS)
  const rows = () => db.selectFrom('admin_messages').selectAll().execute()
  const [{ id } = {}] = await rows()
  const change = async (is_active: string) =>
    (await submit(`/messages/${id}/toggle`, { is_active })).to
  expect(await change('true')).toContain('done=message-shown')
  for (const _ of [1, 2]) expect(await change('false')).toContain('done=message-hidden')
  expect(await rows()).toMatchObject([{ is_active: 0 }])
  const acts = await db.selectFrom('audit_events').select('action').execute()
  expect(acts.map(({ action }) => action)).toEqual(['message.added', 'message.toggled'])
})

test('a message is added, hidden, shown and deleted without script', async () => {
  const { open, submit, db } = await openAdmin()
  const tab = '?tab=system'
  expect((await open(tab)).html).toContain('No messages yet.')
  const dialog = (await open(`${tab}&create=1`)).html
  expect(dialog).toContain('Add message</h2>')
  const refused = await submit('/messages', { title: 'Thank you', content: ' ' })
  expect(refused).toMatchObject({ status: 400 })
  expect(refused.html).toContain('Please enter a message')
  expect(refused.html).toContain('value="Thank you"')
  const added = await submit('/messages', { title: 'Thank <you>', content: 'Two\r\nlines' })
  expect(added.status).toBe(303)
  expect(added.to).toMatch(`/admin${tab}&done=message-added&at=message-`)
  const { id, content } = await db
    .selectFrom('admin_messages')
    .selectAll()
    .executeTakeFirstOrThrow()
  expect(content).toBe('Two\nlines')
  const { html } = await open(`${tab}&done=message-added`)
  expect(html).toContain('Message added')
  expect(html).toContain('Thank &lt;you&gt;')
  expect(html).toMatch(ON)
  expect((await submit(`/messages/${id}/toggle`)).to).toBe(
    `/admin${tab}&done=message-hidden&at=shown-${id}`,
  )
  expect((await open(tab)).html).not.toMatch(ON)
  expect((await submit(`/messages/${id}/toggle`)).to).toBe(
    `/admin${tab}&done=message-shown&at=shown-${id}`,
  )
  expect((await open(`${tab}&delete=${id}`)).html).toContain('Delete this message?')
  expect((await submit(`/messages/${id}/delete`)).to).toBe(`/admin${tab}&done=message-deleted`)
  expect((await open(`${tab}&delete=${id}`)).status).toBe(404)
  expect((await submit(`/messages/${id}/delete`)).status).toBe(404)
})
