import { describe, expect, test } from 'vitest'
import { getAccount } from '#db/accounts/accounts.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import { addAdminMessage } from '#db/admin/admin-messages.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { otpFrom, post, registration, WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { ACTOR } from '#tests/support/promo.ts'
import { countEach } from '#tests/support/races.ts'
import { fileForm, PDF, picture } from '#tests/support/uploads.ts'

const CLAIM = { owner_name: 'Ayesha Siddiqui', contact_phone: '98450 12345' }
const CLAIMED = { detail: 'This QR code has already been claimed' }
const DEAD = 'This link is no longer valid'

/** An issuer's code with a public document, claimed without an account. */
async function openClaimed({
  claim = {},
  options = {},
}: {
  claim?: object
  options?: object
} = {}) {
  const app = await openTestApp(options)
  const issuer = await app.signUp({ subscription_plan: 'enterprise', name: 'Issuer' })
  const { qr_id } = await insertCode(app.db, issuer.id, UNCLAIMED)
  const paper = await app.ask('POST', `/api/documents/upload/${qr_id}`, {
    as: issuer,
    body: fileForm(PDF, { document_type: 'puc', is_public: 'true' }),
  })
  const document = await paper.json()
  const claimCode = (fields: object = {}) =>
    app.ask('POST', '/api/qr/claim', { json: { ...CLAIM, ...claim, ...fields, qr_id } })
  const claimed = await claimCode()
  const { take_url } = await claimed.json()
  const stored = () =>
    app.db.selectFrom('qr_codes').selectAll().where('qr_id', '=', qr_id).executeTakeFirstOrThrow()
  const undo = (as = issuer) => app.ask('POST', `/api/qr/${qr_id}/undo-claim`, { as })
  const form = (path: string, cookie?: string, fields: Record<string, string> = {}) =>
    app.ask('POST', path, {
      body: new URLSearchParams(fields),
      headers: { 'Sec-Fetch-Site': 'same-origin', ...(cookie && { cookie }) },
    })
  const take = new URL(take_url).pathname
  return { ...app, issuer, qr_id, document, claimed, claimCode, take, stored, undo, form }
}

