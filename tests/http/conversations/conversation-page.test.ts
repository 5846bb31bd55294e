import { expect, test } from 'vitest'
import { answerAsOwner, setConversationStatus } from '#actions/conversations/conversations.ts'
import { readConversation } from '#db/conversations/conversation-changes.ts'
import { MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import { QUICK_ANSWERS } from '#domain/conversations/message.ts'
import { loadCatalogue } from '#locales/catalogue.ts'
import { LANGS } from '#locales/languages.ts'
import { openFound, TYPED } from '#tests/support/finder.ts'
import { setCode } from '#tests/support/rows.ts'
import { filesIn, picture } from '#tests/support/uploads.ts'

const ENDED = 'This conversation has ended'

/** Opens a finder's conversation, with the owner's acts in it. */
async function openConversation(typed = TYPED as Record<string, string>, photo?: Uint8Array) {
  const app = await openFound()
  const begun = await app.begin(typed, photo)
  const mayMail = () => true
  const answer = (text: string) => answerAsOwner(app.deps, app.owner, begun.id, { text }, mayMail)
  const shareNumber = () =>
    answerAsOwner(app.deps, app.owner, begun.id, { share_number: true }, mayMail)
  const become = (status: 'open' | 'closed' | 'returned') =>
    setConversationStatus(app.deps, app.owner, begun.id, status, mayMail)
  const post = (fields: Record<string, string>, path = begun.page) =>
    app.ask('POST', path, { body: new URLSearchParams(fields) })
  return { ...app, ...begun, answer, shareNumber, become, post }
}

test('the page shows the messages of the finder and the owner', async () => {
  const { look, page, answer, shareNumber, post, advance } = await openConversation(
    TYPED,
    await picture(),
  )
  await answer('I am coming now\n<b>about</b> 15 minutes.')
  advance(60)
  await shareNumber()
  expect((await post({ text: 'Good.' })).status).toBe(303)
  const { status, html } = await look(page)
  expect(status).toBe(200)
  for (const said of [
    'MH 12 QX 4827',
    'Keep this page. The owner&#x27;s answer appears here.',
    'I found these keys',
    'They were on the counter.',
    TYPED.place,
    '18.50740, 73.80770',
    'within 12 metres',
    `src="${page}/photo"`,
    '<bdi>You</bdi>, 3:30 pm',
    'I am coming now',
    '&lt;b&gt;about&lt;/b&gt; 15 minutes.',
    '<bdi>Ramesh</bdi>, 3:30 pm',
    '<bdi>Ramesh</bdi> shares this number:',
    'href="tel:+919876543210"',
    '+91 98765 43210',
    'Good.',
    'Look for an answer',
    'End this conversation and delete what I shared.',
  ]) {
    expect(html).toContain(said)
  }
  expect(html.match(/<li /g)).toHaveLength(4)
  expect(html.match(/lang="" dir="auto"/g)).toHaveLength(4)
  // No word of the finder's that only the owner may see, none of the owner's beyond the first name.
  expect(html).not.toMatch(/Kulkarni|ramesh@|farhan|Farhan/)
})

test('begins with Sent in the finder’s language, and says when the owner has opened it, never more', async () => {
  const { look, page, post, answer, db, owner, deps } = await openConversation()
  const title = (html: string) => /<h1>(.*?)<\/h1>/.exec(html)?.[1]
  const read = (html: string) => /<p id="read" role="status">(.*?)<\/p>/.exec(html)?.[1]
  const shown = async (path = page) => {
    const { html } = await look(path)
    return [title(html), read(html)]
  }
  const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
  const open = () => readConversation(db, owner, id, deps.clock())
  for (const lang of LANGS) {
    const { conversation } = await loadCatalogue(lang)
    expect(await shown(`${page}?lang=${lang}`)).toEqual([conversation.sent, ''])
  }
  await open()
  expect(await shown()).toEqual(['Sent', 'Read'])
  expect(await shown(`${page}?lang=hi`)).toEqual(['भेजा गया', 'पढ़ा गया'])
  await answer('Wait there')
  expect(await shown()).toEqual(['Your message', ''])
  await post({ text: 'I wait.' })
  expect(await shown()).toEqual(['Sent', ''])
  await open()
  expect(await shown()).toEqual(['Sent', 'Read'])
})

test('says when the owner was told, once the alert has left', async () => {
  const { look, page, db, deps, advance } = await openConversation()
  const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
  const read = async (lang = 'en') =>
    /<p id="read" role="status">(.*?)<\/p>/.exec((await look(`${page}?lang=${lang}`)).html)?.[1]
  expect(await read()).toBe('')
  await db.deleteFrom('conversation_mails').execute()
  const alert = { conversation_id: id, side: 'owner', first_n: 1, outbox_id: 'gone' } as const
  const told_at = deps.clock().toISOString()
  await db
    .insertInto('conversation_mails')
    .values({ ...alert, due_at: told_at, told_at: null })
    .execute()
  expect(await read()).toBe('')
  await db.updateTable('conversation_mails').set({ told_at }).execute()
  expect(await read()).toBe('The owner was told at 3:30 pm.')
  expect(await read('hi')).toContain('मालिक को बताया गया')
  advance(86_400)
  expect(await read()).toBe('The owner was told at 20 Nov, 3:30 pm.')
})

test('shows the other ways above everything once nobody has read it for an hour', async () => {
  const { look, page, post, advance, db, owner, deps, code } = await openConversation()
  const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
  await setCode(db, code, { contact_mode: 'relay' })
  const isShown = async () => (await look(page)).html.includes('Nobody has read it for an hour')
  advance(3_599)
  expect(await isShown()).toBe(false)
  advance(1)
  const { html } = await look(page)
  const ways = html.slice(html.indexOf('id="else"'), html.indexOf('id="state"'))
  for (const text of [
    'Nobody has read it for an hour',
    'Sunita',
    'tel:+919000012345',
    'leave the keys',
  ]) {
    expect(ways).toContain(text)
  }
  expect(ways).not.toMatch(/Call owner|9876543210|112/)
  await post({ text: 'Hello?' })
  expect(await isShown()).toBe(false)
  advance(3_600)
  expect(await isShown()).toBe(true)
  await readConversation(db, owner, id, deps.clock())
  expect(await isShown()).toBe(false)
})

test('names the police station and security desk to a finder of something and of anything else', async () => {
  const place = 'You can also leave the keys with the nearest police station or building security.'
  for (const reason of MESSAGE_REASONS) {
    const { look, page, advance } = await openConversation({ ...TYPED, reason })
    advance(3_600)
    const { html } = await look(page)
    expect(html.includes(place), reason).toBe(['found', 'other'].includes(reason))
  }
})

test('names 112 first when nobody reads of an accident, and no way of a code that is off', async () => {
  const { look, page, advance, db, code } = await openConversation({
    ...TYPED,
    reason: 'accident',
  })
  advance(3_600)
  const ways = async () => {
    const { html } = await look(page)
    return html.slice(html.indexOf('id="else"'), html.indexOf('id="state"'))
  }
  expect(await ways()).toMatch(/Nobody has read.*tel:112.*Call owner/s)
  expect(await ways()).not.toContain('leave the keys')
  await setCode(db, code, { is_active: 0 })
  expect(await ways()).toContain('tel:112')
  expect(await ways()).not.toContain('Call owner')
})

test('a quick answer is shown in the finder’s language, for every reason', async () => {
  const { look, page, answer } = await openConversation()
  for (const text of Object.values(QUICK_ANSWERS)) await answer(text)
  for (const lang of LANGS) {
    const { html } = await look(`${page}?lang=${lang}`)
    const { quick } = (await loadCatalogue(lang)).conversation
    for (const text of Object.values(quick)) expect(html).toContain(`<p>${text}</p>`)
  }
})

test('shows the day of a message of another day', async () => {
  const { look, page, advance } = await openConversation()
  advance(86_400)
  expect((await look(page)).html).toContain('<bdi>You</bdi>, 20 Nov, 3:30 pm')
  expect((await look(`${page}?lang=hi`)).html).toMatch(/<bdi>आप<\/bdi>, 20 नव॰?,? 3:30/)
})

test('is kept by nobody, and tells nobody its address', async () => {
  const { look, page, deps } = await openConversation()
  const { hash } = deps.assets.inlined.conversation
  for (const path of [page, `${page}?stop=1`, '/c/none']) {
    const { response, html } = await look(path)
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'no-store',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, noarchive',
    })
    expect(response.headers.get('content-security-policy')).toContain(
      `style-src ${hash}; img-src 'self' data:; form-action 'self'`,
    )
    expect(html).toContain('<meta name="robots" content="noindex"/>')
    expect(html).not.toMatch(/(?:href|src|action)="(?:https?:)?\/\//)
  }
  expect((await look(page)).html.match(/<script/g)).toHaveLength(1)
  expect((await look(`${page}?stop=1`)).html).not.toContain('<script')
})

