import { expect, test } from 'vitest'
import { endUnansweredWaits } from '#db/families/unanswered-waits.ts'
import { fill } from '#db/migrations/030-earlier-values.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { CHILD } from '#tests/support/families.ts'
import { queryOn } from '#tests/support/migrations.ts'

test('the end of an old registration without kept fields leaves no field of the child behind', async () => {
  const { db, signUp, deps } = await openTestApp()
  const owner = await signUp()
  const child = await signUp({ parent_id: owner.id, name: 'Meera' })
  const code = await insertCode(db, owner.id, {
    ...CHILD,
    ...{ owner_name: 'Meera', email: 'meera@example.in', vehicle_registration: 'KA01AB1234' },
    ...{ child_account_id: child.id, is_child_registered: 1, is_claimed: 1 },
  })
  const wait = { account_id: child.id, code_id: code.id, asked_at: '2026-11-01T00:00:00.000Z' }
  await db.insertInto('guardian_waits').values(wait).execute()
  await fill(queryOn(db))
  await endUnansweredWaits(db, { now: deps.clock(), contactMode: 'public' })
  const left = await db.selectFrom('qr_codes').selectAll().executeTakeFirstOrThrow()
  expect(left).toMatchObject({
    ...{ owner_name: null, email: null, child_account_id: null, is_child_registered: 0 },
    vehicle_registration: 'KA01AB1234',
  })
})
