import { describe, expect, test } from 'vitest'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { blockSender } from '#db/conversations/blocks.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import {
  CODE,
  formOf,
  openFound,
  readConversations,
  TYPED,
  tokenIn,
  valuesIn,
} from '#tests/support/finder.ts'
import { filesIn, picture } from '#tests/support/uploads.ts'

const HOUR = 3600

describe('the form', () => {
  test('asks for the reason, and names the emergency number', async () => {
    const { look, path, code } = await openFound()
    const { status, html } = await look(path)
    expect(status).toBe(200)
    for (const said of [
      'MH 12 QX 4827',
      'I found these keys',
      'The vehicle is in the way',
      'Lights are on, or a window is open',
      'The vehicle was hit, damaged or towed',
      'Accident. Someone is hurt',
      'Something else',
      'Call 112',
      'Sunita',
      'href="tel:+919000012345"',
      'Without the tick an email stays hidden, and a number is not used at all.',
    ]) {
      expect(html).toContain(said)
    }
    expect(html.match(/<script/g)).toHaveLength(1)
    expect(html).toContain('<script defer="" src="/assets/message-TEST.js">')
    expect(html).not.toMatch(/\son\w+=|javascript:/i)
    expect(html).toContain(`href="/scan/${code.qr_id}?seen=1"`)
  })

  test('shows no number and no address of the owner', async () => {
    const { look, path } = await openFound()
    const { html } = await look(path)
    expect(html).not.toMatch(/9876543210|98765 43210|ramesh@example/)
  })

  test('in relay hides the rest of the owner too, after every refusal', async () => {
    const app = await openFound({ contact_mode: 'relay', show_vehicle: 0, show_city: 0 })
    const { look, path, fillIn, send } = app
    const pages = [await look(path), await look(`${path}?lang=hi`)]
    for (let n = 0; n < 3; n++) {
      const { response } = await send(await fillIn())
      pages.push(await look(response.headers.get('Location') ?? ''))
    }
    const refused = await send(await fillIn())
    expect(refused.status).toBe(429)
    for (const { html, response } of [...pages, refused]) {
      const sent = html + JSON.stringify([...response.headers])
      expect(sent).not.toMatch(/98765|43210|ramesh@|Kulkarni|MH ?12|QX ?4827/)
    }
    expect(refused.html).toContain('href="tel:+919000012345"')
  })

  test('may load its own script and nothing else, and asks for the location of its own page', async () => {
    const { look, path, deps } = await openFound()
    const { response } = await look(path)
    const { hash } = deps.assets.inlined.message
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-security-policy': `default-src 'none'; script-src 'self'; connect-src 'self'; style-src ${hash}; img-src 'self' data:; form-action 'self'; base-uri 'none'; frame-ancestors 'none'`,
      'permissions-policy': 'camera=(), microphone=(), geolocation=(self), payment=()',
      'referrer-policy': 'no-referrer',
      'x-robots-tag': 'noindex, noarchive',
      // Going back after a lost network shows the typed text.
      'cache-control': 'private, no-cache',
    })
  })

  test('is in Hindi for a browser that prefers it', async () => {
    const { look, path } = await openFound()
    const asked = await look(`${path}?lang=hi`)
    expect(asked.html).toContain('मुझे ये चाबियाँ मिली हैं')
    expect(asked.html).toContain('<html lang="hi">')
    expect(asked.html).toContain(`action="${path}"`)
    const preferred = await look(path, { headers: { 'Accept-Language': 'hi-IN,hi;q=0.9' } })
    expect(preferred.html).toContain('बात क्या है?')
  })

  test('is not there for a code whose messages nobody would read', async () => {
    const app = await openFound()
    const { db, signUp, look } = app
    const blocked = await signUp()
    const states = [
      { fields: UNCLAIMED, says: 'QR Code Not Found' },
      { fields: CHILD, says: 'QR Code Not Found' },
      { fields: { is_active: 0 } as const, says: 'QR Code Not Found' },
      { fields: HELD, says: 'No messages for this code' },
      { fields: { owner_id: blocked.id }, says: 'No messages for this code' },
    ]
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', blocked.id).execute()
    for (const { fields, says } of states) {
      const { qr_id } = await insertCode(db, app.owner.id, { ...CODE, ...fields })
      const path = `/scan/${qr_id}/message`
      const shown = await look(path)
      expect([shown.status, shown.html.includes(says)]).toEqual([404, true])
      const posted = await app.ask('POST', path, { body: formOf(TYPED) })
      expect([posted.status, (await posted.text()).includes(says)]).toEqual([404, true])
    }
    expect((await look('/scan/nothing/message')).status).toBe(404)
    expect(await readConversations(app)).toEqual([])
  })
})