test('no log has the token, after any act on the page', async () => {
  const { look, page, post, logged, ask } = await openConversation(TYPED, await picture())
  await look(page)
  await post({ text: 'Thank you' })
  await post({ text: '' })
  await look(`${page}/photo`)
  await look(`${page}?stop=1`)
  await ask('PUT', page)
  await post({}, `${page}/stop`)
  await look(page)
  const token = page.slice('/c/'.length)
  expect(logged.join('')).toContain('/c/:token')
  expect(logged.join('')).not.toContain(token)
})

test.each([
  ['', 400, 'Please write a message'],
  [' \u202e ', 400, 'Please write a message'],
  ['x'.repeat(1001), 400, 'Message must be at most 1000 characters'],
])('an answer like %j is refused, and stays in its field', async (text, status, words) => {
  const { look, page, post } = await openConversation()
  const answer = await post({ text })
  const html = await answer.text()
  expect([answer.status, html.includes(words)]).toEqual([status, true])
  expect(html).toContain(`>${text}</textarea>`)
  expect(html).toContain('aria-invalid="true"')
  const hindi = await (await post({ text }, `${page}?lang=hi`)).text()
  expect(hindi).toMatch(/कृपया संदेश लिखें|यह बहुत लंबा है/)
  expect((await look(page)).html.match(/<li /g)).toHaveLength(1)
})

