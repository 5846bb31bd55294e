import jsqr from 'jsqr'
import sharp from 'sharp'
import { describe, expect, test } from 'vitest'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import type { DomainProof } from '#mail/domain-proof.ts'
import { HOST, openBrand, PUBLIC_URL, traceIn } from '#tests/support/brands.ts'
import { HELD, insertCode } from '#tests/support/codes.ts'
import { CHILD, registeredChild, UNCLAIMED } from '#tests/support/families.ts'
import { raceStatuses } from '#tests/support/races.ts'
import { fileForm, picture } from '#tests/support/uploads.ts'

const NAMED = { domain: HOST }
const VERIFY = '/domain/verify'

/** Finds the DNS proofs that `proven` lists. */
function proofs() {
  const proven = new Set<string>()
  const asked: object[] = []
  const domainProof = async (proof: { txt_name: string; file_url: string; text: string }) => {
    asked.push(proof)
    return proven.has(proof.text) ? ('dns' as const) : undefined
  }
  return { proven, asked, domainProof }
}

describe('an own address', () => {
  test('is named, proven and removed', async () => {
    const { proven, asked, domainProof } = proofs()
    const { call, deps } = await openBrand({ domainProof })
    expect((await call('GET', '/domain')).status).toBe(404)
    const named = await call('POST', '/domain', { json: { domain: 'Tags.NeelRath.Example.' } })
    expect(named.body).toEqual({
      domain: HOST,
      txt_name: `_driveqr.${HOST}`,
      file_url: `https://${HOST}/.well-known/driveqr-domain`,
      proof: expect.stringMatching(/^driveqr=[0-9a-f]{24}$/),
      asked_at: null,
      verified_at: null,
      proven_at: null,
      ends_at: null,
      is_confirmed: true,
      printed: 0,
    })
    const missing = { status: 400, body: { detail: 'The proof was not found' } }
    expect(await call('POST', VERIFY)).toEqual(missing)
    const at = deps.clock().toISOString()
    expect((await call('GET', '/domain')).body.asked_at).toBe(at)
    expect((await call('POST', '/domain', { json: NAMED })).body.proof).toBe(named.body.proof)
    proven.add(named.body.proof)
    expect((await call('POST', VERIFY)).body).toMatchObject({ verified_at: at })
    expect(asked).toHaveLength(2)
    const other = await call('POST', '/domain', { json: { domain: 'other.example' } })
    expect(other).toEqual({ status: 409, body: { detail: `Remove ${HOST} first` } })
    expect((await call('DELETE', '/domain')).status).toBe(200)
    expect((await call('DELETE', '/domain')).status).toBe(404)
  })

  test('that is named anew gets another token', async () => {
    const { call } = await openBrand()
    const first = await call('POST', '/domain', { json: NAMED })
    const second = await call('POST', '/domain', { json: { domain: 'other.example' } })
    const again = await call('POST', '/domain', { json: NAMED })
    const tokens = [first, second, again].map(({ body }) => body.proof)
    expect(new Set(tokens).size).toBe(3)
  })

  test('is not the address of the service', async () => {
    const { call } = await openBrand()
    const detail = 'Please enter a domain like keys.example.in'
    const refused = await call('POST', '/domain', { json: { domain: 'driveqr.example' } })
    expect(refused).toEqual({ status: 400, body: { detail } })
  })

  test('is of the Enterprise plan; removing it is of every plan', async () => {
    const { call, setPlan, giveAddress } = await openBrand({ plan: 'premium' })
    await giveAddress()
    const refusal = {
      status: 403,
      body: { detail: 'White-label is available on the Enterprise plan' },
    }
    expect(await call('GET', '/domain')).toEqual(refusal)
    expect(await call('POST', '/domain', { json: NAMED })).toEqual(refusal)
    expect(await call('POST', VERIFY)).toEqual(refusal)
    await setPlan('free')
    expect((await call('DELETE', '/domain')).status).toBe(200)
  })

  test.each([
    ['file', { 200: 1, 409: 19 }],
    ['dns', { 200: 20 }],
  ] as const)(
    'of twenty accounts that prove it at once by %s belongs to one',
    async (place, statuses) => {
      const app = await openBrand({
        domainProof: async () => place,
        env: { PUBLIC_URL, RATE_LIMITS: 'off' },
      })
      const accounts = await Promise.all(
        Array.from({ length: 20 }, () => app.signUp({ subscription_plan: 'enterprise' })),
      )
      for (const as of accounts) {
        expect((await app.call('POST', '/domain', { as, json: NAMED })).status).toBe(200)
      }
      const verify = (n: number) => app.call('POST', VERIFY, { as: accounts[n] })
      expect(await raceStatuses(verify)).toEqual(statuses)
      const holders = app.db.selectFrom('brand_domains').where('verified_at', 'is not', null)
      expect(await holders.select('domain').execute()).toEqual([NAMED])
    },
  )

  test('that is proven stays so when its proof is gone, or was missed by an earlier look', async () => {
    const looks: DomainProof[] = [
      async () => ((await verify()) === 200 ? undefined : 'dns'),
      async () => 'dns',
    ]
    const { call } = await openBrand({ domainProof: async (proof) => looks.shift()?.(proof) })
    const verify = async () => (await call('POST', VERIFY)).status
    await call('POST', '/domain', { json: NAMED })
    // During its look another one finds the proof.
    expect(await verify()).toBe(400)
    expect(await verify()).toBe(200)
  })

  test('that was named anew during the proof is not proven by it', async () => {
    let rename = async () => {}
    const app = await openBrand({
      domainProof: async () => {
        await rename()
        return 'dns'
      },
    })
    await app.call('POST', '/domain', { json: NAMED })
    rename = async () =>
      void (await app.call('POST', '/domain', { json: { domain: 'other.example' } }))
    expect((await app.call('POST', VERIFY)).status).toBe(404)
    expect((await app.call('GET', '/domain')).body).toMatchObject({
      domain: 'other.example',
      verified_at: null,
    })
  })
})

