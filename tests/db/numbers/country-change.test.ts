import { expect, test } from 'vitest'
import { listUnreadMobiles, listUnreadNumbers } from '#db/admin/inspection.ts'
import { readNumbersAgain } from '#db/numbers/country-change.ts'
import { dialIn } from '#domain/accounts/country.ts'
import { toStoredPhone } from '#domain/accounts/phone.ts'
import { phoneColumns } from '#domain/codes/phones.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { race } from '#tests/support/races.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'

/** A server that began in India, with numbers of Germany that people used anyway. */
async function openIndianServer() {
  const app = await openTestApp()
  const { db, signUp, ask } = app
  const owner = await signUp({ mobile: '015123456789' })
  const add = async (contact_phone: string, isOld = false) => {
    const read = isOld ? () => undefined : toStoredPhone
    const columns = phoneColumns({ contact_phone, emergency_contact_phone: contact_phone }, read)
    const texts = { contact_phone, emergency_contact_phone: contact_phone }
    return (await insertCode(db, owner.id, { ...texts, ...columns })).qr_id
  }
  const callOf = async (qrId: string) => {
    const html = await (await ask('GET', `/scan/${qrId}`)).text()
    return [...html.matchAll(/href="(tel:(?!112")[^"]*)/g)].map(([, href]) => href)
  }
  return { ...app, owner, add, callOf }
}

test('another COUNTRY places the numbers that fitted none, once for all servers, and no others', async () => {
  const { db, add, callOf } = await openIndianServer()
  const german = await add('0151 23456789')
  const old = await add('(030) 123456', true)
  const none = await add('5555555555', true)
  // Fits both countries.
  const indian = await add('098765 43210')
  const before = await callOf(indian)
  expect(await callOf(german)).toEqual(['tel:015123456789', 'tel:015123456789'])
  const { won } = await race(() => readNumbersAgain(db, 'DE'))
  // Both numbers of two codes, and that of the owner.
  expect(won.reduce((sum: number, placed) => sum + (placed ?? 0), 0)).toBe(5)
  expect(await readNumbersAgain(db, 'DE')).toBeUndefined()
  expect(await callOf(german)).toEqual(['tel:+4915123456789', 'tel:+4915123456789'])
  expect(await callOf(old)).toEqual(['tel:+4930123456', 'tel:+4930123456'])
  expect([before[0], await callOf(indian)]).toEqual(['tel:+919876543210', before])
  expect(await listUnreadNumbers(db)).toEqual([none])
  // Back again, nothing is taken away.
  expect(await readNumbersAgain(db, 'IN')).toBe(0)
  expect(await callOf(german)).toEqual(['tel:+4915123456789', 'tel:+4915123456789'])
})

test('a mobile number that another account has too stays as it was typed, and doctor names its account', async () => {
  const { db, signUp } = await openIndianServer()
  const taken = await signUp({ email: 'asha@example.in', mobile: '03012345678' })
  await signUp({ mobile: '+493012345678' })
  await signUp({ mobile: '+919876543210' })
  expect(await readNumbersAgain(db, 'DE')).toBe(1)
  const accounts = await db.selectFrom('accounts').select('mobile').orderBy('mobile').execute()
  expect(accounts.map(({ mobile }) => mobile)).toEqual([
    '+4915123456789',
    '+493012345678',
    '+919876543210',
    '03012345678',
  ])
  expect(await listUnreadMobiles(db)).toEqual([taken.email])
})

test('an edit in another COUNTRY keeps a number that stays, and reads one that is new', async () => {
  const { add, callOf, ask, owner } = await openIndianServer()
  const qrId = await add('098765 43210')
  dialIn('DE')
  const edit = async (json: object) => {
    const answer = await ask('PUT', `/api/qr/${qrId}`, { as: owner, json })
    expect([json, answer.status]).toEqual([json, 200])
  }
  await edit({ owner_name: 'Asha', contact_phone: '098765 43210' })
  expect(await callOf(qrId)).toEqual(['tel:+919876543210', 'tel:+919876543210'])
  const page = await ask('GET', '/dashboard', { headers: { Cookie: owner.cookie } })
  expect(await page.text()).toContain('+91 98765 43210')
  await edit({ contact_phone: '0151 23456789' })
  expect(await callOf(qrId)).toEqual(['tel:+4915123456789', 'tel:+919876543210'])
})

test('in another COUNTRY the lists of admins, the share of a number and a report show it as it was read', async () => {
  const { db, add, ask, browse, owner, signUp } = await openIndianServer()
  const admin = await signUp({ role: 'super_admin' })
  const qr_id = await add('098765 43210')
  const { id } = await insertConversation(db, { account_id: owner.id, qr_id })
  dialIn('DE')
  const list = await browse('GET', '/admin?tab=qr-codes', undefined, admin)
  expect(list.html).toContain('+91 98765 43210')
  const dialog = `/dashboard?tab=messages&conversation=${id}&number=1`
  expect((await browse('GET', dialog, undefined, owner)).html).toContain('+91 98765 43210')
  const json = { reason: 'spam' }
  expect((await ask('POST', `/api/scan/${qr_id}/report`, { json })).status).toBe(201)
  const { snapshot } = await db.selectFrom('reports').select('snapshot').executeTakeFirstOrThrow()
  expect(JSON.parse(snapshot).fields).toMatchObject({
    contact_phone: '+91 98765 43210',
    emergency_contact_phone: '+91 98765 43210',
  })
})

test('a search finds a number with the prefix of the server’s country, however it is stored', async () => {
  const { add, ask, owner } = await openIndianServer()
  dialIn('DE')
  const qrId = await add('0151 23456789')
  for (const typed of ['+49 151 2345', '0151 2345', '151-23456789']) {
    const query = new URLSearchParams({ search: typed })
    const found = await (await ask('GET', `/api/qr/my-qrs?${query}`, { as: owner })).json()
    expect([typed, found.map((code: { qr_id: string }) => code.qr_id)]).toEqual([typed, [qrId]])
  }
})
