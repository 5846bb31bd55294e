import { describe, expect, test } from 'vitest'
import { insertCode } from '#tests/support/codes.ts'
import { registeredChild, signInChild } from '#tests/support/families.ts'
import { setAccount } from '#tests/support/rows.ts'
import { BUYER, HOLDER, openTransfers } from '#tests/support/transfers.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

describe('the page of a transfer', () => {
  test('leads who is signed out through the login back to itself, and says nothing of the vehicle', async () => {
    const { begin, page, buyer } = await openTransfers()
    const path = `/transfer/${await begin()}`
    const answer = await page(path)
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('A vehicle is handed over to you')
    expect(html).toContain('href="/login?mode=register"')
    expect(html).not.toMatch(/MH 12|Ramesh|Maruti|meenakshi/)
    expect(answer.headers.get('X-Robots-Tag')).toContain('noindex')
    expect(answer.headers.get('Referrer-Policy')).toBe('no-referrer')
    const kept = answer.headers.get('Set-Cookie') ?? ''
    expect(kept).toMatch(/driveqr_transfer=[\w-]{43}; .*Path=\/dashboard; HttpOnly/)
    const cookie = `${buyer.cookie}; ${kept.split(';')[0]}`
    const back = await page('/dashboard', cookie)
    expect([back.status, back.headers.get('location')]).toEqual([303, path])
    expect(back.headers.get('Set-Cookie')).toContain('driveqr_transfer=; Max-Age=0')
    for (const form of [{}, HOLDER]) {
      const sent = await page(path, '', form as Record<string, string>)
      expect([sent.status, sent.headers.get('location')]).toEqual([303, '/login'])
    }
  })

  test('shows its recipient the vehicle and a form with the account’s contact', async () => {
    const app = await openTransfers()
    const { begin, page, buyer, owner, qr_id, ask, db } = app
    await db.updateTable('qr_codes').set({ earlier_scans: 27 }).execute()
    const body = fileForm(PDF, { document_type: 'puc' })
    await ask('POST', `/api/documents/upload/${qr_id}`, { as: owner, body })
    await setAccount(db, buyer.id, { mobile: '+919819000482' })
    const path = `/transfer/${await begin({ include_documents: true })}`
    const html = await (await page(path, buyer.cookie)).text()
    expect(html).toContain('Transfer, valid until 23 Nov, 3:30')
    expect(html).toContain('<bdi>Ramesh</bdi> hands a vehicle over to you')
    expect(html).toContain('MH 12 QX 4827')
    expect(html).toContain('Maruti Suzuki Swift VXi')
    expect(html).toContain('1 document, 27 scans as a total')
    expect(html).toContain('1 of your 1 QR codes')
    expect(html).toMatch(/name="owner_name"[^>]*value="Meenakshi Pillai"/)
    expect(html).toMatch(/name="contact_phone"[^>]*value="\+91 98190 00482"/)
    expect(html).toMatch(new RegExp(`name="email"[^>]*value="${BUYER}"`))
    expect(html).toContain(`formAction="${path}/decline"`)
    expect(html).not.toContain('Kulkarni')
  })

  test('is the same dead link for another account, for none of that name, and afterwards', async () => {
    const { begin, cancel, page, buyer, signUp } = await openTransfers({
      env: { RATE_LIMITS: 'off' },
    })
    const other = await signUp()
    const path = `/transfer/${await begin()}`
    const texts = new Set<string>()
    const dead = async (where: string, cookie?: string, form?: Record<string, string>) => {
      const answer = await page(where, cookie, form)
      expect([where, answer.status]).toEqual([where, 404])
      const html = (await answer.text()).replace(/<head>.*<\/head>/s, '')
      const wayOn = /<a class="btn btn-main" href="([^"]*)">([^<]*)<\/a>/.exec(html) ?? []
      const expected = cookie ? ['/dashboard', 'Go to Dashboard'] : ['/login', 'Login']
      expect([where, ...wayOn.slice(1)]).toEqual([where, ...expected])
      texts.add(html.replace(String(wayOn[0]), ''))
    }
    await dead(path, other.cookie)
    await dead(path, other.cookie, HOLDER)
    await dead(`${path}/decline`, other.cookie, {})
    await dead(`/transfer/${'A'.repeat(43)}`, other.cookie)
    await dead('/transfer/x')
    await cancel()
    await dead(path, buyer.cookie)
    await dead(path)
    expect(texts.size).toBe(1)
    expect([...texts][0]).toContain('This link is no longer valid')
  })

  test('takes what was typed, says beside a field what is wrong, and keeps the rest', async () => {
    const { begin, page, buyer, stored } = await openTransfers()
    const path = `/transfer/${await begin()}`
    const wrong = { ...HOLDER, contact_phone: '12', city_area: 'Dadar' }
    const refused = await page(path, buyer.cookie, wrong)
    const html = await refused.text()
    expect(refused.status).toBe(400)
    expect(html).toContain('Please enter a valid mobile number')
    expect(html).toMatch(/name="city_area"[^>]*value="Dadar"/)
    const done = await page(path, buyer.cookie, { ...HOLDER, city_area: 'Dadar' })
    expect(done.status).toBe(303)
    expect(done.headers.get('location')).toMatch(/^\/dashboard\?tab=my-qrs&done=transferred&at=qr-/)
    expect(await stored()).toMatchObject({ owner_id: buyer.id, city_area: 'Dadar' })
    const list = await (await page(done.headers.get('location') ?? '', buyer.cookie)).text()
    expect(list).toContain('The vehicle is yours now.')
  })

  test('leads who has accepted to the vehicle, and nobody else', async () => {
    const { begin, page, buyer, owner, stored, mails } = await openTransfers()
    const path = `/transfer/${await begin()}`
    const accepted = await page(path, buyer.cookie, { ...HOLDER, city_area: 'Dadar' })
    const sent = mails.length
    const there = [303, accepted.headers.get('location')]
    const again = [
      await page(path, buyer.cookie, { ...HOLDER, city_area: 'Parel' }),
      await page(path, buyer.cookie),
      await page(`${path}/decline`, buyer.cookie, HOLDER),
    ]
    for (const answer of again) {
      expect([answer.status, answer.headers.get('location')]).toEqual(there)
    }
    const takePath = path.replace('transfer', 'take')
    for (const [where, cookie] of [[path], [path, owner.cookie], [takePath, owner.cookie]]) {
      expect((await page(String(where), cookie)).status).toBe(404)
      if (cookie) expect((await page(String(where), cookie, HOLDER)).status).toBe(404)
    }
    expect(mails).toHaveLength(sent)
    expect(await stored()).toMatchObject({ owner_id: buyer.id, city_area: 'Dadar' })
  })

  test('names the account without room and the way to get some, and moves nothing', async () => {
    const { begin, page, db, buyer, owner, stored } = await openTransfers()
    await insertCode(db, buyer.id)
    const path = `/transfer/${await begin()}`
    for (const form of [undefined, HOLDER]) {
      const answer = await page(path, buyer.cookie, form)
      expect(answer.status).toBe(form ? 402 : 200)
      const html = await answer.text()
      expect(html).toContain('Your QR code limit is 1, and you have 1.')
      expect(html).toContain('href="/dashboard?upgrade=limit"')
    }
    expect(await stored()).toMatchObject({ owner_id: owner.id })
  })

  test('is declined by its other button', async () => {
    const { begin, page, buyer, owner, stored } = await openTransfers()
    const path = `/transfer/${await begin()}`
    const declined = await page(`${path}/decline`, buyer.cookie, HOLDER)
    expect(declined.headers.get('location')).toBe('/dashboard?tab=my-qrs&done=transfer-declined')
    expect(await stored()).toMatchObject({ owner_id: owner.id })
  })

  test('keeps what was typed when another language is chosen', async () => {
    const { begin, page, buyer, owner, stored } = await openTransfers()
    const path = `/transfer/${await begin()}`
    const answer = await page(path, buyer.cookie, { ...HOLDER, city_area: 'Dadar', lang: 'ta' })
    const html = await answer.text()
    expect(answer.status).toBe(200)
    expect(html).toContain('<html lang="ta"')
    expect(html).toMatch(/name="city_area"[^>]*value="Dadar"/)
    expect(await stored()).toMatchObject({ owner_id: owner.id })
  })

  test('refuses a child user in a sentence, in their language', async () => {
    const { begin, page, signUp } = await openTransfers()
    const parent = await signUp()
    const child = await signUp({
      email: 'child@example.in',
      parent_id: parent.id,
      email_verified_at: '2026-11-20T10:00:00.000Z',
    })
    const path = `/transfer/${await begin({ email: 'child@example.in' })}`
    const answer = await page(`${path}?lang=hi`, child.cookie)
    expect(answer.status).toBe(403)
    expect(await answer.text()).toContain('परिवार के सदस्य का खाता कोई QR कोड नहीं ले सकता')
  })

  test('takes its forms from a page without a referrer, and from no other site', async () => {
    const { begin, ask, buyer, transfers } = await openTransfers()
    const path = `/transfer/${await begin()}`
    const send = (headers: Record<string, string>) =>
      ask('POST', `${path}/decline`, { headers: { cookie: buyer.cookie, ...headers } })
    expect((await send({ 'Sec-Fetch-Site': 'cross-site', Origin: 'null' })).status).toBe(403)
    expect(await transfers()).toHaveLength(1)
    expect((await send({ Origin: 'null' })).status).toBe(303)
  })
})

