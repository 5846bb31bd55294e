// @module-tag slow
import { expect, test } from 'vitest'
import type { Account } from '#db/schema.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import type { ContactMode } from '#domain/codes/visibility.ts'
import { openTestApp, type TestApp } from '#tests/support/app.ts'
import { readSections } from '#tests/support/authorisation.ts'
import { callOn } from '#tests/support/calls.ts'
import { insertCode } from '#tests/support/codes.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { identify, newAccount, type Principal, send } from '#tests/support/principals.ts'
import { thingsOf } from '#tests/support/things.ts'

const PHONE = '+917045512368'
const EMAIL = 'hidden.owner@secret.example'
const SURNAME = 'Hiddenname'
const CITY = 'Hiddentown'
const VEHICLE = { vehicle_make_model: 'Hiddencar', company_fleet_name: 'Hiddenfleet' }
const PLATE = 'KA05MN7310'

const CONTACT = {
  owner_name: `Ramesh ${SURNAME}`,
  contact_phone: PHONE,
  email: EMAIL,
  city_area: CITY,
  ...VEHICLE,
  vehicle_registration: PLATE,
}
/** Those who must not see it. Admins administer the codes of others. */
const STRANGERS: Principal[] = ['anonymous', 'enterprise', 'moderator']

/** However a page, a link or a file spaces and encodes it. */
const SECRETS: Record<string, RegExp> = {
  phone: /7045512368/,
  email: /hidden\.owner|secret\.example/i,
  surname: new RegExp(SURNAME, 'i'),
  city: new RegExp(CITY, 'i'),
  vehicle: /hiddencar|hiddenfleet/i,
  plate: new RegExp(PLATE),
}

function secretsIn(text: string): string[] {
  const decoded = text.replace(/(?:%[0-9a-f]{2})+/gi, (escapes) => {
    return Buffer.from(escapes.replaceAll('%', ''), 'hex').toString()
  })
  const dense = decoded.replaceAll(/[\s\-+()]|&nbsp;/g, '')
  return Object.keys(SECRETS).filter((name) => SECRETS[name]?.test(dense))
}

/** An application without rate limits, whose mails are kept. */
function openMailing() {
  return openTestApp({
    env: { RATE_LIMITS: 'off', SMTP_URL: 'smtp://127.0.0.1:25', TEST_MODE: '1' },
  })
}

type Chosen = { contact_mode: ContactMode; show_vehicle: 0 | 1; show_city: 0 | 1 }

/** Returns the calls that tell strangers something of this owner's codes, each with the leaked facts. */
async function findLeaks(
  strangers: Principal[],
  chosen: Chosen,
  isAsked = (_call: string) => true,
): Promise<Record<string, string[]>> {
  const leaks: Record<string, string[]> = {}
  for (const who of strangers) {
    const app = await openMailing()
    const owner = await newAccount(app, 'premium')
    for (const { rows } of readSections()) {
      for (const { call } of rows.filter((row) => isAsked(row.call))) {
        const learned = await learn(app, { owner, who, call, chosen })
        if (learned.length > 0) leaks[call] = [...new Set([...(leaks[call] ?? []), ...learned])]
      }
    }
    const logged = secretsIn(app.logged.join('\n'))
    if (logged.length > 0) leaks.log = logged
    // People who help the owner may know it.
    const people = await app.db
      .selectFrom('shares')
      .innerJoin('accounts', 'accounts.id', 'shares.person_id')
      .select('accounts.email')
      .where('owner_id', '=', owner.id)
      .execute()
    const may = new Set([owner, ...people].map(({ email }) => email))
    const mailed = app.mails.filter(({ to }) => !may.has(to))
    const inMails = secretsIn(JSON.stringify(mailed))
    if (inMails.length > 0) leaks.mail = inMails
  }
  return leaks
}

async function learn(
  app: TestApp,
  asked: { owner: Account; who: Principal; call: string; chosen: Chosen },
): Promise<string[]> {
  const { owner, who, call, chosen } = asked
  const sent = await callOn(thingsOf(app, owner), call)
  // Those that a claimer holds have no account to write to: they are shown as public.
  await app.db
    .updateTable('qr_codes')
    .set({ ...CONTACT, ...phoneColumns(CONTACT), ...chosen })
    .where('owner_id', '=', owner.id)
    .where('claimed_at', 'is', null)
    .execute()
  const headers = await identify(app, who, await newAccount(app, who), sent.path)
  const answer = await send(app, sent, headers)
  const body = (await bytesOf(answer)).toString('latin1')
  const fields = [...answer.headers].flat().join('\n')
  return secretsIn(`${fields}\n${body}`)
}

/** Returns the whole answer, or the first chunk of an event stream. */
async function bytesOf(answer: Response): Promise<Buffer> {
  const isStream = answer.headers.get('Content-Type') === 'text/event-stream'
  if (!isStream) return Buffer.from(await answer.arrayBuffer())
  const reader = answer.body?.getReader()
  const { value } = (await reader?.read()) ?? {}
  await reader?.cancel()
  return Buffer.from(value ?? '')
}

test('a hidden contact is in no answer, header, mail or log that a stranger can get', async () => {
  const leaks = await findLeaks(STRANGERS, { contact_mode: 'relay', show_vehicle: 0, show_city: 0 })
  // Authorities who stop a vehicle see its plate anyway.
  expect(leaks).toEqual({ 'GET /police/:qr_id': ['plate'] })
})

test('the search finds what is shown, so that it would find what is not hidden', async () => {
  const shown = { contact_mode: 'public', show_vehicle: 1, show_city: 1 } as const
  const leaks = await findLeaks(['anonymous'], shown, (call) => /scan|police/.test(call))
  const all = Object.keys(SECRETS)
  expect(leaks['GET /scan/:qr_id']).toEqual(all)
  expect(leaks['POST /scan/:qr_id']).toEqual(all)
  expect(leaks['GET /api/scan/{qr_id}']).toEqual(all)
  expect(leaks['GET /police/:qr_id']).toEqual(['phone', 'surname', 'plate'])
  expect(leaks['GET /api/documents/{qr_id}/police']).toEqual(['phone', 'surname'])
})

test('a claimer’s number goes into no mail and no log', async () => {
  const app = await openMailing()
  const issuer = await app.signUp()
  const unclaimed = await insertCode(app.db, issuer.id, UNCLAIMED)
  const json = { ...CONTACT, contact_mode: 'relay', qr_id: unclaimed.qr_id }
  expect((await app.ask('POST', '/api/qr/claim', { json })).status).toBe(200)
  expect(app.mails.map(({ to }) => to)).toEqual([EMAIL])
  expect(secretsIn(JSON.stringify(app.mails.map(({ to: _, ...mail }) => mail)))).toEqual([])
  expect(secretsIn(app.logged.join('\n'))).toEqual([])
})