describe('a code claimed without an account and without an e-mail', () => {
  test('cannot be changed by its issuer, by any call, form or API key', async () => {
    const { ask, form, issuer, qr_id, document, db, deps, stored } = await openClaimed()
    const caller = await newCaller({ deps }, issuer.id)
    const { key } = await createApiKey(db, caller, 'Key', deps.clock(), async () => {})
    const before = await stored()
    const calls: [string, string, object?][] = [
      ['PUT', `/api/qr/${qr_id}`, { contact_phone: '9000000000' }],
      ['PUT', `/api/qr/${qr_id}`, { is_active: false }],
      ['DELETE', `/api/qr/${qr_id}`],
      ['PATCH', `/api/documents/${document.id}`, { is_public: false }],
      ['PUT', `/api/documents/${qr_id}/visibility`, { is_public: false }],
      ['DELETE', `/api/documents/${document.id}`],
      ['GET', `/api/scan/${qr_id}/analytics`],
    ]
    for (const as of [issuer, { bearerToken: key }]) {
      for (const [method, path, json] of calls) {
        const answer = await ask(method, path, { as, json })
        expect([method, path, answer.status, await answer.json()]).toEqual([
          method,
          path,
          409,
          CLAIMED,
        ])
      }
      const body = fileForm(PDF, { document_type: 'puc' })
      const upload = await ask('POST', `/api/documents/upload/${qr_id}`, { as, body })
      expect([upload.status, await upload.json()]).toEqual([409, CLAIMED])
    }
    const details = { owner_name: 'Mine', contact_phone: '9000000000', is_active: '0' }
    const forms = [
      `/dashboard/qr/${qr_id}`,
      `/dashboard/qr/${qr_id}/active`,
      `/dashboard/qr/${qr_id}/delete`,
      `/dashboard/documents/${document.id}/visibility`,
      `/dashboard/documents/codes/${qr_id}/visibility`,
      `/dashboard/documents/${document.id}/delete`,
    ]
    for (const path of forms) {
      const fields = { ...details, updated_at: before.updated_at, is_public: 'false' }
      expect([path, (await form(path, issuer.cookie, fields)).status]).toEqual([path, 409])
    }
    expect(await stored()).toEqual(before)
    expect(await db.selectFrom('documents').select(['id', 'is_public']).execute()).toEqual([
      { id: document.id, is_public: 1 },
    ])
  })

  test('shows its issuer no more than the scan page does, and prints nothing of the claimer', async () => {
    const { ask, issuer, qr_id } = await openClaimed()
    await ask('GET', `/scan/${qr_id}`)
    await ask('GET', `/police/${qr_id}`)
    const text = async (path: string, headers = {}) =>
      (await ask('GET', path, { as: issuer, headers })).text()
    const [code] = JSON.parse(await text('/api/qr/my-qrs'))
    expect(code).toMatchObject({ is_claimed_away: true, scan_count: 0, notes_instructions: null })
    expect(await text(`/api/qr/codes.zip?ids=${qr_id}`)).not.toContain(CLAIM.owner_name)
    const documents = JSON.parse(await text(`/api/documents/${qr_id}`))
    expect(documents.police_views).toEqual({ total: 0, last_viewed_at: null })
    const cookie = { cookie: issuer.cookie }
    const tab = await (await ask('GET', '/dashboard?tab=documents', { headers: cookie })).text()
    expect(tab).not.toContain('Police view opened')
    expect(tab).not.toContain('Show all')
  })

  test('shows finders no image of its issuer, but still the service’s messages', async () => {
    const { ask, db, deps, issuer, qr_id } = await openClaimed()
    const body = fileForm(await picture())
    const made = await ask('POST', '/api/popup-images/upload', { as: issuer, body })
    expect(made.status).toBe(201)
    const popup = async () => (await ask('GET', `/api/scan/${qr_id}/popup`)).json()
    const page = async () => (await ask('GET', `/scan/${qr_id}`)).text()
    expect(await popup()).toMatchObject({ popup_images: [], admin_messages: [] })
    expect(await page()).not.toContain('/api/files/')
    await addAdminMessage(db, { title: 'Closed', content: 'Until Monday' }, ACTOR, deps.clock())
    deps.scanPath.forgetPopups()
    expect(await popup()).toMatchObject({ popup_images: [], admin_messages: [{ title: 'Closed' }] })
    expect(await page()).not.toContain('/api/files/')
    await ask('POST', `/api/qr/${qr_id}/undo-claim`, { as: issuer })
    expect((await popup()).popup_images).toHaveLength(1)
  })

  test('shows authorities nothing of its issuer on the page, by the call or at the file’s URL', async () => {
    const { ask, issuer, qr_id, document } = await openClaimed()
    const police = await (await ask('GET', `/api/documents/${qr_id}/police`)).json()
    expect(police).toMatchObject({ owner_name: CLAIM.owner_name, documents: [] })
    const page = await (await ask('GET', `/police/${qr_id}`)).text()
    expect(page).not.toContain(document.file_path)
    expect((await ask('GET', document.file_url)).status).toBe(404)
    expect((await ask('GET', document.file_url, { as: issuer })).status).toBe(200)
  })
})