describe('under an own address', () => {
  async function openHost() {
    const app = await openBrand()
    await app.save({ hide_product_name: true })
    await app.giveAddress()
    const at = (path: string, headers = {}) => app.look(path, { Host: HOST, ...headers })
    return { ...app, at }
  }

  test('the codes of its account and of its children are found, and no others', async () => {
    const app = await openHost()
    const { db, owner, qr_id, at, look } = app
    const child = await registeredChild(app, owner.id)
    const ofChild = await insertCode(db, child.child_account_id ?? '')
    const other = await app.signUp({ subscription_plan: 'enterprise' })
    await app.giveAddress('tags.other.example', other.id)
    const foreign = await insertCode(db, other.id)
    const [open, childs] = [
      await insertCode(db, other.id, UNCLAIMED),
      await insertCode(db, other.id, CHILD),
    ]
    for (const id of [qr_id, child.qr_id, ofChild.qr_id]) {
      expect([id, (await at(`/scan/${id}`)).status]).toEqual([id, 200])
      expect((await at(`/api/scan/${id}`)).status).toBe(200)
    }
    const paths = [
      `/scan/${foreign.qr_id}`,
      `/scan/${foreign.qr_id}/message`,
      `/scan/${foreign.qr_id}/report`,
      `/police/${foreign.qr_id}`,
      `/api/scan/${foreign.qr_id}`,
      `/api/scan/${foreign.qr_id}/popup`,
      `/api/scan/${foreign.qr_id}/message`,
    ]
    for (const path of paths) {
      expect([path, (await look(path)).status]).toEqual([path, 200])
      const found = await at(path)
      expect([path, found.status]).toEqual([path, 404])
      if (!path.startsWith('/api')) expect(found.html).toContain('NeelRath Cabs</title>')
    }
    for (const path of [`/claim?qr=${open.qr_id}`, `/child-register?qr=${childs.qr_id}`]) {
      expect((await look(path)).status).toBe(200)
      expect((await at(path)).status).toBe(302)
    }
    expect((await at(`/scan/${qr_id}`, { Host: 'tags.other.example' })).status).toBe(404)
  })

  test('a form about a foreign code is refused as well', async () => {
    const { db, ask, signUp, giveAddress, deps, owner } = await openHost()
    const other = await signUp({ subscription_plan: 'enterprise' })
    await giveAddress('tags.other.example', other.id)
    const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
    const child = await insertCode(db, owner.id, CHILD)
    const headers = { Host: 'tags.other.example' }
    const at = new Date(deps.clock().getTime() - 5_000)
    const page_token = makePageToken(deps.secretKey, qr_id, at)
    const calls: [string, object][] = [
      [`/api/scan/${qr_id}/messages`, { page_token, reason: 'found', text: 'Hi' }],
      [`/api/scan/${qr_id}/report`, { reason: 'spam' }],
      ['/api/qr/claim', { qr_id, owner_name: 'Asha', contact_phone: '9876543210' }],
      [
        '/api/qr/child-register',
        {
          qr_id: child.qr_id,
          name: 'G',
          contact_type: 'email',
          contact: 'g@example.in',
          password: 'correct horse',
        },
      ],
    ]
    for (const [path, json] of calls) {
      expect([path, (await ask('POST', path, { headers, json })).status]).toEqual([path, 404])
    }
    expect(await db.selectFrom('reports').selectAll().execute()).toEqual([])
  })

  test('conversations of others are not found, and nothing of them', async () => {
    const { ask, at, look, signUp, giveAddress, deps, qr_id } = await openHost()
    const other = await signUp({ subscription_plan: 'enterprise' })
    await giveAddress('tags.other.example', other.id)
    const now = new Date(deps.clock().getTime() - 5_000)
    const json = {
      page_token: makePageToken(deps.secretKey, qr_id, now),
      reason: 'found',
      text: 'Hi',
    }
    const headers = { Host: HOST }
    const begun = await ask('POST', `/api/scan/${qr_id}/messages`, { json, headers })
    const { origin, pathname } = new URL((await begun.json()).conversation_url)
    expect(origin).toBe(`https://${HOST}`)
    expect((await at(pathname)).status).toBe(200)
    expect((await look(pathname)).status).toBe(200)
    const elsewhere = { Host: 'tags.other.example' }
    for (const path of [
      pathname,
      `${pathname}?stop=1`,
      `${pathname}/photo`,
      `${pathname}/events`,
    ]) {
      expect([path, (await at(path, elsewhere)).status]).toEqual([path, 404])
    }
    const body = () => new URLSearchParams({ text: 'Foreign' })
    expect((await ask('POST', pathname, { headers: elsewhere, body: body() })).status).toBe(404)
    expect(
      (await ask('POST', `${pathname}/stop`, { headers: elsewhere, body: body() })).status,
    ).toBe(404)
    expect((await ask('POST', pathname, { headers, body: body() })).status).toBe(303)
  })

  test('files of its codes are found, and no others', async () => {
    const app = await openHost()
    const { db, owner, qr_id, at, ask, signUp } = app
    const other = await signUp({ subscription_plan: 'enterprise' })
    const foreign = await insertCode(db, other.id)
    const send = async (as: typeof owner, path: string, fields = {}) => {
      const sent = await ask('POST', path, { as, body: fileForm(await picture(), fields) })
      expect(sent.status).toBe(201)
      return `/api/files/${(await sent.json()).file_path}`
    }
    const paper = { document_type: 'insurance', is_public: 'true' }
    const sendBoth = async (as: typeof owner, code: string) => [
      await send(as, `/api/documents/upload/${code}`, paper),
      await send(as, '/api/popup-images/upload'),
    ]
    const own = await sendBoth(owner, qr_id)
    const [document = '', image = ''] = await sendBoth(other, foreign.qr_id)
    const rows = await db.selectFrom('documents').select(['qr_id', 'thumbnail_name']).execute()
    const smallOf = (code: string) =>
      `/api/files/${rows.find((row) => row.qr_id === code)?.thumbnail_name}`
    for (const path of [...own, smallOf(qr_id)]) {
      expect([path, (await at(path)).status]).toEqual([path, 200])
    }
    for (const path of [document, smallOf(foreign.qr_id), image]) {
      expect([path, (await app.look(path)).status]).toEqual([path, 200])
      expect([path, (await at(path)).status]).toEqual([path, 404])
    }
    // The pages of a code that was issued here show its claimer's images.
    await insertCode(db, other.id, { created_by: owner.id })
    expect((await at(image)).status).toBe(200)
  })

  test('a code that was printed with it and claimed since is still found', async () => {
    const { db, owner, at, signUp } = await openHost()
    const other = await signUp()
    const taken = await insertCode(db, other.id, { created_by: owner.id })
    const held = await insertCode(db, owner.id, HELD)
    for (const { qr_id } of [taken, held]) expect((await at(`/scan/${qr_id}`)).status).toBe(200)
  })

  test('a code that was printed with it and has another owner since is led to the service’s own address', async () => {
    const { db, owner, at, signUp } = await openHost()
    const other = await signUp()
    const sold = await insertCode(db, other.id)
    const foreign = await insertCode(db, other.id)
    await db
      .insertInto('domain_prints')
      .values({ account_id: owner.id, qr_id: sold.qr_id })
      .execute()
    for (const path of [`/scan/${sold.qr_id}`, `/police/${sold.qr_id}`]) {
      const page = await at(path)
      expect([page.status, page.headers.get('Location')]).toEqual([302, PUBLIC_URL + path])
    }
    expect((await at(`/scan/${foreign.qr_id}`)).status).toBe(404)
  })

  test('so is the tag of such a code that was replaced, also before', async () => {
    const { db, deps, owner, at, signUp } = await openHost()
    const other = await signUp()
    const sold = await insertCode(db, other.id)
    await db
      .insertInto('domain_prints')
      .values({ account_id: owner.id, qr_id: sold.qr_id })
      .execute()
    await replaceQrCode(db, { id: other.id, parent_id: null }, sold.qr_id, deps.clock())
    const page = await at(`/scan/${sold.qr_id}`)
    expect([page.status, page.headers.get('Location')]).toEqual([
      302,
      `${PUBLIC_URL}/scan/${sold.qr_id}`,
    ])
  })

  test('there is no dashboard, no sign-in, no administration and no API beside the finder’s', async () => {
    const { at, owner } = await openHost()
    const cookie = { Cookie: owner.cookie.replace('driveqr=', '__Host-driveqr=') }
    const paths = [
      '/',
      '/dashboard',
      '/settings',
      '/settings/branding',
      '/admin',
      '/terms',
      '/api/qr',
      '/api/branding',
      '/api/auth/me',
      '/api/openapi.json',
      '/api/docs',
      '/manifest.webmanifest',
      '/assets/icon.svg',
      '/assets/icon-192.png',
      '/assets/apple-touch-icon.png',
      '/favicon.ico',
      '/apple-touch-icon.png',
      '/sw.js',
      '/robots.txt',
      '/healthz',
      '/no-such-page',
    ]
    for (const path of paths) {
      const page = await at(path, cookie)
      expect([path, page.status]).toEqual([path, 404])
      expect(page.html).not.toMatch(/driveqr/i)
    }
    const login = await at('/login?registered=true')
    expect([login.status, login.headers.get('Location')]).toEqual([
      302,
      `${PUBLIC_URL}/login?registered=true`,
    ])
  })

  test('forms are taken from its own pages and from no other site', async () => {
    const { db, owner, ask } = await openHost()
    const codes = await Promise.all([1, 2, 3].map(() => insertCode(db, owner.id, UNCLAIMED)))
    const claim = (n: number, Origin: string) =>
      ask('POST', `/claim?qr=${codes[n]?.qr_id}`, {
        headers: { Host: HOST, Origin },
        body: new URLSearchParams({ owner_name: 'Asha Patil', contact_phone: '9876543210' }),
      })
    expect((await claim(0, `https://${HOST}`)).status).toBe(303)
    expect((await claim(1, 'https://evil.example')).status).toBe(403)
    expect((await claim(2, PUBLIC_URL)).status).toBe(403)
  })

  test('only its own name is kept to https', async () => {
    const { at, look, qr_id } = await openHost()
    const transport = async (page: ReturnType<typeof look>) =>
      (await page).headers.get('Strict-Transport-Security')
    for (const path of [`/scan/${qr_id}`, `/scan/${qr_id}/message`, `/police/${qr_id}`, '/x']) {
      expect([path, await transport(at(path))]).toEqual([path, 'max-age=31536000'])
    }
    expect(await transport(look(`/scan/${qr_id}`))).toBe('max-age=31536000; includeSubDomains')
  })

  test('its host is read without its port, its case and a dot', async () => {
    const { at, qr_id } = await openHost()
    for (const Host of [HOST.toUpperCase(), `${HOST}:443`, `${HOST}.`]) {
      expect([Host, (await at('/dashboard', { Host })).status]).toEqual([Host, 404])
      expect([Host, (await at(`/scan/${qr_id}`, { Host })).status]).toEqual([Host, 200])
    }
  })

  test('the product’s own sample is not there', async () => {
    const { at, look } = await openHost()
    expect((await look('/scan/DEMO')).status).toBe(200)
    const page = await at('/scan/DEMO')
    expect([page.status, traceIn(page.html)]).toEqual([404, undefined])
  })

  test('the page of a claim shows the code as it is printed', async () => {
    const { db, owner, at, look } = await openHost()
    const { qr_id } = await insertCode(db, owner.id, UNCLAIMED)
    for (const page of [await at(`/claim?qr=${qr_id}`), await look(`/claim?qr=${qr_id}`)]) {
      const [, base64 = ''] = /data:image\/svg\+xml;base64,([\w+/=]+)/.exec(page.html) ?? []
      const { data, info } = await sharp(Buffer.from(base64, 'base64'), { density: 300 })
        .flatten({ background: '#fff' })
        .ensureAlpha()
        .raw()
        .toBuffer({ resolveWithObject: true })
      const read = jsqr(new Uint8ClampedArray(data), info.width, info.height)
      expect(read?.data).toBe(`https://${HOST}/scan/${qr_id}`)
    }
  })

  test('an address that is not verified changes nothing', async () => {
    const { call, at, qr_id } = await openBrand().then((app) => ({
      ...app,
      at: (path: string) => app.look(path, { Host: HOST }),
    }))
    await call('POST', '/domain', { json: NAMED })
    expect((await at('/login')).status).toBe(200)
    expect((await at(`/scan/${qr_id}`)).status).toBe(200)
  })
})

