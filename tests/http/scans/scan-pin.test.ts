import { describe, expect, test } from 'vitest'
import { hashPin } from '#db/codes/pins.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { raceStatuses } from '#tests/support/races.ts'

const PIN = '482913'
const TEN_YEARS = 3650 * 86_400
const PRIVATE_FIELDS = {
  driving_license_number: 'MH1220110012345',
  insurance_policy_number: 'POL-7781',
  insurance_expiry_date: '2027-03-14',
  notes_instructions: 'Spare key is with the guard',
}

async function openLocked(withPin = true) {
  const app = await openTestApp()
  const owner = await app.signUp()
  const code = await insertCode(app.db, owner.id, {
    ...PRIVATE_FIELDS,
    next_service_due: '2029-01-01',
  })
  if (withPin) {
    const pin_hash = hashPin(app.deps.secretKey, code.qr_id, PIN)
    await app.db.updateTable('qr_codes').set({ pin_hash }).where('id', '=', code.id).execute()
  }
  const unlock = (pin: unknown) =>
    app.ask('POST', `/api/scan/${code.qr_id}/unlock`, { json: { pin } })
  const submit = async (pin: string, headers: Record<string, string> = {}, query = '') => {
    const body = new URLSearchParams({ pin })
    const response = await app.ask('POST', `/scan/${code.qr_id}${query}`, { body, headers })
    return { response, html: await response.text() }
  }
  const statusesOf = async (tries: Promise<Response>[]) =>
    (await Promise.all(tries)).map(({ status }) => status)
  return { ...app, owner, code, unlock, submit, statusesOf }
}

const repeat = <T>(times: number, run: () => T) => Array.from({ length: times }, run)

