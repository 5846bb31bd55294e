import { expect, test } from 'vitest'
import { getAccount } from '#db/accounts/accounts.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { browserOf } from '#tests/support/browser.ts'
import { registeredChild, signInChild } from '#tests/support/families.ts'
import { raceStatuses } from '#tests/support/races.ts'
import { insertConversation } from '#tests/support/stored-conversations.ts'
import { fileForm, PDF } from '#tests/support/uploads.ts'

const EMAIL = 'gurleen@example.in'
const LEAVE = '/api/account/leave-family'

/** A child user with a document and a conversation; the address is proven unless it says otherwise. */
async function openChild({ isProven = true } = {}) {
  const app = await openTestApp(WITH_MAIL)
  const parent = await app.signUp()
  const contact = { kind: 'email', email: EMAIL } as const
  const code = await registeredChild(app, parent.id, { contact })
  const id = code.child_account_id ?? ''
  const email_verified_at = isProven ? app.deps.clock().toISOString() : null
  await app.db.updateTable('accounts').set({ email_verified_at }).where('id', '=', id).execute()
  const child = await signInChild(app, code)
  const body = fileForm(PDF, { document_type: 'puc' })
  await app.ask('POST', `/api/documents/upload/${code.qr_id}`, { as: child, body })
  await insertConversation(app.db, { account_id: id, qr_id: code.qr_id })
  const account = () => getAccount(app.db, id)
  const leave = () => app.ask('POST', LEAVE, { as: child })
  const stored = () =>
    app.db.selectFrom('qr_codes').selectAll().where('id', '=', code.id).executeTakeFirstOrThrow()
  return { ...app, parent, code, child, account, leave, stored }
}

test('a child user with a proven address leaves: the account stands alone, the code is empty', async () => {
  const app = await openChild()
  expect((await app.leave()).status).toBe(200)
  expect((await app.account()).parent_id).toBeNull()
  expect(await app.stored()).toMatchObject({
    owner_id: app.parent.id,
    child_account_id: null,
    is_child_registered: 0,
    is_claimed: 0,
    owner_name: null,
    email: null,
    emergency_contact_phone: null,
  })
  expect(await app.db.selectFrom('documents').selectAll().execute()).toEqual([])
  const { conversations } = await (
    await app.ask('GET', '/api/conversations', { as: app.child })
  ).json()
  expect(conversations).toHaveLength(1)
  const ofParent = await app.ask('GET', '/api/conversations', { as: app.parent })
  expect((await ofParent.json()).conversations).toEqual([])
  await app.sender.settled()
  expect(app.mails.at(-1)).toMatchObject({ to: app.parent.email, subject: 'A child user has left' })
})

test('a child user whose address nobody proved does not leave, and reads how to', async () => {
  const app = await openChild({ isProven: false })
  const refused = await app.leave()
  const detail = 'Please verify your email first: log in with a one-time code'
  expect([refused.status, await refused.json()]).toEqual([403, { detail }])
  expect((await app.account()).parent_id).toBe(app.parent.id)
  expect(await browserOf(app, app.child).read('/settings/profile')).toContain(
    'To leave, verify your email first',
  )
})

test('the form on the profile leaves too, also when it is sent again, and is gone then', async () => {
  const app = await openChild()
  const { read, submit } = browserOf(app, app.child)
  expect(await read('/settings/profile')).toContain('Leave the family')
  expect(await read('/settings/profile')).not.toContain('action="/settings/profile/leave-family"')
  const asked = await read('/settings/profile?leave=1')
  expect(asked).toContain('The code goes back to its owner, empty')
  expect(asked).toContain('action="/settings/profile/leave-family"')
  for (const _ of [1, 2]) {
    const { to } = await submit('/settings/profile/leave-family')
    expect(to).toBe('/settings/profile?done=left-family')
  }
  expect(await read('/settings/profile')).not.toContain('Leave the family')
})

test('twenty times at once empties the code once, which a new child user registers', async () => {
  const app = await openChild()
  expect(await raceStatuses(app.leave)).toEqual({ 200: 20 })
  await app.sender.settled()
  expect(app.mails.filter(({ to }) => to === app.parent.email)).toHaveLength(1)
  const json = { qr_id: app.code.qr_id, name: 'Amrit', contact: '9814012399' }
  const sent = { ...json, contact_type: 'mobile', password: 'first horse', adult: true }
  expect((await app.ask('POST', '/api/qr/child-register', { json: sent })).status).toBe(201)
})