describe('undoing a claim', () => {
  test('makes the code blank and unclaimed, and notifies the claimer and the issuer', async () => {
    const claim = { email: 'Ayesha@Example.in', city_area: 'Pune', public_message: 'Mine' }
    const { ask, undo, stored, mails, take, qr_id, claimCode, issuer } = await openClaimed({
      claim,
      options: WITH_MAIL,
    })
    const answer = await undo()
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({ is_claimed: false, claim_undo_until: null })
    const { id: _, created_by, owner_id, created_at, updated_at, ...row } = await stored()
    const texts = Object.entries(row).filter(([, value]) => typeof value === 'string')
    expect(Object.fromEntries(texts)).toEqual({
      qr_id,
      qr_type: 'normal',
      contact_mode: 'public',
      thing: 'keys',
    })
    expect(row).toMatchObject({ is_claimed: 0, is_active: 1 })
    const [first, ...others] = mails.map(({ to, subject }) => [to, subject])
    expect(first).toEqual(['ayesha@example.in', 'Your QR code is claimed'])
    // Two mails of one transaction are sent in any order.
    expect(others.toSorted()).toEqual(
      [
        ['ayesha@example.in', 'The claim of your QR code was undone'],
        [issuer.email, 'You have undone a claim'],
      ].toSorted(),
    )
    for (const { text } of mails.slice(1)) expect(text).toContain(formatQrId(qr_id))
    expect((await ask('GET', take)).status).toBe(404)
    expect((await undo()).status).toBe(409)
    expect((await claimCode()).status).toBe(200)
  })

  test('is possible for seven days, for the issuer alone, and after a claim alone', async () => {
    const { ask, undo, signUp, stored, advance, db, issuer } = await openClaimed()
    const stranger = await signUp()
    expect((await undo(stranger)).status).toBe(404)
    const { qr_id } = await insertCode(db, issuer.id)
    const own = await ask('POST', `/api/qr/${qr_id}/undo-claim`, { as: issuer })
    expect([own.status, await own.json()]).toEqual([
      409,
      { detail: 'This QR code has no claim to undo' },
    ])
    advance(7 * 86_400 + 1)
    const late = await undo()
    expect([late.status, await late.json()]).toEqual([
      409,
      { detail: 'A claim can be undone within 7 days' },
    ])
    expect(await stored()).toMatchObject({ is_claimed: 1, owner_name: CLAIM.owner_name })
  })

  test('works by the form on the card, which shows the reason of a refusal', async () => {
    const { form, issuer, qr_id, stored } = await openClaimed()
    const path = `/dashboard/qr/${qr_id}/undo-claim`
    const done = await form(path, issuer.cookie)
    expect(done.headers.get('location')).toContain('done=claim-undone')
    expect((await stored()).is_claimed).toBe(0)
    const again = await form(path, issuer.cookie)
    expect(again.status).toBe(409)
    expect(await again.text()).toContain('This QR code has no claim to undo')
  })

  test('has one winner against taking and claiming at once, in twenty rounds', async () => {
    const app = await openTestApp({ env: { RATE_LIMITS: 'off' } })
    const issuer = await app.signUp()
    const taker = await app.signUp()
    for (let round = 0; round < 20; round++) {
      const { qr_id } = await insertCode(app.db, issuer.id, UNCLAIMED)
      const json = { ...CLAIM, qr_id }
      const first = await app.ask('POST', '/api/qr/claim', { json })
      const { pathname } = new URL((await first.json()).take_url)
      const headers = { cookie: taker.cookie, 'Sec-Fetch-Site': 'same-origin' }
      const undo = () => app.ask('POST', `/api/qr/${qr_id}/undo-claim`, { as: issuer })
      const take = () => app.ask('POST', pathname, { headers })
      const claim = () => app.ask('POST', '/api/qr/claim', { json })
      const acts = round % 2 ? [take, undo, claim] : [undo, claim, take]
      const answers = await Promise.all(
        Array.from({ length: 18 }, async (_, n) => {
          const act = acts[n % 3] as typeof undo
          return { act, status: (await act()).status }
        }),
      )
      const won = (act: typeof undo, status: number) =>
        answers.filter((each) => each.act === act && each.status === status).length
      const code = await app.db
        .selectFrom('qr_codes')
        .selectAll()
        .where('qr_id', '=', qr_id)
        .executeTakeFirstOrThrow()
      const [undone, taken, claimed] = [won(undo, 200), won(take, 303), won(claim, 200)]
      // A code can be claimed and undone again after an undone claim. The link belongs to the first claim.
      expect([0, 1]).toContain(undone - claimed)
      // A repeated request of the account that took the code gets 303 again.
      expect(taken > 0).toBe(code.owner_id === taker.id)
      expect(taken > 0 ? undone : 0).toBe(0)
      expect(code.is_claimed).toBe(undone > claimed ? 0 : 1)
      expect(code.owner_name).toBe(code.is_claimed ? CLAIM.owner_name : null)
      expect(code.claimed_at === null).toBe(taken > 0 || undone > claimed)
    }
  })
})

