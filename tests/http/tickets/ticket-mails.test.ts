import { expect, test } from 'vitest'
import { blockAccount } from '#db/accounts/permission-types.ts'
import { revokeRole } from '#db/accounts/permissions.ts'
import { inTransaction } from '#db/transaction.ts'
import { openTickets } from '#tests/support/tickets.ts'
import { PDF } from '#tests/support/uploads.ts'

const SMTP = {
  SMTP_URL: 'smtp://127.0.0.1:25',
  PUBLIC_URL: 'https://keys.example.in',
  REQUIRE_SECOND_FACTOR: 'none',
}
const SUPPORT = { ...SMTP, SUPPORT_EMAIL: 'help@example.in' }

test('a new ticket is mailed to the support, quoted and without a link of the customer’s', async () => {
  const { open, sent } = await openTickets({ env: SUPPORT })
  const { id } = await open({
    subject: 'See www.evil.com',
    text: 'By 2 mm.\nhttps://evil.com/x <b>now</b>',
  })
  const [mail, ...others] = await sent()
  expect(others).toEqual([])
  expect(mail?.to).toBe('help@example.in')
  expect(mail?.subject).toBe('Ticket 1 · See www. evil. com')
  expect(mail?.text).toBe(`This mail is from DriveQR at keys.example.in.
“Vikram Deshmukh” opened ticket 1: “See www. evil. com”

> By 2 mm.
> https: //evil. com/x <b>now</b>

Read and answer:
https://keys.example.in/admin-dashboard?tab=support&ticket=${id}
`)
  expect(mail?.html).toContain('&lt;b&gt;now')
  expect(mail?.html.match(/href=/g)).toHaveLength(1)
})

test('without an address for it, every admin gets the mail who can be mailed', async () => {
  const { open, write, sent, admin, signUp, db } = await openTickets({ env: SMTP })
  const chief = await signUp({ role: 'super_admin' })
  await signUp({ role: 'moderator' })
  await signUp({ role: 'admin', email_verified_at: null })
  const gone = await signUp({ role: 'admin' })
  await db.updateTable('accounts').set({ is_active: 0 }).where('id', '=', gone.id).execute()
  const { id } = await open()
  expect((await sent()).map(({ to }) => to).sort()).toEqual([admin.email, chief.email].sort())
  // The waiting notice is replaced for all of them.
  for (const text of ['More', 'Even more']) await write(id, text)
  expect(await db.selectFrom('outbox').select('recipient').execute()).toHaveLength(2)
})

test('an answer is mailed to the customer, once in five minutes, with all since', async () => {
  const { open, answer, write, sent, advance, customer } = await openTickets({ env: SUPPORT })
  const { id } = await open()
  await sent()
  await answer(id, 'Which printer is it?')
  const [mail] = await sent()
  expect(mail).toMatchObject({ to: customer.email, subject: 'Ticket 1 · Labels print too low' })
  expect(mail?.text).toContain('The support answered your ticket 1: “Labels print too low”')
  expect(mail?.text).toContain('> Which printer is it?')
  expect(mail?.text).toContain(`https://keys.example.in/settings/support/${id}`)
  await answer(id, 'And which paper?')
  await answer(id, 'Is scaling at 100 %?')
  expect(await sent()).toEqual([])
  advance(300)
  const [late, ...more] = await sent()
  expect(more).toEqual([])
  expect(late?.text).toContain('> And which paper?\n\n> Is scaling at 100 %?')
  expect(late?.text).not.toContain('Which printer')
  // The other side has a time of its own.
  await write(id, 'HP LaserJet')
  const [back] = await sent()
  expect(back?.text).toContain('“Vikram Deshmukh” wrote in ticket 1')
})

test('a mail says that there is an attachment, which it does not carry', async () => {
  const { call, form, TICKET, sent } = await openTickets({ env: SUPPORT })
  const { body } = await call('POST', '', { body: form(PDF, TICKET) })
  const [mail] = await sent()
  expect(mail?.text).toContain('There is an attachment. You find it with the ticket.')
  expect(JSON.stringify(mail)).not.toContain(body.messages[0].attachment.url)
})

test('a blocked account gets none, and its waiting mails are withdrawn', async () => {
  const { open, answer, sent, db, customer, advance } = await openTickets({ env: SUPPORT })
  const { id } = await open()
  await answer(id)
  await sent()
  await answer(id, 'This waits for five minutes.')
  await inTransaction(db, (trx) => blockAccount(trx, undefined, customer.id, new Date()))
  await answer(id, 'This is never mailed.')
  advance(600)
  expect(await sent()).toEqual([])
})

test('a former admin gets none of the waiting mails, and the other admins do', async () => {
  const { open, write, sent, admin, signUp, db, deps, advance } = await openTickets({ env: SMTP })
  const [demoted, blocked] = [await signUp({ role: 'admin' }), await signUp({ role: 'admin' })]
  const { id } = await open()
  await sent()
  await write(id, 'This waits for five minutes.')
  await revokeRole(db, String(demoted.email), deps.clock())
  await inTransaction(db, (trx) => blockAccount(trx, undefined, blocked.id, deps.clock()))
  advance(300)
  expect((await sent()).map(({ to }) => to)).toEqual([admin.email])
})

test('a message that is refused is not mailed', async () => {
  const { open, write, answer, sent } = await openTickets({ env: SUPPORT })
  const { id } = await open()
  await sent()
  await write(id, ' ')
  await answer('none')
  expect(await sent()).toEqual([])
})

test('a waiting mail to the support goes to nobody who only typed its address', async () => {
  const { open, write, sent, signUp, db, ask, deps } = await openTickets({ env: SUPPORT })
  const { id } = await open()
  await sent()
  await write(id, 'My card number is in the attachment')
  const stranger = await signUp({ email: 'help@example.in', email_verified_at: null })
  const askCode = async (as: typeof stranger) => {
    const json = { email: 'x@example.in' }
    expect((await ask('POST', '/api/account/email', { as, json })).status).toBe(200)
    const mails = await sent()
    return mails.at(-1)?.text.match(/\b\d{6}\b/)?.[0]
  }
  const recipients = async () => {
    const rows = await db.selectFrom('outbox').select('recipient').execute()
    return rows.map(({ recipient }) => recipient)
  }
  expect(await recipients()).toEqual(['help@example.in'])
  await inTransaction(db, (trx) => blockAccount(trx, undefined, stranger.id, deps.clock()))
  expect(await recipients()).toEqual(['help@example.in'])
  const thief = await signUp({ email: 'thief@example.in', email_verified_at: null })
  const otp = await askCode(thief)
  await db.deleteFrom('accounts').where('id', '=', stranger.id).execute()
  const typed = { email: 'help@example.in' }
  await db.updateTable('accounts').set(typed).where('id', '=', thief.id).execute()
  await write(id, 'And its pin')
  const verify = { as: thief, json: { otp } }
  expect((await ask('POST', '/api/account/email/verify', verify)).status).toBe(200)
  await sent()
  expect(await recipients()).toEqual(['help@example.in'])
})
