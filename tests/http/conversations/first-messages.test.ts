import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { KEPT_LIMITS } from '#domain/rate-limits.ts'
import { newCaller } from '#tests/support/callers.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { openConversations, PLATE } from '#tests/support/conversations.ts'
import { CHILD, UNCLAIMED } from '#tests/support/families.ts'
import { storedFile } from '#tests/support/storage.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { blackPng, filesIn, photoForm, picture } from '#tests/support/uploads.ts'

describe('a message to the owner', () => {
  test('is answered with the URL of a page, by a token of which the database has only the hash', async () => {
    const { send, tokenOf, rowOf, seen, db } = await openConversations()
    const { status, body } = await send({ place: 'Gate 2' })
    expect([status, body]).toEqual([
      201,
      { conversation_url: expect.stringMatching(/^http:\/\/localhost:3000\/c\/[\w-]{43}$/) },
    ])
    const token = tokenOf(body)
    expect(await seen(token)).toMatchObject({
      reason: 'found',
      status: 'open',
      place: 'Gate 2',
      vehicle_registration: PLATE,
      owner_name: 'Ramesh',
      messages: [{ from: 'finder', kind: 'text', text: 'I have your keys.' }],
    })
    expect(JSON.stringify(await rowOf(token))).not.toContain(token)
    expect(await seen(`${token.slice(0, -1)}_`)).toBeUndefined()
    const tables = ['conversations', 'conversation_messages', 'conversation_changes'] as const
    for (const table of tables) {
      expect(JSON.stringify(await db.selectFrom(table).selectAll().execute())).not.toContain(token)
    }
  })

  test('needs a token of that code, from 2 seconds to 24 hours old, and takes it more than once', async () => {
    const { send, pageToken, advance, ask, db, owner, qr_id } = await openConversations()
    const other = await insertCode(db, owner.id)
    for (const page_token of [undefined, '', 'x', 'a.b', pageToken(other.qr_id)]) {
      const { status, body } = await send({ page_token })
      expect([status, body.detail]).toEqual([400, 'Please try again'])
    }
    const answer = await ask('GET', `/api/scan/${qr_id}/message`)
    expect(answer.status).toBe(200)
    const { page_token } = await answer.json()
    expect((await send({ page_token })).body.detail).toBe('Please try again')
    advance(2)
    expect((await send({ page_token })).status).toBe(201)
    expect((await send({ page_token })).status).toBe(201)
    advance(86_397)
    expect((await send({ page_token })).status).toBe(201)
    advance(2)
    expect((await send({ page_token })).body.detail).toBe('Please try again')
    const forged = page_token.replace(/^./, (first: string) => (first === 'm' ? 'n' : 'm'))
    expect((await send({ page_token: forged })).body.detail).toBe('Please try again')
  })

  test.each([
    [{ reason: null }, 'Please choose what it is about'],
    [{ reason: 'other', text: '' }, 'Please write a message'],
    [{ text: 5 }, 'text must be text'],
  ])('%o is refused', async (fields, detail) => {
    const { send, db } = await openConversations()
    const { status, body } = await send(fields)
    expect([status, body.detail]).toEqual([400, detail])
    expect(await db.selectFrom('conversations').selectAll().execute()).toEqual([])
  })

  test('goes to nobody for a code that nobody uses', async () => {
    const { send, ask, db, owner, signUp } = await openConversations()
    const blocked = await signUp()
    await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', blocked.id).execute()
    const codes = [
      await insertCode(db, owner.id, UNCLAIMED),
      await insertCode(db, owner.id, CHILD),
      await insertCode(db, owner.id, HELD),
      await insertCode(db, owner.id, { is_active: 0 }),
      await insertCode(db, blocked.id),
    ]
    for (const { qr_id: of } of [...codes, { qr_id: 'DEMO' }]) {
      const { status, body } = await send({}, { of })
      expect([status, body.detail]).toEqual([404, 'QR code not found'])
      expect((await ask('GET', `/api/scan/${of}/message`)).status).toBe(404)
    }
  })

  test('about a registered child code is the child user’s, and not the parent’s', async () => {
    const { begin, call, db, owner, signUp } = await openConversations()
    const child = await signUp({ parent_id: owner.id })
    const registered = {
      ...CHILD,
      owner_name: 'Gurleen',
      is_claimed: 1,
      is_child_registered: 1,
    } as const
    const code = await insertCode(db, owner.id, { ...registered, child_account_id: child.id })
    const { id } = await begin({}, { of: code.qr_id })
    expect((await call('GET', '', { as: child })).body.conversations).toMatchObject([{ id }])
    expect((await call('GET', '')).body.conversations).toEqual([])
    expect((await call('GET', `/${id}`)).status).toBe(404)
  })

  test('of a program that fills in the field nobody sees looks sent, and is not', async () => {
    const { ask, qr_id, db, pageToken, send } = await openConversations()
    const body = photoForm(await picture(), {
      reason: 'found',
      page_token: pageToken(),
      website: 'http://spam.example',
    })
    const answer = await ask('POST', `/api/scan/${qr_id}/messages`, { body })
    expect([answer.status, await answer.json()]).toEqual([
      201,
      { conversation_url: expect.stringMatching(/\/c\/[\w-]{43}$/) },
    ])
    expect((await send({ website: 'http://spam.example' })).status).toBe(201)
    expect(await db.selectFrom('conversations').selectAll().execute()).toEqual([])
  })
})