describe('codes carry the address', () => {
  test('while the plan has it; printed ones keep working afterwards', async () => {
    const { ask, owner, qr_id, giveAddress, setPlan, look, call } = await openBrand()
    await giveAddress()
    const links = async () => {
      const list = await ask('GET', '/dashboard', {
        headers: { Cookie: owner.cookie.replace('driveqr=', '__Host-driveqr=') },
      })
      return /data-url="([^"]+)\/scan\//.exec(await list.text())?.[1]
    }
    const zip = () => ask('GET', `/api/qr/codes.zip?ids=${qr_id}`, { as: owner })
    expect(await links()).toBe(`https://${HOST}`)
    expect((await zip()).status).toBe(200)
    expect((await call('GET', '/domain')).body.printed).toBe(1)
    await setPlan('premium')
    expect(await links()).toBe(PUBLIC_URL)
    expect((await look(`/scan/${qr_id}`, { Host: HOST })).status).toBe(200)
    await setPlan('enterprise')
    expect(await links()).toBe(`https://${HOST}`)
  })

  test('and each code counts once, however it was printed', async () => {
    const { ask, db, owner, qr_id, giveAddress, call, signUp } = await openBrand()
    await insertCode(db, owner.id)
    const get = (path: string) => ask('GET', `/api/qr/${path}`, { as: owner })
    await get(`labels.pdf?ids=${qr_id}`)
    await giveAddress()
    expect((await call('GET', '/domain')).body.printed).toBe(0)
    await get(`${qr_id}/download?format=svg`)
    await get(`labels.pdf?ids=${qr_id}`)
    expect((await call('GET', '/domain')).body.printed).toBe(1)
    await get('labels.pdf?all=1')
    expect((await call('GET', '/domain')).body.printed).toBe(2)
    const as = await signUp({ subscription_plan: 'enterprise' })
    await ask('POST', '/api/branding/domain', { as, json: { domain: 'tags.other.example' } })
    const other = await ask('GET', '/api/branding/domain', { as })
    expect((await other.json()).printed).toBe(0)
  })

  test('in a list with activation codes too, from which labels are printed elsewhere', async () => {
    const { ask, owner, giveAddress, call } = await openBrand()
    await giveAddress()
    const made = await ask('POST', '/api/qr/bulk-create', {
      as: owner,
      json: { quantity: 2, activation: true },
    })
    const { qr_codes } = await made.json()
    const shown = qr_codes.map((code: Record<string, string>) => {
      return `${code.qr_id}:${code.activation_code}`
    })
    const list = await ask('POST', '/dashboard/qr/activation/codes.csv', {
      headers: {
        Cookie: owner.cookie.replace('driveqr=', '__Host-driveqr='),
        'Sec-Fetch-Site': 'same-origin',
      },
      body: new URLSearchParams({ codes: shown.join() }),
    })
    expect(await list.text()).toContain(`https://${HOST}/scan/`)
    expect((await call('GET', '/domain')).body.printed).toBe(2)
  })

  test('the page that removes it says how many were printed with it', async () => {
    const { ask, owner, qr_id, giveAddress, look } = await openBrand()
    await giveAddress()
    await ask('GET', `/api/qr/${qr_id}/download`, { as: owner })
    const Cookie = owner.cookie.replace('driveqr=', '__Host-driveqr=')
    const { html } = await look('/settings/branding/domain?remove=1', { Cookie })
    expect(html).toContain(
      '1 code was downloaded or printed with it. It stops working when it is removed.',
    )
  })

  test.each(['free', 'premium'] as const)(
    'the page of the brand leads to it on the %s plan too, where it can be removed',
    async (plan) => {
      const { owner, giveAddress, setPlan, look } = await openBrand()
      const Cookie = owner.cookie.replace('driveqr=', '__Host-driveqr=')
      const page = async () => (await look('/settings/branding', { Cookie })).html
      await setPlan(plan)
      expect(await page()).not.toContain('/settings/branding/domain')
      await giveAddress()
      expect(await page()).toContain('href="/settings/branding/domain"')
    },
  )

  test('the page of an unproven one offers no proof once the plan has ended', async () => {
    const { owner, call, setPlan, look } = await openBrand()
    const Cookie = owner.cookie.replace('driveqr=', '__Host-driveqr=')
    await call('POST', '/domain', { json: { domain: HOST } })
    await setPlan('premium')
    const { html } = await look('/settings/branding/domain', { Cookie })
    expect(html).toContain('White-label is available on the Enterprise plan')
    expect(html).not.toContain('Verify')
  })

  test('its page promises no codes with it once the plan has ended', async () => {
    const { owner, giveAddress, setPlan, look } = await openBrand()
    const Cookie = owner.cookie.replace('driveqr=', '__Host-driveqr=')
    const page = async () => (await look('/settings/branding/domain', { Cookie })).html
    const promise = 'Codes that you make, download or print carry'
    await giveAddress()
    expect(await page()).toContain(promise)
    await setPlan('free')
    expect(await page()).toContain('New codes carry the usual address')
    expect(await page()).not.toContain(promise)
  })

  test('mails to finders lead to it', async () => {
    const env = { PUBLIC_URL, SMTP_URL: 'smtp://127.0.0.1:25' }
    const { ask, owner, qr_id, giveAddress, deps, db, mails } = await openBrand({ env })
    await giveAddress()
    const at = new Date(deps.clock().getTime() - 5_000)
    const page_token = makePageToken(deps.secretKey, qr_id, at)
    const json = { page_token, reason: 'found', text: 'Hi', reply_to: 'ravi@example.in' }
    await ask('POST', `/api/scan/${qr_id}/messages`, { json })
    const { id } = await db.selectFrom('conversations').select('id').executeTakeFirstOrThrow()
    await ask('POST', `/api/conversations/${id}/messages`, { as: owner, json: { text: 'Coming' } })
    const mail = mails.find(({ to }) => to === 'ravi@example.in')
    expect(mail?.text).toContain(`https://${HOST}/c/`)
    expect(mail?.text).toContain(`at ${HOST}.`)
    expect(mail?.text).not.toContain(PUBLIC_URL)
  })
})

