import { expect, test } from 'vitest'
import { noteNewEmail } from '#db/accounts/email-changes.ts'
import { fill } from '#db/migrations/028-address-hosts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { newCaller } from '#tests/support/callers.ts'
import { insertCode } from '#tests/support/codes.ts'
import { queryOn } from '#tests/support/migrations.ts'

const TYPED = 'ravi@उदाहरण.भारत'
const FORM = 'ravi@xn--p1b6ci4b4b3a.xn--h2brj9c'

test('addresses from before have their domains as name servers know them, wherever they are compared', async () => {
  const { db, signUp, deps } = await openTestApp()
  const now = deps.clock()
  const { id } = await signUp({ email: TYPED })
  await signUp({ email: 'asha@example.in' })
  const { qr_id } = await insertCode(db, id, { claim_email: TYPED })
  const caller = await newCaller({ deps }, id)
  await noteNewEmail(db, caller, TYPED, () => true, now)
  await fill(queryOn(db))
  // A second run changes nothing.
  await fill(queryOn(db))
  const emails = await db.selectFrom('accounts').select('email').orderBy('email').execute()
  expect(emails).toEqual([{ email: 'asha@example.in' }, { email: FORM }])
  const code = db.selectFrom('qr_codes').select('claim_email').where('qr_id', '=', qr_id)
  expect(await code.executeTakeFirst()).toEqual({ claim_email: FORM })
  expect(await db.selectFrom('new_emails').select('email').execute()).toEqual([{ email: FORM }])
})

test('an address stays as it is while another account has it in the new form', async () => {
  const { db, signUp } = await openTestApp()
  const { id } = await signUp({ email: TYPED })
  await signUp({ email: FORM })
  await fill(queryOn(db))
  const kept = db.selectFrom('accounts').select('email').where('id', '=', id)
  expect(await kept.executeTakeFirst()).toEqual({ email: TYPED })
})