describe('the card of a code', () => {
  const FORM = { email: BUYER, confirm: 'mh 12 qx 4827' }

  test('offers a transfer to its owner, in a dialog that lists the effects', async () => {
    const app = await openTransfers()
    const { page, owner, qr_id, ask } = app
    for (const document_type of ['puc', 'insurance', 'insurance']) {
      const body = fileForm(PDF, { document_type })
      await ask('POST', `/api/documents/upload/${qr_id}`, { as: owner, body })
    }
    const list = await (await page('/dashboard', owner.cookie)).text()
    expect(list).toContain(`href="/dashboard?tab=my-qrs&amp;transfer=${qr_id}"`)
    const html = await (await page(`/dashboard?transfer=${qr_id}`, owner.cookie)).text()
    expect(html).toContain('3 documents: Insurance, Pollution certificate (PUC).')
    expect(html).toContain('Otherwise they are deleted with the transfer.')
    expect(html).toContain('Type the number plate to confirm')
    expect(html).not.toContain('no longer sees the code')
  })

  test('offers none where there is nothing to hand over, nor to a child user, nor while one is under way', async () => {
    const app = await openTransfers()
    const { db, page, begin, owner, qr_id } = app
    const unclaimed = await insertCode(db, owner.id, { is_claimed: 0, owner_name: null })
    const child = await registeredChild(app, owner.id)
    const { cookie } = await signInChild(app, child)
    await begin()
    const list = await (await page('/dashboard', owner.cookie)).text()
    expect(list).not.toContain(`transfer=${unclaimed.qr_id}`)
    expect(list).not.toContain(`transfer=${qr_id}`)
    expect(list).toContain(`transfer=${child.qr_id}`)
    expect(list).toContain('Transfer under way')
    expect(list).toContain(`${BUYER} can accept it until 23 Nov 2026, 3:30 pm.`)
    const theirs = await (await page('/dashboard', cookie)).text()
    expect(theirs).not.toContain('transfer=')
    const dialog = await (await page(`/dashboard?transfer=${child.qr_id}`, owner.cookie)).text()
    expect(dialog).toContain(
      'Gurleen Kaur no longer sees the code, and the papers they put on it are deleted.',
    )
  })

  test('begins and cancels a transfer', async () => {
    const { page, owner, qr_id, transfers, mails } = await openTransfers()
    const path = `/dashboard/qr/${qr_id}/transfer`
    const begun = await page(path, owner.cookie, { ...FORM, include_documents: '1' })
    expect([begun.status, begun.headers.get('location')]).toEqual([
      303,
      `/dashboard?tab=my-qrs&done=transfer-started&at=qr-${qr_id}`,
    ])
    expect(await transfers()).toMatchObject([{ email: BUYER, include_documents: 1 }])
    expect(mails).toHaveLength(1)
    const again = await page(path, owner.cookie, FORM)
    expect(again.status).toBe(409)
    expect(await again.text()).toContain('A transfer is already under way')
    const cancelled = await page(`${path}/cancel`, owner.cookie, {})
    expect(cancelled.headers.get('location')).toContain('done=transfer-cancelled')
    expect(await transfers()).toEqual([])
  })

  test.each<[Record<string, string>, string, string]>([
    [{ ...FORM, confirm: 'MH 12' }, 'confirm', 'Type the number plate as above'],
    [{ ...FORM, email: 'x' }, 'email', 'Please enter a valid email address'],
    [{ ...FORM, email: 'ramesh@example.in' }, 'email', 'You cannot transfer a QR code to yourself'],
  ])('shows the dialog again with %j, and the problem of %s', async (form, field, problem) => {
    const { page, owner, qr_id, transfers } = await openTransfers()
    const answer = await page(`/dashboard/qr/${qr_id}/transfer`, owner.cookie, form)
    const html = await answer.text()
    expect(answer.status).toBe(400)
    expect(html).toMatch(new RegExp(`aria-invalid="true" name="${field}"[^]*${problem}`))
    expect(html).toMatch(new RegExp(`name="email"[^>]*value="${form.email}"`))
    expect(await transfers()).toEqual([])
  })
})