test('the twenty-first message of an hour is refused, and stays in its field', async () => {
  const { post } = await openConversation()
  for (let n = 1; n < 20; n++) expect((await post({ text: `${n}` })).status).toBe(303)
  const answer = await post({ text: 'One more' })
  const html = await answer.text()
  expect(answer.status).toBe(429)
  expect(Number(answer.headers.get('Retry-After'))).toBeGreaterThan(60)
  expect(html).toContain('>One more</textarea>')
  expect(html).toMatch(/20 messages can be sent in an hour\. Try again in \d+ minutes\./)
})

test('an answer that is sent again because its answer was lost stands there once', async () => {
  const { page, post, look, answer, become, advance } = await openConversation()
  const sent = async () => (await look(page)).html.match(/<li /g)?.length
  for (let n = 0; n < 2; n++) expect((await post({ text: 'At the gate.' })).status).toBe(303)
  expect(await sent()).toBe(2)
  advance(301)
  expect((await post({ text: 'At the gate.' })).status).toBe(303)
  expect(await sent()).toBe(3)
  await answer('Which gate?')
  expect((await post({ text: 'At the gate.' })).status).toBe(303)
  expect(await sent()).toBe(5)
  await become('closed')
  expect((await post({ text: 'At the gate.' })).status).toBe(303)
  expect((await post({ text: 'The old one.' })).status).toBe(409)
  expect(await sent()).toBe(5)
})

test('the other language keeps what is being typed', async () => {
  const { page, post, look } = await openConversation()
  const answer = await post({ text: 'Half a sent', lang: 'hi' })
  const html = await answer.text()
  expect(answer.status).toBe(200)
  expect(html).toContain('<html lang="hi">')
  expect(html).toContain('>Half a sent</textarea>')
  expect(html).toContain(`action="${page}"`)
  expect((await look(page)).html.match(/<li /g)).toHaveLength(1)
})

test('closed, it can be read and not answered; the typed text is shown', async () => {
  const { look, page, post, become } = await openConversation()
  await become('closed')
  const { html, status } = await look(page)
  expect(status).toBe(200)
  expect(html).toContain('This conversation is closed.')
  expect(html).not.toMatch(/<textarea|Keep this page|<form/)
  expect(html).toContain('They were on the counter.')
  expect(html).toContain('End this conversation and delete what I shared.')
  const answer = await post({ text: 'Too late' })
  const late = await answer.text()
  expect(answer.status).toBe(409)
  expect(late).toContain('This conversation is closed')
  expect(late).toMatch(/<textarea[^>]*readOnly=""[^>]*>Too late<\/textarea>/i)
  await become('open')
  expect((await look(page)).html).toContain('Keep this page.')
})

