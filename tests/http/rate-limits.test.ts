import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { createShareLink } from '#db/papers/share-links.ts'
import { hashToken } from '#db/secrets.ts'
import { networksOf } from '#domain/networks.ts'
import {
  KEPT_LIMITS,
  type LimitName,
  MAIL_BUDGET,
  RATE_LIMITS,
  type RateLimit,
} from '#domain/rate-limits.ts'
import { NOW, openTestApp, PASSWORD, type TestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { fileForm } from '#tests/support/uploads.ts'

type Owner = Awaited<ReturnType<TestApp['signUp']>>
type World = TestApp & { owner: Owner; codes: string[] }
/** One try, the nth, from an address. */
type Try = (world: World, n: number, address: string) => Promise<Response>

const from = (address: string) => ({ headers: { 'X-Forwarded-For': address } })
const get =
  (path: (world: World) => string): Try =>
  ({ ask, owner, ...world }, _, address) =>
    ask('GET', path({ ask, owner, ...world }), { as: owner, ...from(address) })
const post =
  (path: string, json: (world: World, n: number) => object): Try =>
  (world, n, address) =>
    world.ask('POST', path, { json: json(world, n), as: world.owner, ...from(address) })

const address = (n: number) => `203.0.${n >> 8}.${n & 255}`
const otherNetwork = (n: number) => `203.${n}.113.7`
const nobody = (n: number) => `nobody${n}@example.in`

type Unrefused =
  | `pin-${'day' | 'network'}`
  | `otp-mail-${'contact' | 'own'}`
  | `${'api' | 'idempotency'}-key`
  | `alert-${'scans' | 'channels'}`
  | `${'claim' | 'answer'}-mail${'' | '-contact'}`

const shareWith =
  (recipient: string): Try =>
  async (world, n, from) => {
    const { document_id } = await world.db
      .selectFrom('share_links')
      .select('document_id')
      .executeTakeFirstOrThrow()
    const share = { share_method: 'email', recipient }
    return post(`/api/gallery/share/${document_id}`, () => share)(world, n, from)
  }

/** A request that counts for one limit only. Limits without a refusal are not listed. */
const TRIES: Record<Exclude<LimitName, Unrefused>, Try> = {
  scan: get(({ codes }) => `/scan/${codes[0]}?preview=1`),
  unknown: (world, n, from) => get(() => `/scan/7K3MQ9WD4X${n}`)(world, n, from),
  police: get(({ codes }) => `/police/${codes[0]}`),
  file: get(() => '/api/files/nothing'),
  calendar: async (world, n, address) => {
    const row = { token_hash: hashToken('known'), token: 'sealed', created_at: NOW }
    await world.db
      .insertInto('calendars')
      .values({ ...row, account_id: world.owner.id })
      .onConflict((each) => each.doNothing())
      .execute()
    return get(() => '/calendar/known.ics')(world, n, address)
  },
  'calendar-unknown': get(() => '/calendar/unknown.ics'),
  'login-address': post('/api/auth/login', (_, n) => ({ contact: nobody(n), password: 'x' })),
  'sign-in': async (world) => {
    await world.db.deleteFrom('wrong_guesses').execute()
    const json = { contact: world.owner.email, password: PASSWORD }
    return world.ask('POST', '/api/auth/login', { json })
  },
  'otp-mail-network': async (world, n) => {
    await world.db.deleteFrom('one_time_codes').execute()
    const asked = post('/api/auth/send-login-otp', () => ({ contact: 'asha@example.in' }))
    return asked(world, n, address(n))
  },
  'otp-mail-known': async (world) => {
    await world.db.deleteFrom('one_time_codes').execute()
    const headers = { Cookie: await deviceOf(world), 'Sec-Fetch-Site': 'same-origin' }
    const json = { contact: world.owner.email }
    return world.ask('POST', '/api/auth/send-login-otp', { json, headers })
  },
  'otp-mail': post('/api/auth/send-login-otp', (_, n) => ({ contact: nobody(n) })),
  otp: post('/api/auth/login-otp', (_, n) => ({ contact: nobody(n), otp: '123456' })),
  google: get(() => '/api/auth/google/callback?code=x&state=y'),
  link: post('/api/auth/reset-password', (_, n) => ({ token: `none${n}`, password: 'secret' })),
  claim: post('/api/qr/claim', () => ({
    qr_id: 'NOTHING',
    owner_name: 'Asha',
    contact_phone: '9876543210',
  })),
  typing: post('/api/conversations/none/typing', () => ({})),
  transfer: async (world, n) => {
    // A code can be on its way once.
    await world.db.deleteFrom('transfers').execute()
    return sell(world, nobody(n))
  },
  'transfer-contact': async (world) => {
    await world.db.deleteFrom('transfers').execute()
    return sell(world, 'meenakshi@example.in')
  },
  invite: (world, n) => inviteBy(world, nobody(n)),
  'invite-contact': (world) => inviteBy(world, 'meenakshi@example.in'),
  'invite-person': async ({ db, ask, owner }, n) => {
    const unlimited = { subscription_plan: 'enterprise' as const }
    await db.updateTable('accounts').set(unlimited).where('id', '=', owner.id).execute()
    const json = { email: nobody(n), role: 'member', scope: 'all' }
    return ask('POST', '/api/people', { as: owner, json })
  },
  'child-contact': async (world, n, from) => {
    const { qr_id } = await insertCode(world.db, world.owner.id, CHILD)
    return post('/api/qr/child-register', takenContact(qr_id))(world, n, from)
  },
  'child-contact-code': async (world, n) => {
    const [qr_id] = world.codes
    await world.db.updateTable('qr_codes').set(CHILD).where('qr_id', '=', `${qr_id}`).execute()
    return post('/api/qr/child-register', takenContact(qr_id))(world, n, address(n))
  },
  'child-register': post('/api/qr/child-register', () => ({
    qr_id: 'NOTHING',
    name: 'Ravi',
    contact: '98140 12345',
    password: 'secret',
  })),
  'child-reset': post('/api/qr/forgot-password', ({ codes }) => ({
    qr_id: codes[0],
    contact: '9814012345',
  })),
  'child-reset-address': post('/api/qr/forgot-password', ({ codes }, n) => ({
    qr_id: codes[n],
    contact: '9814012345',
  })),
  'account-change': ({ ask, owner }, n) =>
    ask('PATCH', '/api/account', { as: owner, json: { mobile: `+9198140${12_100 + n}` } }),
  'taken-mobile': async ({ ask, owner, signUp }, n) => {
    const json = { mobile: '+919876543210' }
    if (n === 0) await signUp(json)
    return ask('PATCH', '/api/account', { as: owner, json })
  },
  redeem: (world, n) =>
    post('/api/promo/redeem', () => ({ promo_code: `NONE${n}` }))(world, n, address(n)),
  'redeem-address': async (world, n, address) => {
    const owner = n % 5 === 0 ? await world.signUp() : world.owner
    world.owner = owner
    return post('/api/subscription/redeem-code', () => ({ code: `NONE${n}` }))(world, n, address)
  },
  upload: ({ ask, owner }) => ask('POST', '/api/popup-images/upload', { as: owner, body: 'x' }),
  replace: async (world, n, from) => {
    const { db, codes } = world
    const code = db.selectFrom('qr_codes').select('qr_id').where('is_claimed', '=', 1)
    const { qr_id } = (await code.executeTakeFirst()) ?? { qr_id: codes[0] }
    return post(`/api/qr/${qr_id}/replace`, () => ({}))(world, n, from)
  },
  batch: post('/api/qr/bulk-create', () => ({ quantity: 1 })),
  import: ({ ask, owner }) =>
    ask('POST', '/api/qr/import?dry_run=1', { as: owner, body: fileForm(Buffer.from('a')) }),
  bulk: post('/api/qr/bulk', ({ codes }) => ({ ids: [codes[0]], action: 'activate' })),
  export: async (world, n, from) => {
    await makeAdmin(world)
    return get(() => '/api/admin/qr-codes/export/csv')(world, n, from)
  },
  print: get(({ codes }) => `/api/qr/labels.pdf?ids=${codes[0]}`),
  'domain-proof': async (world, _, from) => {
    const { owner, db } = world
    const enterprise = { subscription_plan: 'enterprise' } as const
    await db.updateTable('accounts').set(enterprise).where('id', '=', owner.id).execute()
    return post('/api/branding/domain/verify', () => ({}))(world, _, from)
  },
  'alert-connect': post('/api/notifications/channels', () => ({
    type: 'ntfy',
    url: 'http://127.0.0.1/keys',
  })),
  'alert-test': post('/api/notifications/channels/none/test', () => ({})),
  'admin-write': async (world, _, from) => {
    await makeAdmin(world)
    return world.ask('PUT', '/api/admin/promo-codes/none/toggle', {
      as: world.owner,
      headers: { 'X-Forwarded-For': from },
    })
  },
  'share-mail': (world, n, from) => shareWith(nobody(n))(world, n, from),
  // However its address is written.
  'share-mail-contact': (world, n, from) => shareWith(`garage+${n}@example.in`)(world, n, from),
  // Each from an account of its own, by transfers and by shared documents.
  'contact-mail': async (world, n, from) => {
    const owner = await world.signUp({ subscription_plan: 'enterprise' })
    const { qr_id } = await insertCode(world.db, owner.id)
    if (n % 2) return sell({ ...world, owner, codes: [qr_id] }, 'garage@example.in', from)
    await world.db.deleteFrom('documents').execute()
    await insertDocument(world, owner.id, qr_id)
    return shareWith('garage@example.in')({ ...world, owner }, n, from)
  },
  report: (world, n, from) =>
    post(`/api/scan/${world.codes[0]}/report`, () => ({ reason: 'spam' }))(world, n, from),
}

const sell = ({ ask, owner, codes: [code] }: World, email: string, address = '198.51.100.7') =>
  ask('POST', `/api/qr/${code}/transfer`, { as: owner, json: { email }, ...from(address) })

const takenContact =
  (qr_id: string | undefined) =>
  ({ owner }: World) => ({
    qr_id,
    name: 'Ravi',
    contact: owner.email,
    contact_type: 'email',
    password: 'secret',
  })

/** The cookie of a browser that the owner signed in with. */
async function deviceOf({ ask, owner }: World): Promise<string> {
  const json = { contact: owner.email, password: PASSWORD }
  const { headers } = await ask('POST', '/api/auth/login', { json })
  const lines = headers.getSetCookie().map((line) => line.split(';')[0] ?? '')
  return lines.find((line) => line.startsWith('driveqr-device=')) ?? ''
}

async function makeAdmin({ db, owner }: World): Promise<void> {
  await db.updateTable('accounts').set({ role: 'admin' }).where('id', '=', owner.id).execute()
}

async function inviteBy(world: World, email: string): Promise<Response> {
  await makeAdmin(world)
  return world.ask('POST', '/api/admin/invitations', { as: world.owner, json: { email } })
}

async function openWorld(env: Record<string, string> = {}): Promise<World> {
  const app = await openTestApp({
    env: {
      TRUST_PROXY: '1',
      SMTP_URL: 'smtp://127.0.0.1:25',
      GOOGLE_CLIENT_ID: 'driveqr',
      GOOGLE_CLIENT_SECRET: 'our secret',
      ...env,
    },
  })
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const codes: string[] = []
  for (let i = 0; i < 21; i++) {
    const { qr_id } = await insertCode(app.db, owner.id, { pin_hash: 'no PIN hashes to this' })
    codes.push(qr_id)
  }
  await insertDocument(app, owner.id, codes[0] ?? '')
  return { ...app, owner, codes }
}

async function insertDocument({ db, deps }: TestApp, account_id: string, qr_id: string) {
  const document = {
    id: 'paper',
    qr_id,
    account_id,
    document_type: 'puc',
    document_side: null,
    is_public: 0,
    file_name: 'puc.pdf',
    stored_name: 'paper.pdf',
    thumbnail_name: null,
    file_size: 1,
    content_type: 'application/pdf',
    uploaded_at: deps.clock().toISOString(),
  } as const
  await db.insertInto('documents').values(document).execute()
  const share = { share_method: 'download', recipient: null } as const
  const notify = async () => {}
  const viewer = { id: account_id, parent_id: null }
  const sharer = { viewer, caller: await newCaller({ deps }, account_id) }
  await createShareLink(db, sharer, document.id, share, deps.clock(), notify)
}

/** Lets time pass. All people have just proved their identity, which lasting acts ask for. */
async function pass({ advance, db, deps }: TestApp, seconds: number) {
  advance(seconds)
  await db.updateTable('sessions').set({ proven_at: deps.clock().toISOString() }).execute()
}

describe('limited acts', () => {
  test.each(Object.entries(TRIES))('%s', async (name, tryOnce) => {
    const world = await openWorld()
    const { count, seconds, by }: RateLimit = RATE_LIMITS[name as LimitName]
    const byAddress = by === 'address' || by === 'network'
    const before = byAddress ? count - 2 : 0
    const { rateLimits, clock } = world.deps
    const networks = networksOf('198.51.100.7')
    for (let n = 0; n < before; n++) rateLimits.add(name as LimitName, networks, clock())
    for (let n = before; n < count; n++) {
      const { status } = await tryOnce(world, n, '198.51.100.7')
      expect([n, status]).not.toEqual([n, 429])
      expect(status).toBeLessThan(500)
    }
    const refused = await tryOnce(world, count, '198.51.100.7')
    expect(refused.status).toBe(429)
    expect(refused.headers.get('Retry-After')).toBe(String(seconds))
    await refused.text()
    if (byAddress) {
      expect((await tryOnce(world, count, '198.51.100.8')).status).not.toBe(429)
    }
    await pass(world, seconds - 1)
    expect((await tryOnce(world, count, '198.51.100.7')).status).toBe(429)
    await pass(world, 1)
    expect((await tryOnce(world, count, '198.51.100.7')).status).not.toBe(429)
  })

  test('RATE_LIMITS=off lifts them', async () => {
    const world = await openWorld({ RATE_LIMITS: 'off' })
    for (let n = 0; n <= RATE_LIMITS.police.count; n++) {
      expect((await TRIES.police(world, n, '198.51.100.7')).status).toBe(200)
    }
  })

  test('the guide for operators has the same table', () => {
    const guide = readFileSync('docs/limits.md', 'utf8')
    const rows = [...guide.matchAll(/^\| `([a-z-]+)` \| (.+) \| (.+) \| (\d+) in (.+) \|$/gm)]
    const all = { ...RATE_LIMITS, 'otp-mail-all': MAIL_BUDGET, ...KEPT_LIMITS }
    const limits = Object.entries<RateLimit>(all).map(([name, { what, by, ...limit }]) => [
      name,
      what,
      by,
      String(limit.count),
      inWords(limit.seconds),
    ])
    expect(rows.map(([, ...cells]) => cells)).toEqual(limits)
  })
})

function inWords(seconds: number): string {
  if (seconds === 86_400) return 'a day'
  if (seconds === 3600) return 'an hour'
  return seconds === 60 ? 'a minute' : `${seconds / 60} minutes`
}

describe('a caller above a limit', () => {
  test('by the API gets JSON', async () => {
    const world = await openWorld()
    const look = get(({ codes }) => `/api/scan/${codes[0]}`)
    for (let n = 0; n < RATE_LIMITS.scan.count; n++) await look(world, n, '198.51.100.7')
    world.advance(20)
    const refused = await look(world, 0, '198.51.100.7')
    expect([refused.status, refused.headers.get('Retry-After'), await refused.json()]).toEqual([
      429,
      '40',
      { detail: 'Too many tries. Try again in 40 seconds.', retry_after: 40 },
    ])
  })

  test('by a page is told so on a page; the scan page’s is a small page, in Hindi too', async () => {
    const world = await openWorld()
    for (let n = 0; n < RATE_LIMITS.scan.count; n++) await TRIES.scan(world, n, '198.51.100.7')
    const refused = await TRIES.scan(world, 0, '198.51.100.7')
    const html = await refused.text()
    expect(refused.headers.get('Content-Type')).toBe('text/html; charset=utf-8')
    expect(html).toContain('Try again in 60 seconds.')
    expect(html.length).toBeLessThan(4_608)
    const hindi = get(({ codes }) => `/scan/${codes[0]}?lang=hi`)
    expect(await (await hindi(world, 0, '198.51.100.7')).text()).toContain('lang="hi"')
    for (let n = 0; n < RATE_LIMITS.police.count; n++) await TRIES.police(world, n, '198.51.100.9')
    const police = await TRIES.police(world, 0, '198.51.100.9')
    expect(await police.text()).toContain('Too many tries. Try again in 60 seconds.')
  })

  test('a refusal names the limited action', async () => {
    const world = await openWorld()
    for (let n = 0; n < RATE_LIMITS.batch.count; n++) await TRIES.batch(world, n, '198.51.100.7')
    const { detail } = await (await TRIES.batch(world, 0, '198.51.100.7')).json()
    expect(detail).toBe('10 batches of codes can be made in an hour. Try again in 60 minutes.')
  })

  test('by a form is told so beside the form, which keeps what was typed', async () => {
    const world = await openWorld()
    const body = new URLSearchParams({ contact: world.owner.email ?? '', password: 'x' })
    const login = () =>
      world.ask('POST', '/login?mode=password', { body: body.toString(), headers })
    const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
    for (let n = 0; n < KEPT_LIMITS.login.count; n++) expect((await login()).status).toBe(401)
    const refused = await login()
    expect([refused.status, refused.headers.get('Retry-After')]).toEqual([429, '900'])
    const html = await refused.text()
    expect(html).toContain('Too many tries. Try again in 15 minutes.')
    expect(html).toContain(`value="${world.owner.email}"`)
  })

  test('is logged once a window, with the name of the limit and without an address', async () => {
    const world = await openWorld()
    for (let n = 0; n < 100; n++) await TRIES.scan(world, n, '198.51.100.7')
    const lines = world.logged.filter((line) => line.includes('rate limit reached'))
    expect(lines.map((line) => JSON.parse(line).limit)).toEqual(['scan'])
    expect(world.logged.join()).not.toContain('198.51.100.7')
  })
})

test('lookups of codes that do not exist count together, on all pages', async () => {
  const { ask } = await openWorld()
  const look = (path: string) => ask('GET', path, from('198.51.100.7'))
  const OF_CODE = [
    '/scan/ID',
    '/scan/ID/message',
    '/police/ID',
    '/api/scan/ID',
    '/api/scan/ID/message',
  ]
  const PAGES = OF_CODE.map((path) => path.replace('ID', '7K3MQ9WD4XZZ'))
  for (let n = 0; n < RATE_LIMITS.unknown.count / PAGES.length; n++) {
    for (const path of PAGES) expect([path, (await look(path)).status]).toEqual([path, 404])
  }
  for (const path of PAGES) expect([path, (await look(path)).status]).toEqual([path, 429])
})

describe('a caller without failures is not refused', () => {
  test('a finder at an address with lookups of unknown codes', async () => {
    const world = await openWorld()
    for (let n = 0; n < 40; n++) await TRIES.unknown(world, n, '198.51.100.7')
    expect((await TRIES.scan(world, 0, '198.51.100.7')).status).toBe(200)
  })

  test('right passwords, however often', async () => {
    const { ask, owner, deps } = await openWorld()
    const json = { contact: owner.email, password: PASSWORD }
    const { count } = RATE_LIMITS['login-address']
    const here = networksOf('127.0.0.1')
    for (let n = 1; n < count; n++) deps.rateLimits.add('login-address', here, deps.clock())
    for (let n = 0; n < 3; n++) {
      expect((await ask('POST', '/api/auth/login', { json })).status).toBe(200)
    }
    const wrong = { ...json, password: 'x' }
    expect((await ask('POST', '/api/auth/login', { json: wrong })).status).toBe(401)
    expect((await ask('POST', '/api/auth/login', { json })).status).toBe(429)
  })

  test('an owner who pages through the gallery, and another account at an address over the limit', async () => {
    const { ask, db, owner } = await openWorld()
    const names = { stored_name: `${'a'.repeat(26)}.pdf`, thumbnail_name: `${'b'.repeat(26)}.jpg` }
    await db.updateTable('documents').set(names).execute()
    const open = async (name: string, who = {}) =>
      (await ask('GET', `/api/files/${name}`, who)).status
    const { count } = RATE_LIMITS.file
    for (let n = 0; n < count; n++) expect(await open(names.stored_name)).toBe(404)
    expect(await open(names.stored_name)).toBe(429)
    for (let n = 0; n <= count; n++) {
      expect(await open(names.thumbnail_name, { as: owner })).toBe(404)
    }
    for (let n = 0; n < count; n++) {
      expect(await open(names.stored_name, { as: owner })).toBe(404)
    }
    expect(await open(names.stored_name, { as: owner })).toBe(429)
    expect(await open(names.thumbnail_name, { as: owner })).toBe(404)
  })

  test('a second request within ten minutes returns the wait, also when other limits are used up', async () => {
    const { ask } = await openWorld()
    const send = async () => {
      const json = { email: 'asha@example.in' }
      return (await (await ask('POST', '/api/auth/send-otp', { json })).json()).detail
    }
    await send()
    for (let n = 0; n < RATE_LIMITS['otp-mail'].count; n++) {
      await ask('POST', '/api/auth/send-otp', { json: { email: nobody(n) } })
    }
    expect(await send()).toBe('Please wait 10:00 before requesting new OTP.')
  })

  test('a customer in a shop where everybody claims a code today', async () => {
    const { ask, db, owner } = await openWorld()
    for (let n = 0; n <= RATE_LIMITS.claim.count; n++) {
      const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
      const json = { qr_id, owner_name: 'Asha', contact_phone: '9876543210' }
      expect((await ask('POST', '/api/qr/claim', { json })).status).toBe(200)
    }
  })

  test('claims or registers a code at an address with tries of unknown ones', async () => {
    const world = await openWorld()
    const here = '198.51.100.7'
    for (const name of ['claim', 'child-register'] as const) {
      for (let n = 0; n <= RATE_LIMITS[name].count; n++) await TRIES[name](world, n, here)
      expect((await TRIES[name](world, 0, here)).status).toBe(429)
    }
    const { db, owner, ask } = world
    const unclaimed = await insertCode(db, owner.id, UNCLAIMED)
    const claim = { qr_id: unclaimed.qr_id, owner_name: 'Asha', contact_phone: '9876543210' }
    expect((await ask('POST', '/api/qr/claim', { json: claim, ...from(here) })).status).toBe(200)
    const { qr_id } = await insertCode(db, owner.id, CHILD)
    const child = { qr_id, name: 'Ravi', contact: '98140 12345', password: 'secret' }
    const register = await ask('POST', '/api/qr/child-register', { json: child, ...from(here) })
    expect(register.status).toBe(201)
  })

  test('opens a working link at an address with tries of dead ones', async () => {
    const world = await openWorld()
    const here = '198.51.100.7'
    const { db, owner, ask } = world
    const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
    const json = { qr_id, owner_name: 'Asha', contact_phone: '9876543210' }
    const { take_url } = await (await ask('POST', '/api/qr/claim', { json, ...from(here) })).json()
    const open = async (path: string) => (await ask('GET', path, from(here))).status
    for (let n = 0; n < RATE_LIMITS.link.count; n++) await TRIES.link(world, n, here)
    expect((await TRIES.link(world, 0, here)).status).toBe(429)
    for (const path of ['/take/none', '/invite/none', '/way-back/none', '/transfer/none']) {
      expect([path, await open(path)]).toEqual([path, 429])
    }
    expect(await open(new URL(take_url).pathname)).toBe(200)
  })

  test('an owner at an address with other registrations: the wait for an OTP is separate', async () => {
    const { ask } = await openWorld()
    const send = (n: number) =>
      ask('POST', '/login?mode=register', {
        body: new URLSearchParams({ email: nobody(n) }).toString(),
        headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
      })
    for (let n = 0; n < RATE_LIMITS['otp-mail'].count; n++) await send(n)
    const html = await (await send(99)).text()
    expect(html).toContain('Too many tries')
    expect(html).toContain('Create Account')
    // The script's template has the second step too.
    expect(html.split('<template')[0]).not.toContain('Verify Email')
  })
})

describe('one-time codes for a contact that strangers ask for', () => {
  async function openContact() {
    const world = await openWorld()
    let asked = 0
    const ask = async (address: string) => {
      await world.db.deleteFrom('one_time_codes').execute()
      const n = asked++
      const path = n % 2 ? '/api/auth/forgot-password' : '/api/auth/send-login-otp'
      const contact = [' Asha@Example.in', 'asha@example.in', 'asha+1@example.in'][n % 3] ?? ''
      return post(path, () => ({ contact }))(world, n, address)
    }
    const useUp = async () => {
      for (let n = 0; n < RATE_LIMITS['otp-mail-contact'].count; n++) {
        expect((await ask(otherNetwork(n))).status).toBe(200)
      }
    }
    return { ...world, ask, useUp }
  }

  test('still come to a network that had none, and to each twice in a day', async () => {
    const { ask, useUp } = await openContact()
    await useUp()
    const mine = '198.51.100.7'
    const statuses = [await ask(mine), await ask(mine), await ask(mine)].map(({ status }) => status)
    expect(statuses).toEqual([200, 200, 429])
    // In its network too, and those that used them up have as few.
    expect((await ask('198.51.100.8')).status).toBe(429)
    const theirs = [
      await ask(otherNetwork(0)),
      await ask(otherNetwork(0)),
      await ask(otherNetwork(0)),
    ]
    expect(theirs.map(({ status }) => status)).toEqual([200, 200, 429])
  })

  test('are those of all again after an hour', async () => {
    const world = await openContact()
    await world.useUp()
    await pass(world, RATE_LIMITS['otp-mail-contact'].seconds)
    for (let n = 0; n < 3; n++) expect((await world.ask('198.51.100.7')).status).toBe(200)
  })
})

test('an honest caller gets a code for each of a login, a new password and a registration', async () => {
  const world = await openWorld()
  const contact = 'asha@example.in'
  const ask = async (call: string, json: object) =>
    (await post(`/api/auth/${call}`, () => json)(world, 0, '198.51.100.7')).status
  expect(await ask('send-login-otp', { contact })).toBe(200)
  expect(await ask('forgot-password', { contact })).toBe(200)
  expect(await ask('send-otp', { email: contact })).toBe(200)
  await pass(world, 601)
  expect(await ask('send-login-otp', { contact })).toBe(200)
})

test('requests by others for a child’s new password do not use up the child’s limit', async () => {
  const app = await openTestApp({ env: { TRUST_PROXY: '1' } })
  const owner = await app.signUp()
  const { qr_id } = await registeredChild(app, owner.id)
  const ask = async (from: string) => {
    const json = { qr_id, contact: '98140 12345' }
    const headers = { 'X-Forwarded-For': from }
    return (await app.ask('POST', '/api/qr/forgot-password', { json, headers })).status
  }
  const { count } = RATE_LIMITS['child-reset']
  for (let n = 0; n < count; n++) expect(await ask(address(n))).toBe(200)
  expect(await ask(address(count))).toBe(429)
  expect(await ask('198.51.100.7')).toBe(200)
})