describe('the link of a claim', () => {
  test('is stored as a hash, appears in no log, and is not given to a claimer with an account', async () => {
    const { take, stored, logged, db, issuer, signUp, ask } = await openClaimed()
    const token = take.split('/').at(-1) ?? ''
    await ask('GET', take)
    await ask('POST', take)
    expect(JSON.stringify(await stored())).not.toContain(token)
    expect(logged.join()).not.toContain(token)
    const { qr_id } = await insertCode(db, issuer.id, UNCLAIMED)
    const as = await signUp()
    const answer = await ask('POST', '/api/qr/claim', { as, json: { ...CLAIM, qr_id } })
    expect(await answer.json()).toEqual({ success: true, qr_id, take_url: null })
    expect(answer.headers.get('set-cookie')).toBeNull()
  })

  test('leads through the login back to itself, and takes the code once', async () => {
    const { ask, form, signUp, take, qr_id, stored } = await openClaimed()
    const page = await ask('GET', take)
    expect([page.status, page.headers.get('cache-control')]).toEqual([200, 'no-store'])
    expect(page.headers.get('referrer-policy')).toBe('no-referrer')
    expect(page.headers.get('x-robots-tag')).toContain('noindex')
    const html = await page.text()
    for (const text of [formatQrId(qr_id), '/login?mode=register', 'href="/login"']) {
      expect(html).toContain(text)
    }
    const [cookie = '', ...attributes] = (page.headers.get('set-cookie') ?? '').split('; ')
    expect(attributes).toEqual(['Max-Age=3600', 'Path=/dashboard', 'HttpOnly', 'SameSite=Lax'])
    const claimer = await signUp({ name: 'Ayesha' })
    const both = { cookie: `${claimer.cookie}; ${cookie}` }
    const back = await ask('GET', '/dashboard', { headers: both })
    expect([back.status, back.headers.get('location')]).toEqual([303, take])
    expect(back.headers.get('set-cookie')).toContain('driveqr_take=; Max-Age=0; Path=/dashboard')
    const own = await ask('GET', take, { headers: { cookie: claimer.cookie } })
    expect(await own.text()).toMatch(/Ayesha.*Add to My Account/)
    const taken = await form(take, claimer.cookie)
    expect([taken.status, taken.headers.get('location')]).toEqual([303, '/dashboard?done=taken'])
    expect(await stored()).toMatchObject({
      owner_id: claimer.id,
      claimed_at: null,
      ...CLAIM,
    })
    const stranger = await signUp()
    const strangers = { headers: { cookie: stranger.cookie } }
    const dead = [ask('GET', take), ask('GET', take, strangers), form(take, stranger.cookie)]
    for (const answer of await Promise.all(dead)) {
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(DEAD)])
    }
    const owner = { headers: { cookie: claimer.cookie } }
    for (const answer of [await ask('GET', take, owner), await form(take, claimer.cookie)]) {
      expect([answer.status, answer.headers.get('location')]).toEqual([
        303,
        '/dashboard?done=taken',
      ])
    }
    expect(await stored()).toMatchObject({ owner_id: claimer.id })
  })

  test('shows the same page when it is unknown, and guesses are limited', async () => {
    const { ask } = await openClaimed()
    for (const token of ['x', 'A'.repeat(43), '%00', '__proto__']) {
      const answer = await ask('GET', `/take/${token}`)
      expect([answer.status, await answer.text()]).toEqual([404, expect.stringContaining(DEAD)])
    }
    for (let n = 0; n < 6; n++) await ask('GET', `/take/${n}`)
    expect((await ask('GET', '/take/x')).status).toBe(429)
  })

  test('takes nothing without a session, or from another site', async () => {
    const { ask, form, take, stored, signUp } = await openClaimed()
    const before = await stored()
    const { cookie } = await signUp()
    expect((await form(take)).headers.get('location')).toBe('/login')
    const evil = { cookie, 'Sec-Fetch-Site': 'cross-site' }
    expect((await ask('POST', take, { headers: evil })).status).toBe(403)
    expect(await stored()).toEqual(before)
    // A page with `Referrer-Policy: no-referrer` makes a browser send `Origin: null` with its forms.
    const hidden = { cookie, Origin: 'null' }
    expect((await ask('POST', take, { headers: hidden })).status).toBe(303)
  })

  test('ends when the account that verifies the e-mail of the claim takes the code', async () => {
    const { stored, take, ask, ...app } = await openClaimed({ claim: { email: 'asha@example.in' } })
    const otp = await otpFrom({ ...app, ask } as never, 'send-otp', { email: 'asha@example.in' })
    const { body } = await post({ ...app, ask } as never, 'verify-otp', registration(otp))
    // The answer of `verify-otp` has no bearer token.
    const as = await app.deps.sessions.start(await getAccount(app.db, body.user.id))
    const json = { qr_ids: [(await stored()).qr_id] }
    expect((await ask('POST', '/api/claims/take', { as, json })).status).toBe(200)
    expect(await stored()).toMatchObject({ owner_id: body.user.id, claimed_at: null })
    expect((await ask('GET', take)).status).toBe(404)
  })

  test('appears on the code’s page once, in the browser that claimed', async () => {
    const { ask, db, claimed, take, qr_id } = await openClaimed()
    const [cookie = '', ...attributes] = (claimed.headers.get('set-cookie') ?? '').split('; ')
    expect(attributes).toEqual(['Max-Age=300', `Path=/scan/${qr_id}`, 'HttpOnly', 'SameSite=Lax'])
    const link = new RegExp(
      `<a class="b call" href="${take}">.*Keep this code: create an account</a>`,
    )
    const message = { id: 'm', title: 'Thank you', content: 'Be safe', is_active: 1 } as const
    await db
      .insertInto('admin_messages')
      .values([{ ...message, created_at: '2026-01-01T00:00:00.000Z' }])
      .execute()
    const other = await ask('GET', `/scan/${qr_id}`)
    expect(await other.text()).not.toContain('/take/')
    expect(other.headers.get('set-cookie')).toBeNull()
    const prefetch = { cookie, 'Sec-Purpose': 'prefetch' }
    const early = await ask('GET', `/scan/${qr_id}`, { headers: prefetch })
    expect(early.headers.get('set-cookie')).toBeNull()
    const mine = await ask('GET', `/scan/${qr_id}`, { headers: { cookie } })
    const next = await mine.text()
    expect(next).toMatch(link)
    expect(next).not.toContain('<dialog')
    expect(mine.headers.get('cache-control')).toBe('no-store')
    const [shown = ''] = (mine.headers.get('set-cookie') ?? '').split('; ')
    const after = await ask('GET', `/scan/${qr_id}`, { headers: { cookie: shown } })
    expect(await after.text()).not.toContain('/take/')
    expect(after.headers.get('set-cookie')).toBeNull()
    const planted = await ask('GET', `/scan/${qr_id}`, {
      headers: { cookie: `claimed=${'A'.repeat(43)}` },
    })
    expect(await planted.text()).not.toContain('/take/')
  })

  test('stays on the page when the claimer changes its language', async () => {
    const { ask, claimed, take, qr_id } = await openClaimed()
    let cookie = ''
    const keep = ({ headers }: Response) => {
      const set = headers.getSetCookie().find((each) => each.startsWith('claimed='))
      cookie = set?.split(';')[0] ?? cookie
    }
    keep(claimed)
    const shows = async (query: string, site = 'same-origin') => {
      const headers = { cookie, 'Sec-Fetch-Site': site }
      const page = await ask('GET', `/scan/${qr_id}${query}`, { headers })
      keep(page)
      return (await page.text()).includes(`href="${take}"`)
    }
    expect(await shows('', 'none')).toBe(true)
    for (const query of ['?lang=', '?lang=ta', '?lang=ur']) expect(await shows(query)).toBe(true)
    // Opening the URL again does not choose a language.
    expect(await shows('?lang=ur', 'none')).toBe(false)
  })

  test('appears after the form without script, in whichever form the id was typed', async () => {
    const { ask, form, db, issuer } = await openClaimed()
    const { qr_id } = await insertCode(db, issuer.id, UNCLAIMED)
    const typed = formatQrId(qr_id).toLowerCase()
    const answer = await form(`/claim?qr=${typed}`, undefined, CLAIM)
    expect(answer.headers.get('location')).toBe(`/scan/${qr_id}`)
    const cookie = (answer.headers.get('set-cookie') ?? '').split(';')[0] ?? ''
    const hindi = await ask('GET', `/scan/${qr_id}?lang=hi`, { headers: { cookie } })
    expect(await hindi.text()).toMatch(/href="\/take\/[\w-]{43}">.*यह कोड अपने पास रखें/)
  })
})