test('while the account is blocked it can be read and not answered, and nobody is mailed', async () => {
  const { look, page, post, answer, db, owner } = await openConversation()
  await answer('I am coming now')
  const set = (is_active: 0 | 1) =>
    db.updateTable('accounts').set({ is_active }).where('id', '=', owner.id).execute()
  await set(0)
  const { html, status } = await look(page)
  expect(status).toBe(200)
  expect(html).toContain('Messages to the owner are not possible now.')
  expect(html).toContain('I am coming now')
  expect(html).not.toMatch(/<textarea|Keep this page|<form/)
  const refused = await post({ text: 'Hello?' })
  const late = await refused.text()
  expect(refused.status).toBe(409)
  expect(late).toContain('Messages to the owner are not possible now')
  expect(late).toMatch(/<textarea[^>]*readOnly=""[^>]*>Hello\?<\/textarea>/i)
  const hindi = await (await post({ text: 'Hello?' }, `${page}?lang=hi`)).text()
  expect(hindi).toContain('अभी मालिक को संदेश नहीं भेजे जा सकते')
  const messages = await db.selectFrom('conversation_messages').select('text').execute()
  expect(messages).toHaveLength(2)
  await set(1)
  expect((await look(page)).html).toContain('Keep this page.')
  expect((await post({ text: 'Hello?' })).status).toBe(303)
})

test('says that the keys are back, with the owner’s thanks', async () => {
  const { look, page, become } = await openConversation()
  await become('returned')
  const { html } = await look(page)
  expect(html).toContain('The owner has the keys back. Thank you.')
  expect(html).toContain('Thank you, I have them back')
  expect(html).not.toMatch(/<textarea|<form/)
})

test('leads to a report of the page only while the page exists and has the same user', async () => {
  const { look, page, db, code, signUp } = await openConversation()
  const leads = async (set: { is_active?: 0 | 1; owner_id?: string } = {}) => {
    if (Object.keys(set).length > 0) await db.updateTable('qr_codes').set(set).execute()
    return (await look(page)).html.includes(`href="/scan/${code.qr_id}/report"`)
  }
  expect(await leads()).toBe(true)
  expect(await leads({ is_active: 0 })).toBe(false)
  expect(await leads({ is_active: 1 })).toBe(true)
  expect(await leads({ owner_id: (await signUp()).id })).toBe(false)
})

test('Stop asks once, and then everything that was shared is gone', async () => {
  const app = await openConversation(TYPED, await picture())
  const { look, page, post, db } = app
  expect(filesIn(app).stored).toHaveLength(2)
  const asked = await look(`${page}?stop=1`)
  expect(asked.status).toBe(200)
  expect(asked.html).toContain('End this conversation?')
  expect(asked.html).toContain(`<form action="${page}/stop" method="post">`)
  expect(asked.html).toContain(`href="${page}"`)
  expect((await look(page)).status).toBe(200)
  const stopped = await post({}, `${page}/stop`)
  expect([stopped.status, stopped.headers.get('Location')]).toEqual([303, page])
  for (const path of [page, `${page}?stop=1`]) {
    const { status, html } = await look(path)
    expect([status, html.includes(ENDED)]).toEqual([404, true])
  }
  expect((await look(`${page}/photo`)).status).toBe(404)
  const late = await post({ text: 'Hello?' })
  const lateHtml = await late.text()
  expect([late.status, lateHtml.includes(ENDED)]).toEqual([404, true])
  expect(lateHtml).toMatch(
    /This was not sent:.*<textarea[^>]*readOnly=""[^>]*>Hello\?<\/textarea>/is,
  )
  expect((await post({}, `${page}/stop`)).status).toBe(303)
  const row = await db.selectFrom('conversations').selectAll().executeTakeFirstOrThrow()
  expect(row).toMatchObject({ place: null, latitude: null, photo_name: null, reply_to: null })
  expect(filesIn(app).stored).toEqual([])
})

test('an unknown token is a conversation that has ended', async () => {
  const { look } = await openFound()
  for (const path of ['/c/none', '/c/none?stop=1', '/c/%00', `/c/${'A'.repeat(43)}`, '/c/a%2Fb']) {
    const { status, html } = await look(path)
    expect([path, status, html.includes(ENDED)]).toEqual([path, 404, true])
  }
  const { html } = await look('/c/none?lang=hi')
  expect(html).toContain('यह बातचीत ख़त्म हो गई है')
})