describe('POST /api/scan/{qr_id}/unlock', () => {
  test('opens four fields with the right PIN, and no other', async () => {
    const { unlock } = await openLocked()
    const response = await unlock(` ${PIN} `)
    expect(response.status).toBe(200)
    expect(await response.json()).toStrictEqual(PRIVATE_FIELDS)
  })

  test('opens nothing while the child user waits for the guardian', async () => {
    const { unlock, db, owner, code } = await openLocked()
    const child_account_id = owner.id
    await db
      .updateTable('qr_codes')
      .set({ qr_type: 'child', is_claimed: 1, is_child_registered: 1, child_account_id })
      .execute()
    const wait = { account_id: owner.id, code_id: code.id, asked_at: code.created_at }
    await db.insertInto('guardian_waits').values(wait).execute()
    expect((await unlock(PIN)).status).toBe(404)
  })

  test('refuses a wrong PIN, also one that another code has', async () => {
    const { unlock, db, deps, owner } = await openLocked()
    const other = await insertCode(db, owner.id)
    const pin_hash = hashPin(deps.secretKey, other.qr_id, '1111')
    await db.updateTable('qr_codes').set({ pin_hash }).where('id', '=', other.id).execute()
    const response = await unlock('1111')
    expect(response.status).toBe(403)
    expect(await response.json()).toEqual({ detail: 'Incorrect PIN' })
  })

  test.each(['', '12a4', null, 482913])('%j is no PIN and no try', async (pin) => {
    const { unlock, db } = await openLocked()
    const response = await unlock(pin)
    expect(response.status).toBe(400)
    expect(await response.json()).toEqual({ detail: 'PIN must be 4 to 6 digits' })
    expect(await db.selectFrom('wrong_tries').selectAll().execute()).toEqual([])
  })

  test('locks after five wrong tries for 15 minutes, to the right PIN too', async () => {
    const { unlock, advance } = await openLocked()
    for (let i = 0; i < 5; i++) expect((await unlock('0000')).status).toBe(403)
    const locked = await unlock(PIN)
    expect(locked.status).toBe(429)
    expect(locked.headers.get('retry-after')).toBe('900')
    expect(await locked.json()).toEqual({
      detail: 'Too many wrong tries. Try again in 15 minutes.',
      retry_after: 900,
    })
    advance(899)
    expect((await unlock(PIN)).status).toBe(429)
    advance(1)
    expect((await unlock(PIN)).status).toBe(200)
  })

  test('opens for others while strangers use up its wrong tries of the day', async () => {
    const { code, ask, unlock } = await openLocked()
    const from = async (peer: string, pin: string) =>
      (await ask('POST', `/api/scan/${code.qr_id}/unlock`, { json: { pin }, peer })).status
    for (let n = 0; n < 5; n++) {
      for (let i = 0; i < 4; i++) expect(await from(`198.51.${n}.7`, '0000')).toBe(403)
    }
    // The slower way: three wrong tries a day for each network, and the right one any time.
    for (let i = 0; i < 2; i++) expect((await unlock('0000')).status).toBe(403)
    expect((await unlock(PIN)).status).toBe(200)
    for (let n = 0; n < 3; n++) expect(await from(`198.51.100.${n}`, '0000')).toBe(403)
    expect(await from('198.51.100.9', PIN)).toBe(429)
    expect((await unlock(PIN)).status).toBe(200)
  })

  test('is guessed no more often by guesses from ten networks at once', async () => {
    const { ask, code } = await openLocked()
    const guess = (n: number) =>
      ask('POST', `/api/scan/${code.qr_id}/unlock`, {
        json: { pin: '0000' },
        peer: `198.51.${n % 10}.${n}`,
      })
    const { 403: tried = 0 } = await raceStatuses(guess, 200)
    expect(tried).toBeGreaterThanOrEqual(20)
    expect(tried).toBeLessThanOrEqual(20 + 10 * 3)
  })

  test('a clock that was ahead leaves no lock that lasts for years', async () => {
    const { unlock, advance } = await openLocked()
    advance(TEN_YEARS)
    for (let i = 0; i < 5; i++) await unlock('0000')
    expect((await unlock(PIN)).status).toBe(429)
    advance(-TEN_YEARS)
    expect((await unlock(PIN)).status).toBe(200)
  })

  test('gives five new tries after a lock, not one', async () => {
    const { unlock, advance } = await openLocked()
    for (let i = 0; i < 5; i++) await unlock('0000')
    advance(900)
    for (let i = 0; i < 5; i++) expect((await unlock('0000')).status).toBe(403)
    expect((await unlock('0000')).status).toBe(429)
  })

  test('the right PIN forgets the wrong ones before it', async () => {
    const { unlock } = await openLocked()
    for (let round = 0; round < 3; round++) {
      for (let i = 0; i < 4; i++) expect((await unlock('0000')).status).toBe(403)
      expect((await unlock(PIN)).status).toBe(200)
    }
  })

  test('of 50 wrong tries at once five are tried', async () => {
    const { unlock, statusesOf } = await openLocked()
    const statuses = await statusesOf(repeat(50, () => unlock('0000')))
    expect(statuses.filter((status) => status === 403)).toHaveLength(5)
    expect(statuses.filter((status) => status === 429)).toHaveLength(45)
  })

  test('page and call share one lock', async () => {
    const { unlock, submit } = await openLocked()
    for (let i = 0; i < 3; i++) await unlock('0000')
    for (let i = 0; i < 2; i++) await submit('0000')
    expect((await unlock(PIN)).status).toBe(429)
    expect((await submit(PIN)).response.status).toBe(429)
  })

  test('one code’s lock is not another’s', async () => {
    const { unlock, db, deps, owner, ask } = await openLocked()
    const other = await insertCode(db, owner.id)
    const pin_hash = hashPin(deps.secretKey, other.qr_id, PIN)
    await db.updateTable('qr_codes').set({ pin_hash }).where('id', '=', other.id).execute()
    for (let i = 0; i < 6; i++) await unlock('0000')
    const path = `/api/scan/${other.qr_id}/unlock`
    expect((await ask('POST', path, { json: { pin: PIN } })).status).toBe(200)
  })

  test('reports that there is no PIN, and nothing more', async () => {
    const { unlock } = await openLocked(false)
    const response = await unlock(PIN)
    expect(response.status).toBe(404)
    expect(await response.json()).toEqual({ detail: 'This QR code has no PIN' })
  })

  test.each([{ is_claimed: 0 }, { qr_type: 'child', is_child_registered: 0 }] as const)(
    'has nothing to open before the code has a page (%o)',
    async (fields) => {
      const { unlock, db } = await openLocked()
      await db.updateTable('qr_codes').set(fields).execute()
      const response = await unlock(PIN)
      expect([response.status, await response.json()]).toEqual([
        404,
        { detail: 'This QR code has no PIN' },
      ])
    },
  )

  test('an inactive code is not found', async () => {
    const { unlock, db } = await openLocked()
    await db.updateTable('qr_codes').set({ is_active: 0 }).execute()
    expect((await unlock(PIN)).status).toBe(404)
  })
})

