import { describe, expect, test } from 'vitest'
import { fill } from '#db/migrations/026-phone-numbers.ts'
import { openTestApp, PASSWORD } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { queryOn } from '#tests/support/migrations.ts'

const LOOK = 'This does not look like a number in India.'

async function openOwner() {
  const app = await openTestApp()
  const as = await app.signUp({ subscription_plan: 'premium' })
  const create = async (json: object) => {
    const answer = await app.ask('POST', '/api/qr/create', {
      as,
      json: { owner_name: 'Asha Patil', contact_phone: '98765 43210', ...json },
    })
    return { status: answer.status, body: await answer.json() }
  }
  const edit = async (qr_id: string, json: object) => {
    const answer = await app.ask('PUT', `/api/qr/${qr_id}`, { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const look = async (qr_id: string, language?: string) => {
    const headers: Record<string, string> = language ? { 'Accept-Language': language } : {}
    return (await app.ask('GET', `/scan/${qr_id}`, { headers })).text()
  }
  return { ...app, as, create, edit, look }
}

/** The links of a page to call and to write, in its order. */
function waysIn(html: string): string[] {
  return [...html.matchAll(/href="((?:tel:|sms:|https:\/\/wa\.me\/)[^"?]*)/g)].map(
    ([, href]) => href as string,
  )
}

describe('the page of a scan offers', () => {
  test.each([
    ['9876543210', ['tel:+919876543210', 'https://wa.me/919876543210', 'sms:+919876543210']],
    ['९८७६५४३२१०', ['tel:+919876543210', 'https://wa.me/919876543210', 'sms:+919876543210']],
    ['020-2550 1234', ['tel:+912025501234']],
    ['1800 425 3800', ['tel:18004253800']],
    ['1800-425-3800', ['tel:18004253800']],
    ['1860 500 1234', ['tel:18605001234']],
    ['112', ['tel:112']],
    ['+65 6123 4567', ['tel:+6561234567']],
    ['+44 7911 123456', ['tel:+447911123456', 'https://wa.me/447911123456', 'sms:+447911123456']],
  ])('for %s: %j', async (contact_phone, ways) => {
    const { create, look } = await openOwner()
    const { status, body } = await create({ contact_phone })
    expect([status, body.contact_phone]).toEqual([201, contact_phone])
    const html = await look(body.qr_id)
    expect(waysIn(html).filter((href) => !href.startsWith('tel:112') || href === ways[0])).toEqual(
      ways,
    )
  })

  test('the number as its reader’s country writes it', async () => {
    const { create, look } = await openOwner()
    const { body } = await create({ contact_phone: '020-2550 1234' })
    expect(await look(body.qr_id, 'en-IN')).toContain('020 2550 1234')
    expect(await look(body.qr_id, 'hi')).toContain('020 2550 1234')
    expect(await look(body.qr_id, 'en-GB')).toContain('+91 20 2550 1234')
    expect(await look(body.qr_id)).toContain('+91 20 2550 1234')
  })
})

describe('a number that fits no country', () => {
  test.each([
    ['(415) 555-2671', `${LOOK} Use it anyway?`, 'tel:4155552671'],
    ['14155552671', `${LOOK} Begin a number from abroad with +`, 'tel:14155552671'],
    ['447911123456', `${LOOK} Begin a number from abroad with +`, 'tel:447911123456'],
  ])('%s is refused, and taken as it is typed', async (contact_phone, detail, call) => {
    const { create, edit, look } = await openOwner()
    const refused = { status: 400, body: { detail, anyway: true } }
    expect(await create({ contact_phone })).toEqual(refused)
    expect(await create({ emergency_contact_phone: contact_phone })).toEqual(refused)
    const taken = await create({ contact_phone, contact_phone_anyway: true })
    expect([taken.status, taken.body.contact_phone]).toEqual([201, contact_phone])
    const { qr_id } = taken.body
    expect(waysIn(await look(qr_id))[0]).toBe(call)
    expect(await look(qr_id)).not.toMatch(/wa\.me|sms:/)
    // It is sent with each change, and asked about once.
    expect((await edit(qr_id, { owner_name: 'Asha', contact_phone })).status).toBe(200)
    expect(await edit(qr_id, { contact_phone: '5555555555' })).toMatchObject({ status: 400 })
  })

  test('is offered with a tick by the forms of owners and claimers, in their language', async () => {
    const { ask, as, db } = await openOwner()
    const code = await insertCode(db, as.id, { ...UNCLAIMED, emergency_contact_phone: null })
    const submit = async (path: string, fields: Record<string, string>, signedIn: boolean) => {
      const answer = await ask('POST', path, {
        body: new URLSearchParams({ owner_name: 'Asha', ...fields }),
        headers: {
          'Sec-Fetch-Site': 'same-origin',
          'Accept-Language': 'hi',
          ...(signedIn && { Cookie: as.cookie }),
        },
      })
      return { status: answer.status, html: await answer.text() }
    }
    const claim = `/claim?qr=${code.qr_id}`
    for (const field of ['contact_phone', 'emergency_contact_phone']) {
      const fields = { contact_phone: '98765 43210', [field]: '5555555555' }
      for (const [path, signedIn] of [
        [claim, false],
        ['/dashboard/qr', true],
      ] as const) {
        const { status, html } = await submit(path, fields, signedIn)
        expect([path, status]).toEqual([path, 400])
        expect(html).toContain(`name="${field}_anyway"`)
        expect(html).toContain(signedIn ? LOOK : 'यह भारत का नंबर नहीं लगता')
      }
    }
    const anyway = { contact_phone: '5555555555', contact_phone_anyway: '1' }
    expect((await submit(claim, anyway, false)).status).toBe(303)
  })
})

test('a login finds the account by any spelling of its number, one of before included', async () => {
  const { signUp, ask } = await openTestApp()
  const mobiles = {
    '+919814012345': ['9814012345', '०९८१४०१२३४५', '+91 98140-12345', '0091.98140/12345'],
    '+6581234567': ['+65 8123 4567', '0065 81234567'],
    '+912025501234': ['020-2550 1234', '2025501234'],
    '+14155552671': ['+1 (415) 555-2671', '14155552671'],
    '5555555555': ['55555 55555', '+91 5555555555'],
  }
  for (const [mobile, spellings] of Object.entries(mobiles)) {
    const { id } = await signUp({ mobile })
    for (const contact of spellings) {
      const json = { contact, password: PASSWORD }
      const answer = await ask('POST', '/api/auth/login', { json })
      expect([contact, answer.status, (await answer.json()).user?.id]).toEqual([contact, 200, id])
    }
  }
})

test('the migration reads old numbers, and leaves those that fit no country', async () => {
  const { db, signUp } = await openTestApp()
  const { id } = await signUp()
  const typed = ['+919876543210', '2025501234', '(415) 555-2671', '1800 425 3800']
  for (const contact_phone of typed) {
    await insertCode(db, id, { contact_phone, contact_number: null })
  }
  await fill(queryOn(db))
  const codes = await db
    .selectFrom('qr_codes')
    .select(['contact_phone', 'contact_number'])
    .execute()
  const read = codes.map(({ contact_phone, contact_number }) => [
    contact_phone,
    contact_number && JSON.parse(contact_number).e164,
  ])
  expect(Object.fromEntries(read)).toEqual({
    '+919876543210': '+919876543210',
    '2025501234': '+912025501234',
    '(415) 555-2671': null,
    '1800 425 3800': '+9118004253800',
  })
})
