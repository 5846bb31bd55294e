import examples from 'libphonenumber-js/examples.mobile.json' with { type: 'json' }
import { getCountries, getExampleNumber } from 'libphonenumber-js/max'
import { describe, expect, test } from 'vitest'
import { dialIn } from '#domain/accounts/country.ts'
import type { Phone } from '#domain/accounts/phone.ts'
import { openTestApp, PASSWORD, QUICK_HASH } from '#tests/support/app.ts'
import { fileForm } from '#tests/support/uploads.ts'

const HEAD = 'owner_name,contact_phone\n'

/** A server in a country, whose owner types numbers in every way that there is. */
async function openServer(COUNTRY: string) {
  const app = await openTestApp({ env: { COUNTRY, RATE_LIMITS: 'off' } })
  const as = await app.signUp({ subscription_plan: 'enterprise' })
  const stored = async (): Promise<(Phone | undefined)[]> => {
    const codes = await app.db.selectFrom('qr_codes').select('contact_number').execute()
    await app.db.deleteFrom('qr_codes').execute()
    return codes.map(({ contact_number }) => contact_number && JSON.parse(contact_number))
  }
  const byApi = async (contact_phone: string, more: object = {}) => {
    const json = { owner_name: 'Asha Patil', contact_phone, ...more }
    const answer = await app.ask('POST', '/api/qr/create', { as, json })
    return { status: answer.status, body: await answer.json() }
  }
  const byForm = async (contact_phone: string, path = '/dashboard/qr', language = 'en') => {
    const body = new URLSearchParams({ owner_name: 'Asha Patil', contact_phone })
    const headers = {
      'Accept-Language': language,
      'Sec-Fetch-Site': 'same-origin',
      Cookie: as.cookie,
    }
    const answer = await app.ask('POST', path, { body, headers })
    return { status: answer.status, html: await answer.text() }
  }
  const byTable = async (numbers: string[]) => {
    const table = HEAD + numbers.map((number) => `Asha Patil,${number}\n`).join('')
    const body = fileForm(Buffer.from(table), {}, 'fleet.csv')
    const { created_count, errors } = await (
      await app.ask('POST', '/api/qr/import', { as, body })
    ).json()
    return { created_count, errors }
  }
  const logIn = async (contact: string) => {
    const json = { contact, password: PASSWORD }
    const answer = await app.ask('POST', '/api/auth/login', { json })
    return (await answer.json()).user?.id
  }
  return { ...app, as, stored, byApi, byForm, byTable, logIn }
}

/** Numbers as people write them in their country, each with the links that a finder gets. */
type Written = [typed: string, ...links: string[]][]

const chats = (e164: string) => [`tel:+${e164}`, `https://wa.me/${e164}`, `sms:+${e164}`]

/** A mobile number, a landline, a toll-free number and a line of each country. */
const WRITTEN: Record<string, Written> = {
  IN: [
    ['98765-43210', ...chats('919876543210')],
    ['080 2222 3333', 'tel:+918022223333'],
    ['1860-500-1234', 'tel:18605001234'],
    ['1033', 'tel:1033'],
  ],
  US: [
    // One plan for both kinds.
    ['(201) 555-0123', ...chats('12015550123')],
    ['1-800-555-1234', 'tel:8005551234'],
    ['911', 'tel:911'],
  ],
  GB: [
    ['07400 123456', ...chats('447400123456')],
    ['020 7946 0000', 'tel:+442079460000'],
    ['0800 123 4567', 'tel:08001234567'],
    ['999', 'tel:999'],
  ],
  DE: [
    ['0151/23456789', ...chats('4915123456789')],
    ['(030) 123456', 'tel:+4930123456'],
    ['0800 1234567', 'tel:08001234567'],
    ['110', 'tel:110'],
  ],
  FR: [
    ['06.12.34.56.78', ...chats('33612345678')],
    ['01 23 45 67 89', 'tel:+33123456789'],
    ['0 801 23 45 67', 'tel:0801234567'],
    ['15', 'tel:15'],
  ],
  SG: [
    ['8123 4567', ...chats('6581234567')],
    ['6123 4567', 'tel:+6561234567'],
    ['1800 123 4567', 'tel:18001234567'],
    ['995', 'tel:995'],
  ],
  NO: [
    ['406 12 345', ...chats('4740612345')],
    ['21 23 45 67', 'tel:+4721234567'],
    ['800 12 345', 'tel:80012345'],
    ['113', 'tel:113'],
  ],
  IS: [
    ['611 1234', ...chats('3546111234')],
    ['410 1234', 'tel:+3544101234'],
    ['800 1234', 'tel:8001234'],
    ['1717', 'tel:1717'],
  ],
  AU: [
    ['0412 345 678', ...chats('61412345678')],
    ['(02) 1234 5678', 'tel:+61212345678'],
    ['1800 123 456', 'tel:1800123456'],
    ['000', 'tel:000'],
  ],
  AE: [
    ['050 123 4567', ...chats('971501234567')],
    ['02 234 5678', 'tel:+97122345678'],
    ['800 123456', 'tel:800123456'],
    ['998', 'tel:998'],
  ],
}