describe('a message', () => {
  test('arrives with all that was typed, and leads to a page that only the finder has', async () => {
    const app = await openFound()
    const photo = await picture({ kind: 'jpeg' })
    const { response, status } = await app.send(await app.fillIn(TYPED, { photo }))
    expect(status).toBe(303)
    expect(response.headers.get('Location')).toMatch(/^\/c\/[\w-]{22,}$/)
    const [{ messages, ...row } = { messages: [] }] = await readConversations(app)
    expect(row).toMatchObject({
      qr_id: app.code.qr_id,
      account_id: app.owner.id,
      reason: 'found',
      place: TYPED.place,
      latitude: 18.5074,
      longitude: 73.8077,
      accuracy: 12,
      name: 'Farhan',
      reply_to: 'farhan.q@example.in',
      show_contact: 1,
    })
    expect(messages.map(({ sender, text }) => [sender, text])).toEqual([['finder', TYPED.text]])
    expect(filesIn(app)).toEqual({ stored: [expect.any(String), expect.any(String)], incoming: [] })
  })

  test('needs no more than a reason', async () => {
    const app = await openFound()
    const { status } = await app.send(await app.fillIn({ reason: 'lights' }))
    expect(status).toBe(303)
    expect(await readConversations(app)).toMatchObject([{ reason: 'lights', place: null }])
  })

  test('of a program that fills in every field seems to arrive, and does not', async () => {
    const app = await openFound()
    const form = await app.fillIn({ ...TYPED, website: 'https://spam.example' })
    const { response, status } = await app.send(form)
    expect([status, response.headers.get('Location')]).toEqual([
      303,
      expect.stringMatching(/^\/c\/[\w-]{22,}$/),
    ])
    expect(await readConversations(app)).toEqual([])
  })
})

/** The problem, the refusal's status and words, and the field beside it. */
const WRONG: [string, Record<string, string>, number, string, string | undefined][] = [
  ['no reason', { reason: '' }, 400, 'Please choose what it is about', undefined],
  [
    'an unknown reason',
    { reason: 'joke" checked' },
    400,
    'Please choose what it is about',
    undefined,
  ],
  ['no text', { reason: 'other', text: ' ' }, 400, 'Please write a message', 'text'],
  [
    'too long a place',
    { place: 'x'.repeat(201) },
    400,
    'Place must be at most 200 characters',
    'place',
  ],
  ['no place on Earth', { latitude: '91' }, 400, 'That is no place on Earth', undefined],
  ['too long a name', { name: 'x'.repeat(61) }, 400, 'Name must be at most 60 characters', 'name'],
  [
    'no address',
    { reply_to: 'somewhere "else"' },
    400,
    'Please enter an e-mail address or a mobile number',
    'reply_to',
  ],
  ['a token of nobody', { page_token: 'x' }, 400, 'Please try again', undefined],
]

/** All typed fields, as the form shows them again. */
function typedIn(html: string) {
  const { page_token: _, form_key: __, website: ___, photo: ____, ...values } = valuesIn(html)
  return values
}