describe('the question of the proxy', () => {
  async function openCheck() {
    const app = await openBrand()
    await app.giveAddress()
    const check = (domain: string, peer = '127.0.0.1', headers = {}) =>
      app
        .ask('GET', `/internal/tls-check?domain=${domain}`, { peer, headers })
        .then(({ status }) => status)
    return { ...app, check }
  }

  test('is answered 200 for a verified domain and 404 for any other', async () => {
    const { check, call, setPlan } = await openCheck()
    expect(await check(HOST)).toBe(200)
    expect(await check(HOST.toUpperCase())).toBe(200)
    expect(await check('driveqr.example')).toBe(404)
    expect(await check('')).toBe(404)
    await setPlan('free')
    expect(await check(HOST)).toBe(200)
    await call('DELETE', '/domain')
    expect(await check(HOST)).toBe(404)
  })

  test.each([
    ['127.0.0.1', 200],
    ['::1', 200],
    ['::ffff:127.0.0.1', 200],
    ['::ffff:172.18.0.3', 200],
    ['10.1.2.3', 200],
    ['192.168.0.7', 200],
    ['fd00::7', 200],
    ['203.0.113.7', 404],
    ['::ffff:203.0.113.7', 404],
    ['172.32.0.1', 404],
    ['2001:db8::1', 404],
    ['unknown', 404],
  ])('from %s it is answered %s', async (peer, status) => {
    const { check } = await openCheck()
    expect(await check(HOST, peer)).toBe(status)
  })

  test('is refused when somebody’s request was passed on', async () => {
    const { check } = await openCheck()
    for (const from of ['203.0.113.7', '127.0.0.1', '']) {
      expect(await check(HOST, '127.0.0.1', { 'X-Forwarded-For': from })).toBe(404)
    }
  })
})