describe.each(Object.entries(WRITTEN))('on a server in %s', (country, numbers) => {
  test('numbers without + are its own, by the API, a form and a table', async () => {
    const { byApi, byForm, byTable, stored, ask } = await openServer(country)
    for (const [typed, ...links] of numbers) {
      const { status, body } = await byApi(typed)
      expect([typed, status]).toEqual([typed, 201])
      const html = await (await ask('GET', `/scan/${body.qr_id}`)).text()
      const ways = html.matchAll(/href="((?:tel:|sms:|https:\/\/wa\.me\/)[^"?]*)/g)
      expect([...ways].map(([, href]) => href)).toEqual(links)
      expect([typed, (await byForm(typed)).status]).toEqual([typed, 303])
      const [first, second] = await stored()
      expect(second).toEqual(first)
      expect(await byTable([typed])).toEqual({ created_count: 1 })
      expect(await stored()).toEqual([first])
    }
  })

  test('an account logs in with any spelling of its number', async () => {
    const { signUp, logIn } = await openServer(country)
    const [[typed, call = '']] = numbers as [Written[number]]
    const mobile = call.replace('tel:', '')
    const { id } = await signUp({ mobile })
    const spellings = [
      typed,
      typed.replace(/\D/g, ''),
      mobile,
      mobile.replace('+', '00'),
      mobile.replace('+', '00 ').replace(/(\d{4})$/, '/$1'),
      `\u202a${mobile.replace('+', '+\u00ad')}\u202c`,
      typed.replace(/\d/g, (digit) => '०१२३४५६७८९'.charAt(Number(digit))),
      typed.replace(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit))),
    ]
    for (const contact of spellings) {
      expect([contact, await logIn(contact)]).toEqual([contact, id])
    }
  })
})

describe('a number that the server’s country does not have', () => {
  test.each([
    ['DE', 'Germany', '98765 43210'],
    ['US', 'the United States', '98765 43210'],
    ['SG', 'Singapore', '0091/98765 4321'],
  ])('in %s is refused with its name, and taken anyway', async (country, name, typed) => {
    const { byApi, byForm, byTable, ask } = await openServer(country)
    const detail = `This does not look like a number in ${name}. Use it anyway?`
    expect(await byApi(typed)).toEqual({ status: 400, body: { detail, anyway: true } })
    expect((await byForm(typed)).html).toContain(detail)
    expect((await byTable([typed])).errors[0].detail).toContain(detail)
    const { body } = await byApi(typed, { contact_phone_anyway: true })
    const html = await (await ask('GET', `/scan/${body.qr_id}`)).text()
    expect(html).not.toMatch(/wa\.me|sms:/)
  })

  test('of twelve digits is not taken for one from abroad', async () => {
    const { byApi } = await openServer('DE')
    const detail = 'This does not look like a number in Germany. Begin a number from abroad with +'
    expect((await byApi('919876543210')).body).toEqual({ detail, anyway: true })
    expect((await byApi('+919876543210')).status).toBe(201)
  })
})

describe('every country', () => {
  const numbers = getCountries().map((country) => {
    const example = getExampleNumber(country, examples)
    return { country, e164: example?.number ?? '', typed: example?.formatNational() ?? '' }
  })

  test('has numbers that a table brings', async () => {
    const { byTable, stored } = await openServer('IN')
    expect(numbers.length).toBeGreaterThanOrEqual(245)
    const { created_count } = await byTable(numbers.map(({ e164 }) => e164))
    expect(created_count).toBe(numbers.length)
    const e164s = (await stored()).map((phone) => phone?.e164)
    expect(e164s.sort()).toEqual(numbers.map(({ e164 }) => e164).sort())
  })

  test('may be the server’s, for the API, forms, tables and logins', {
    tags: 'slow',
    timeout: 240_000,
  }, async () => {
    const { byApi, byForm, byTable, stored, signUp, logIn, db } = await openServer('IN')
    for (const { country, e164, typed } of numbers) {
      dialIn(country)
      expect([country, (await byApi(typed)).status]).toEqual([country, 201])
      expect([country, (await byForm(typed)).status]).toEqual([country, 303])
      expect([country, (await byTable([typed])).created_count]).toEqual([country, 1])
      const read = (await stored()).map((phone) => phone?.e164)
      expect([country, ...read]).toEqual([country, e164, e164, e164])
      const { id } = await signUp({ mobile: e164, password_hash: QUICK_HASH })
      expect([country, await logIn(typed)]).toEqual([country, id])
      // Some countries share their numbers.
      await db.deleteFrom('accounts').where('id', '=', id).execute()
    }
  })
})