describe('within an hour', () => {
  /** Begins all conversations but one that a network may begin. */
  async function fillNetwork(opened: Awaited<ReturnType<typeof openConversations>>, peer: string) {
    const { begin, rowOf, db } = opened
    const { account_id, network_hash, created_at } = await rowOf((await begin({}, { peer })).token)
    const { qr_id } = await insertCode(db, account_id)
    for (let n = 2; n < KEPT_LIMITS['conversation-network'].count; n++) {
      await insertConversation(
        db,
        { account_id, qr_id },
        { network_hash, created_at, is_deleted: 1 },
      )
    }
  }

  test.each([6, 30])(
    '%i finders of as many codes at one address all get through',
    async (count) => {
      const { send, openBrowser, db, owner } = await openConversations()
      for (let n = 0; n < count; n++) {
        const { qr_id: of } = await insertCode(db, owner.id)
        expect((await send({}, { of })).status).toBe(201)
        expect((await send({}, { of, cookie: await openBrowser(of) })).status).toBe(201)
      }
    },
  )

  test('thirty finders of one code at one address get through', async () => {
    const { send, openBrowser, call } = await openConversations()
    for (let n = 0; n < 15; n++) {
      expect((await send()).status).toBe(201)
      expect((await send({}, { cookie: await openBrowser() })).status).toBe(201)
    }
    expect((await call('GET', '')).body.total_count).toBe(30)
  })

  test('a browser begins three about a code, but of accidents, and the next an hour later', async () => {
    const { send, openBrowser, advance, db, owner } = await openConversations()
    const cookie = await openBrowser()
    for (let n = 0; n < 3; n++) {
      expect((await send({}, { cookie, peer: `203.0.${n}.7` })).status).toBe(201)
      advance(60)
    }
    const refused = await send({}, { cookie })
    expect([refused.status, refused.body, refused.headers.get('Retry-After')]).toEqual([
      429,
      {
        detail: '3 conversations about a QR code can be begun in an hour. Try again in 57 minutes.',
        retry_after: 3420,
      },
      '3420',
    ])
    expect((await send({ reason: 'accident' }, { cookie })).status).toBe(201)
    expect((await send({}, { cookie, of: (await insertCode(db, owner.id)).qr_id })).status).toBe(
      201,
    )
    expect((await send({}, { cookie: await openBrowser() })).status).toBe(201)
    advance(3419)
    expect((await send({}, { cookie })).status).toBe(429)
    advance(1)
    expect((await send({}, { cookie })).status).toBe(201)
  })

  test('a browser cannot take the id of another one', async () => {
    const { begin, openBrowser, rowOf } = await openConversations()
    const cookie = await openBrowser()
    const own = await rowOf((await begin({}, { cookie })).token)
    const forged = cookie.replace(/.$/, (last) => (last === '0' ? '1' : '0'))
    const other = await rowOf((await begin({}, { cookie: forged })).token)
    expect([own.browser_hash, other.browser_hash]).toEqual([expect.any(String), null])
    expect(JSON.stringify(own)).not.toContain(cookie.split('=')[1]?.split('.')[0])
  })

  test.each([
    ['203.0.113.7', '203.0.113.200', '203.0.114.7'],
    ['2001:db8:1:2::3', '2001:db8:1:ffff::9', '2001:db8:2::1'],
  ])('the network of %s begins 120 about all codes together', async (from, near, far) => {
    const opened = await openConversations()
    const { send, advance } = opened
    await fillNetwork(opened, from)
    expect((await send({}, { peer: near })).status).toBe(201)
    for (const reason of ['found', 'accident']) {
      const refused = await send({ reason }, { peer: near })
      expect([refused.status, refused.body.detail]).toEqual([
        429,
        '120 conversations can be begun in an hour. Try again in 60 minutes.',
      ])
    }
    expect((await send({}, { peer: far })).status).toBe(201)
    advance(3600)
    expect((await send({}, { peer: near })).status).toBe(201)
  })

  test('midnight does not forget what a network began before it', async () => {
    const opened = await openConversations()
    const { send, advance } = opened
    // The clock stands at 10:00 UTC.
    advance(13 * 3600 + 50 * 60)
    await fillNetwork(opened, '203.0.113.7')
    advance(1200)
    expect((await send()).status).toBe(201)
    expect((await send()).status).toBe(429)
  })

  test('conversations that began while the clock was ahead do not count after that', async () => {
    const { send, advance, openBrowser } = await openConversations()
    const cookie = await openBrowser()
    advance(5 * 3600)
    for (let n = 0; n < 3; n++) expect((await send({}, { cookie })).status).toBe(201)
    expect((await send({}, { cookie })).status).toBe(429)
    advance(-5 * 3600)
    expect((await send({}, { cookie })).status).toBe(201)
  })

  test('without rate limits any number is begun', async () => {
    const { send, openBrowser } = await openConversations({ env: { RATE_LIMITS: 'off' } })
    const cookie = await openBrowser()
    for (let n = 0; n < 25; n++) expect((await send({}, { cookie })).status).toBe(201)
  })
})