describe('the PIN form on the page', () => {
  test('is there only when there is a PIN', async () => {
    const locked = await openLocked()
    const html = await (await locked.ask('GET', `/scan/${locked.code.qr_id}`)).text()
    expect(html).toContain(`<form action="/scan/${locked.code.qr_id}#private" method="post">`)
    for (const value of Object.values(PRIVATE_FIELDS)) expect(html).not.toContain(value)
    const plain = await openLocked(false)
    const page = await (await plain.ask('GET', `/scan/${plain.code.qr_id}`)).text()
    expect(page).not.toContain('Private details')
  })

  test('the answer is at the form’s target, and can be focused', async () => {
    const { submit, db } = await openLocked()
    expect((await submit('0000')).html).toMatch(/<input id="private" [^>]*name="pin"/)
    expect((await submit(PIN)).html).toContain('<dl id="private" tabindex="-1">')
    const nothing = Object.fromEntries(Object.keys(PRIVATE_FIELDS).map((name) => [name, null]))
    await db.updateTable('qr_codes').set(nothing).execute()
    expect((await submit(PIN)).html).toContain('<p id="private" tabindex="-1">')
  })

  test('opens the private section on the same page, in its language, and counts no scan', async () => {
    const { submit, db } = await openLocked()
    const { response, html } = await submit(PIN)
    expect(response.status).toBe(200)
    expect(html).toContain('Found these keys?')
    for (const shown of [
      'MH1220110012345',
      'POL-7781',
      '14 Mar 2027',
      'Spare key is with the guard',
    ]) {
      expect(html).toContain(shown)
    }
    expect(html).not.toContain('2029')
    expect((await submit(PIN, {}, '?lang=hi')).html).toContain('ड्राइविंग लाइसेंस नंबर')
    expect(await db.selectFrom('scans').selectAll().execute()).toEqual([])
  })

  test.each([
    ['0000', 403, 'Incorrect PIN'],
    ['12', 400, 'PIN must be 4 to 6 digits'],
    ['', 400, 'PIN must be 4 to 6 digits'],
  ])('answers %j with %d and says why beside the field', async (pin, status, words) => {
    const { submit } = await openLocked()
    const { response, html } = await submit(pin)
    expect(response.status).toBe(status)
    expect(html).toContain(`role="alert">${words}</p>`)
    expect(html).toMatch(/<details [^>]*open/)
    for (const value of Object.values(PRIVATE_FIELDS)) expect(html).not.toContain(value)
  })

  test('says how long a locked one stays locked', async () => {
    const { submit, advance } = await openLocked()
    for (let i = 0; i < 5; i++) await submit('0000')
    advance(61)
    const { response, html } = await submit(PIN)
    expect(response.status).toBe(429)
    expect(response.headers.get('retry-after')).toBe('839')
    expect(html).toContain('Too many wrong tries. Try again in 14 minutes.')
  })

  test('lets the owner try it in the preview', async () => {
    const { submit, owner } = await openLocked()
    const { html } = await submit(PIN, { cookie: owner.cookie, 'sec-fetch-site': 'same-origin' })
    expect(html).toContain('POL-7781')
    expect(html).toContain('This is what a finder sees')
  })

  test('works from a page without a referrer, with and without a cookie', async () => {
    const { submit, signUp } = await openLocked()
    const { cookie } = await signUp()
    expect((await submit(PIN, { origin: 'null' })).response.status).toBe(200)
    expect((await submit(PIN, { origin: 'null', cookie })).response.status).toBe(200)
  })

  test('answers any body without a fault', async () => {
    const { ask, code } = await openLocked()
    for (const type of ['multipart/form-data; boundary=x', 'application/json', 'x']) {
      const response = await ask('POST', `/scan/${code.qr_id}`, {
        body: '--broken',
        headers: { 'content-type': type },
      })
      expect(response.status).toBe(400)
    }
  })

  test('shows the plain page when the owner has taken the PIN away meanwhile', async () => {
    const { submit } = await openLocked(false)
    const { html } = await submit(PIN)
    expect(html).toContain('Found these keys?')
    expect(html).not.toContain('POL-7781')
  })
})