describe('mails about claims', () => {
  async function openCodes(count: number) {
    const app = await openTestApp({ env: { ...WITH_MAIL.env, TRUST_PROXY: '1' } })
    const issuer = await app.signUp({ subscription_plan: 'enterprise' })
    const codes: { qr_id: string }[] = []
    for (let n = 0; n < count; n++) codes.push(await insertCode(app.db, issuer.id, UNCLAIMED))
    const claim = async (n: number, email: string, address: string) => {
      const json = { ...CLAIM, email, qr_id: codes[n]?.qr_id }
      const headers = { 'X-Forwarded-For': address }
      return (await app.ask('POST', '/api/qr/claim', { json, headers })).status
    }
    return { ...app, claim }
  }

  test('are limited to three a day for one address, and further claims succeed without one', async () => {
    const { claim, mails, advance } = await openCodes(7)
    for (let n = 0; n < 6; n++) {
      const typed = n % 2 ? 'ravi@example.in' : 'RAVI@Example.in'
      expect(await claim(n, typed, `203.0.113.${n}`)).toBe(200)
    }
    expect(mails).toHaveLength(3)
    advance(86_400)
    await claim(6, 'ravi@example.in', '203.0.113.9')
    expect(mails).toHaveLength(4)
  })

  test('are limited to ten an hour for one caller, to any addresses', async () => {
    const { claim, mails } = await openCodes(14)
    const claims = Array.from({ length: 13 }, (_, n) =>
      claim(n, `nobody${n}@example.in`, '203.0.113.1'),
    )
    expect(countEach(await Promise.all(claims))).toEqual({ 200: 13 })
    expect(mails).toHaveLength(10)
    await claim(13, 'nobody13@example.in', '203.0.113.2')
    expect(mails).toHaveLength(11)
  })
})

test('an account that takes a code gets none of the documents that its issuer added', async () => {
  const { ask, form, take, document, signUp, qr_id } = await openClaimed()
  const claimer = await signUp()
  await form(take, claimer.cookie)
  const list = await (await ask('GET', `/api/documents/${qr_id}`, { as: claimer })).json()
  expect(list.documents).toEqual([])
  const [code] = await (await ask('GET', '/api/qr/my-qrs', { as: claimer })).json()
  expect(code).toMatchObject({ document_count: 0, is_claimed_away: false })
  expect((await ask('GET', document.file_url)).status).toBe(404)
})