describe('a photo', () => {
  async function openPhotos() {
    const opened = await openConversations()
    const { ask, qr_id, pageToken } = opened
    const upload = async (file: Uint8Array | null, fields = {}, peer = '203.0.113.7') => {
      const all = { reason: 'damage', page_token: pageToken(), ...fields }
      const body = photoForm(file, all, 'photo.jpg')
      const answer = await ask('POST', `/api/scan/${qr_id}/messages`, { body, peer })
      return { status: answer.status, body: await answer.json() }
    }
    return { ...opened, upload }
  }

  test('is re-encoded, without metadata, with a thumbnail, for the two sides alone', async () => {
    const { upload, tokenOf, ask, call, owner, signUp, dataDir, db, deps } = await openPhotos()
    await db.updateTable('accounts').set({ subscription_plan: 'enterprise' }).execute()
    const file = await sharp(await picture({ width: 3000, height: 2000, kind: 'jpeg' }))
      .withExif({ IFD3: { GPSLatitude: '18/1 31/1 0/1', GPSLatitudeRef: 'N' } })
      .jpeg()
      .toBuffer()
    const { status, body } = await upload(file)
    expect(status).toBe(201)
    const token = tokenOf(body)
    const { conversations } = (await call('GET', '')).body
    const [{ id, photo_url, thumbnail_url }] = conversations
    expect(photo_url).toBe(`/api/conversations/${id}/photo`)
    for (const name of filesIn({ dataDir }).stored) {
      const { width, height, exif } = await sharp(storedFile(dataDir, name)).metadata()
      expect([width, height, exif]).toEqual(
        name.endsWith('webp') ? [1600, 1067, undefined] : [400, 267, undefined],
      )
    }
    const stranger = await signUp({ role: 'super_admin' })
    const { photo_name } = await db
      .selectFrom('conversations')
      .select('photo_name')
      .executeTakeFirstOrThrow()
    const paths = [photo_url, thumbnail_url, `/api/files/${photo_name}`]
    for (const path of paths) {
      const own = await ask('GET', path, { as: owner })
      expect([path, own.status]).toEqual([path, 200])
      expect(own.headers.get('Cache-Control')).toBe('private, no-store')
      expect((await ask('GET', path, { as: stranger })).status).toBe(404)
      const anonymous = await ask('GET', path)
      expect([401, 404]).toContain(anonymous.status)
    }
    // Neither are keys, which read no conversations.
    const caller = await newCaller({ deps }, owner.id)
    const { key } = await createApiKey(db, caller, 'Key', deps.clock(), async () => {})
    for (const path of paths) {
      const answer = await ask('GET', path, { as: { bearerToken: key } })
      expect([path, answer.status]).toEqual([path, path === photo_url ? 403 : 404])
    }
    const finders = await ask('GET', `/c/${token}/photo`)
    expect([finders.status, finders.headers.get('Content-Type')]).toEqual([200, 'image/webp'])
    expect((await ask('GET', '/c/none/photo')).status).toBe(404)
  })

  test('is not needed', async () => {
    const { upload } = await openPhotos()
    expect((await upload(null)).status).toBe(201)
  })

  test.each([
    ['a text', async () => Buffer.from('hello'), 415, /^Only JPG, PNG and WebP/],
    ['an animation', async () => picture({ kind: 'gif' }), 415, /^Only JPG, PNG and WebP/],
    ['a bomb of pixels', async () => blackPng(15_000, 15_000), 413, /40 megapixels/],
    ['sixteen megabytes', async () => Buffer.alloc(16 * 1024 * 1024, 1), 413, /larger than 15 MB/],
  ])('that is %s is refused, and leaves nothing', async (_, make, status, detail) => {
    const { upload, dataDir, db } = await openPhotos()
    const refused = await upload(await make())
    expect(refused).toEqual({ status, body: { detail: expect.stringMatching(detail) } })
    expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
    expect(await db.selectFrom('conversations').selectAll().execute()).toEqual([])
  })

  test('is not processed for a message that is refused', async () => {
    const { upload, dataDir, call } = await openPhotos()
    const peer = '2001:db8::7'
    expect((await upload(await picture(), { page_token: 'none' })).status).toBe(400)
    await upload(null, {}, peer)
    await call('POST', `/${(await call('GET', '')).body.conversations[0].id}/block`)
    expect((await upload(await picture(), {}, peer)).status).toBe(403)
    expect(filesIn({ dataDir })).toEqual({ stored: [], incoming: [] })
  })

  test('is left out when its code got more than a hundred conversations in an hour', async () => {
    const { upload, dataDir, call, db, owner, qr_id, advance, deps } = await openPhotos()
    const created_at = deps.clock().toISOString()
    for (let n = 0; n < 99; n++) {
      await insertConversation(db, { account_id: owner.id, qr_id }, { created_at })
    }
    const photo = await picture()
    expect((await upload(photo)).status).toBe(201)
    expect(filesIn({ dataDir }).stored).toHaveLength(2)
    expect((await upload(photo)).status).toBe(201)
    const { conversations } = (await call('GET', '')).body
    const isKept = ({ photo_url }: { photo_url: string | null }) => photo_url !== null
    expect(conversations.filter(isKept)).toHaveLength(1)
    expect(filesIn({ dataDir })).toMatchObject({ incoming: [] })
    expect(filesIn({ dataDir }).stored).toHaveLength(2)
    advance(3600)
    expect((await upload(photo)).status).toBe(201)
    expect(filesIn({ dataDir }).stored).toHaveLength(4)
  })

  test('is deleted when the finder stops, the owner deletes, and with the code', async () => {
    const { upload, tokenOf, ask, call, owner, qr_id, dataDir, deps } = await openPhotos()
    const { stopConversation } = await import('#actions/conversations/conversations.ts')
    const first = await upload(await picture())
    await stopConversation(deps, tokenOf(first.body))
    expect(filesIn({ dataDir }).stored).toEqual([])
    await upload(await picture())
    const { conversations } = (await call('GET', '?status=open')).body
    expect(filesIn({ dataDir }).stored).toHaveLength(2)
    await call('DELETE', `/${conversations[0].id}`)
    expect(filesIn({ dataDir }).stored).toEqual([])
    await upload(await picture())
    expect(filesIn({ dataDir }).stored).toHaveLength(2)
    expect((await ask('DELETE', `/api/qr/${qr_id}`, { as: owner })).status).toBe(200)
    expect(filesIn({ dataDir }).stored).toEqual([])
    expect((await call('GET', '')).body).toEqual({
      conversations: [],
      total_count: 0,
      unread_count: 0,
    })
  })

  test('that a crash left without its row is a stray, and one with its row is none', async () => {
    const { upload, deps, dataDir } = await openPhotos()
    const { listStoredNames } = await import('#db/stored-files.ts')
    await upload(await picture())
    const { stored } = filesIn({ dataDir })
    const names = await listStoredNames(deps.db)
    expect(names.toSorted()).toEqual(stored.toSorted())
    const swept = await deps.files.sweep(
      () => listStoredNames(deps.db),
      new Date(Date.now() + 86_400_000),
    )
    expect(swept).toMatchObject({ orphans: [], missing: [] })
    expect(filesIn({ dataDir }).stored).toEqual(stored)
    expect(storedFile(dataDir, stored[0] ?? '').length).toBeGreaterThan(0)
  })
})