describe('a refusal keeps everything that was typed', () => {
  test.each(WRONG)('%s', async (_what, wrong, status, words, field) => {
    const app = await openFound()
    const typed = { ...TYPED, ...wrong }
    const { page_token: _, ...shown } = { page_token: '', ...typed }
    for (const photo of [undefined, await picture()]) {
      const answer = await app.send(await app.fillIn(typed, photo && { photo }))
      expect([answer.status, answer.html.includes(words)]).toEqual([status, true])
      const isKnown = typed.reason === 'found' || typed.reason === 'other'
      const { reason, ...rest } = shown
      expect(typedIn(answer.html)).toEqual(isKnown ? { reason, ...rest } : rest)
      expect(answer.html.includes('The photo was not kept. Choose it again.')).toBe(Boolean(photo))
      if (field) {
        expect(answer.html).toMatch(
          new RegExp(
            `<(?:input|textarea)[^>]*(?:id="${field}"[^>]*aria-invalid="true"|aria-invalid="true"[^>]*id="${field}")`,
          ),
        )
      }
    }
    expect(await readConversations(app)).toEqual([])
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('in the language of the page', async () => {
    const { fillIn, send } = await openFound()
    const wrong = { ...TYPED, reason: 'other', text: '' }
    const { html } = await send(await fillIn(wrong), { query: '?lang=hi' })
    expect(html).toContain('कृपया संदेश लिखें')
    const long = await send(await fillIn({ ...TYPED, name: 'x'.repeat(61) }), { query: '?lang=hi' })
    expect(long.html).toContain('यह बहुत लंबा है। कृपया इसे छोटा करें।')
  })

  test.each([
    [
      'a photo that is too large',
      Buffer.alloc(15 * 1024 * 1024 + 1),
      413,
      'Image is larger than 15 MB',
    ],
    ['a photo far beyond the limit', Buffer.alloc(19_000_000), 413, 'Image is larger than 15 MB'],
    [
      'a photo that is none',
      Buffer.from('GIF89a'),
      415,
      'Only JPG, PNG and WebP images are accepted',
    ],
    // So a browser sends a photo that a script made, when its form is sent again from an error page.
    ['a photo that was lost', Buffer.alloc(0), 415, 'The photo was not kept. Choose it again.'],
  ])('%s', async (_what, photo, status, words) => {
    const app = await openFound()
    const answer = await app.send(await app.fillIn(TYPED, { photo }))
    expect([answer.status, answer.html.includes(words)]).toEqual([status, true])
    expect(typedIn(answer.html)).toEqual(TYPED)
    expect(answer.html).toMatch(/<input[^>]*type="file"[^>]*aria-invalid="true"/)
    const hindi = await app.send(await app.fillIn(TYPED, { photo }), { query: '?lang=hi' })
    expect(hindi.html).toMatch(/class="err" id="p".*[\u0900-\u097f]/s)
    expect(await readConversations(app)).toEqual([])
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('a page that was sent too quickly, and one that was open for too long', async () => {
    const app = await openFound()
    const now = app.deps.clock().getTime()
    for (const age of [500, 25 * HOUR * 1000]) {
      const made = new Date(now - age)
      const page_token = makePageToken(app.deps.secretKey, app.code.qr_id, made)
      const { status, html } = await app.send(formOf({ ...TYPED, page_token }))
      expect([status, html.includes('Please try again')]).toEqual([400, true])
      expect(typedIn(html)).toEqual(TYPED)
      app.advance(3)
      const again = formOf({ ...TYPED, page_token: tokenIn(html) })
      expect((await app.send(again)).status).toBe(303)
      app.advance(-3)
    }
  })

  test('a page token that is still good stays, so that the next try is not too quick', async () => {
    const { fillIn, send } = await openFound()
    const form = await fillIn({ ...TYPED, reply_to: 'nowhere' })
    const { html } = await send(form)
    expect(tokenIn(html)).toBe(form.get('page_token'))
    expect((await send(formOf({ ...TYPED, page_token: tokenIn(html) }))).status).toBe(303)
  })

  test('a full disk, and two photos of an address that are still on their way', async () => {
    const app = await openFound()
    const photo = await picture()
    const form = await app.fillIn(TYPED, { photo })
    const assertRoom = app.deps.files.assertRoom
    app.deps.files.assertRoom = async () => {
      const { DomainError } = await import('#domain/error.ts')
      throw new DomainError('unavailable.storage_full')
    }
    const full = await app.send(form)
    expect([full.status, full.html.includes('Storage is full')]).toEqual([503, true])
    expect(typedIn(full.html)).toEqual(TYPED)
    expect(full.html).toContain('The photo was not kept. Choose it again.')
    app.deps.files.assertRoom = assertRoom
    expect((await app.send(await app.fillIn(TYPED, { photo }))).status).toBe(303)
  })

  test('too many conversations, with the other ways to reach the owner', async () => {
    const { send, fillIn, ...app } = await openFound()
    for (let n = 0; n < 3; n++) expect((await send(await fillIn())).status).toBe(303)
    const { status, html, response } = await send(await fillIn())
    expect(status).toBe(429)
    expect(Number(response.headers.get('Retry-After'))).toBeGreaterThan(60)
    expect(html).toMatch(
      /3 conversations about a QR code can be begun in an hour\. Try again in \d+ minutes\./,
    )
    for (const way of ['tel:+919876543210', 'https://wa.me/919876543210?text=Hello', 'sms:']) {
      expect(html).toContain(`href="${way}`)
    }
    expect(html).toContain('href="mailto:ramesh@example.in')
    expect(html).toContain('<small dir="ltr">ramesh@example.in</small>')
    expect(typedIn(html)).toEqual(TYPED)
    expect(await readConversations(app)).toHaveLength(3)
    app.advance(HOUR)
    expect((await send(await fillIn())).status).toBe(303)
  })

  test('a sender whom the owner blocked, with the other ways', async () => {
    const app = await openFound()
    const { id } = await app.begin()
    await blockSender(app.db, app.owner, id, app.deps.clock())
    const { status, html } = await app.send(await app.fillIn())
    expect([status, html.includes('The owner takes no messages from here')]).toEqual([403, true])
    const ways = html.slice(0, html.indexOf('<form'))
    for (const way of [
      'href="tel:+919876543210"',
      'href="tel:+919000012345"',
      'You can also leave the keys with the nearest police station or building security.',
    ]) {
      expect(ways).toContain(way)
    }
    expect(typedIn(html)).toEqual(TYPED)
    app.openBrowser()
    expect((await app.send(await app.fillIn())).status).toBe(303)
  })

  test('an owner who was blocked meanwhile, and a code that was deleted', async () => {
    const app = await openFound()
    const { db, owner, fillIn, send } = app
    const ends: [() => Promise<unknown>, string][] = [
      [
        () => db.updateTable('accounts').set({ is_active: 0 }).execute(),
        'No messages for this code',
      ],
      [() => db.deleteFrom('qr_codes').execute(), 'QR Code Not Found'],
    ]
    for (const [end, says] of ends) {
      const photo = await picture()
      const forms = [await fillIn(TYPED), await fillIn(TYPED, { photo })]
      await end()
      for (const form of forms) {
        const { status, html } = await send(form)
        expect([status, html.includes(says)]).toEqual([404, true])
        expect(html).toContain('This was not sent:')
        const { text, place, name, reply_to } = TYPED
        expect(valuesIn(html)).toEqual({ text, place, name, reply_to })
      }
      await db.updateTable('accounts').set({ is_active: 1 }).where('id', '=', owner.id).execute()
    }
    expect(filesIn(app)).toEqual({ stored: [], incoming: [] })
  })

  test('pages looked at too often', async () => {
    const { look, path, send, fillIn } = await openFound()
    const form = await fillIn()
    for (let n = 0; n < 59; n++) await look(path)
    const { status, html } = await send(form)
    expect(status).toBe(429)
    expect(typedIn(html)).toEqual(TYPED)
  })
})

describe('the form’s other buttons', () => {
  test('show it in the other language, and send nothing', async () => {
    const app = await openFound()
    const form = await app.fillIn({ ...TYPED, lang: 'hi' }, { photo: await picture() })
    const { status, html } = await app.send(form)
    expect(status).toBe(200)
    expect(html).toContain('<html lang="hi">')
    expect(html).toContain(`action="${app.path}"`)
    expect(typedIn(html)).toEqual(TYPED)
    expect(html).toContain('फ़ोटो सेव नहीं हुई। उसे फिर से चुनें।')
    expect(html).not.toContain('aria-invalid')
    expect(await readConversations(app)).toEqual([])
  })

  test('remove the location, and send nothing', async () => {
    const app = await openFound()
    const { status, html } = await app.send(await app.fillIn({ ...TYPED, remove: 'location' }))
    expect(status).toBe(200)
    const nowhere = { latitude: '', longitude: '', accuracy: '' }
    expect(typedIn(html)).toEqual({ ...TYPED, ...nowhere })
    expect(html).toContain('class="here" hidden=""')
    expect(await readConversations(app)).toEqual([])
  })

  test('are not pressed by Enter', async () => {
    const { look, path } = await openFound()
    const { html } = await look(path)
    const [first] = html.match(/<button[^>]*>/) ?? []
    expect(first).toContain('form="message"')
    expect(first).not.toContain('name=')
  })
})

test.each([
  '<script>alert(1)</script>',
  '"><img src=x onerror=alert(1)>',
  '</textarea><script>alert(1)</script>',
  '{n}',
])('text like %j stays text in every field of the form', async (payload) => {
  const { fillIn, send } = await openFound()
  const typed = Object.fromEntries(Object.keys(TYPED).map((name) => [name, payload]))
  const skeletonOf = (html: string) => [...html.matchAll(/<\/?([a-z]+)/gi)].map(([, tag]) => tag)
  const harmless = Object.fromEntries(Object.keys(TYPED).map((name) => [name, 'harmless']))
  const { html } = await send(await fillIn(typed))
  expect(skeletonOf(html)).toEqual(skeletonOf((await send(await fillIn(harmless))).html))
})

describe('a message whose answer was lost', () => {
  /** The form with its key, which can be sent any number of times. */
  async function openForm() {
    const found = await openFound({}, { env: { SMTP_URL: 'smtp://127.0.0.1:9' } })
    const { form_key = '' } = valuesIn((await found.look(found.path)).html)
    expect(form_key).toMatch(/^[\w-]{43}$/)
    const photo = await picture()
    const form = (fields = {}) => found.fillIn({ ...TYPED, form_key, ...fields }, { photo })
    const leadsTo = async (body: FormData) =>
      (await found.send(body)).response.headers.get('Location') ?? ''
    return { ...found, form, leadsTo }
  }

  test('is sent again to the same conversation, of which the owner is told once', async () => {
    const { form, leadsTo, look, db, mails, dataDir } = await openForm()
    const [first, again] = [await form(), await form()]
    const page = await leadsTo(first)
    expect(await leadsTo(again)).toBe(page)
    expect((await look(page)).status).toBe(200)
    expect(await readConversations({ db })).toHaveLength(1)
    expect(mails).toHaveLength(1)
    expect(filesIn({ dataDir }).stored).toHaveLength(2)
  })

  test('twice at once begins one conversation', async () => {
    const { form, leadsTo, db } = await openForm()
    const [page, other] = await Promise.all([await form(), await form()].map(leadsTo))
    expect(other).toBe(page)
    expect(await readConversations({ db })).toHaveLength(1)
  })

  test('begins another one with other words, and with the same ones later', async () => {
    const { form, leadsTo, advance } = await openForm()
    const pages = [await leadsTo(await form())]
    pages.push(await leadsTo(await form({ text: 'They are on the counter.' })))
    advance(300)
    pages.push(await leadsTo(await form()))
    pages.push(await leadsTo(await form({ form_key: '' })))
    expect(new Set(pages).size).toBe(4)
  })

  test('keeps the key of its form when that is shown again', async () => {
    const { form, send } = await openForm()
    const refused = await send(await form({ reason: '' }))
    const sent = await form()
    expect(valuesIn(refused.html).form_key).toBe(sent.get('form_key'))
  })
})