test('a form of the page and one of the API begin the same, and keep the typed values when refused', async () => {
  const { app, deps, qr_id, pageToken } = await openConversations()
  const { startFromRequest } = await import('#routes/_http/conversations/start.ts')
  const { OpenAPIHono } = await import('@hono/zod-openapi')
  type Env = import('#routes/_http/context.ts').AppEnv
  const page = new OpenAPIHono<Env>().post('/scan/:qr_id/message', async (c) => {
    c.set('deps', deps)
    c.set('requestId', 'test')
    const started = await startFromRequest(c)
    if (!('refusal' in started)) return c.json(started, 201)
    const { refusal, field = null, values } = started
    return c.json({ detail: refusal?.message, field, values }, 400)
  })
  expect(app).toBeDefined()
  const typed = { reason: 'other', name: 'Ravi', text: '', place: 'Gate 2' }
  const send = (body: BodyInit, type?: string) =>
    page.request(
      `/scan/${qr_id}/message`,
      { method: 'POST', body, headers: type ? { 'Content-Type': type } : {} },
      { incoming: undefined },
    )
  const plain = await send(
    new URLSearchParams(typed).toString(),
    'application/x-www-form-urlencoded',
  )
  const refusal = { detail: 'Please write a message', field: 'text', values: typed }
  expect(await plain.json()).toEqual(refusal)
  const multipart = await send(photoForm(await picture(), typed))
  expect(await multipart.json()).toEqual(refusal)
  const large = await send(photoForm(Buffer.alloc(16 * 1024 * 1024), typed))
  expect(await large.json()).toEqual({
    detail: 'Image is larger than 15 MB',
    field: null,
    values: typed,
  })
  const sent = await send(
    photoForm(await picture(), { ...typed, text: 'Hi', page_token: pageToken() }),
  )
  expect(sent.status).toBe(201)
})
