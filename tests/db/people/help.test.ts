import { expect, test } from 'vitest'
import { listActs } from '#db/admin/audit-events.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import { listHelp, recordHelp } from '#db/people/help.ts'
import { inTransaction } from '#db/transaction.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { insertPaper } from '#tests/support/papers.ts'
import { insertShare } from '#tests/support/people.ts'

const NOW = new Date('2026-11-29T10:00:00.000Z')

async function openHelp() {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp({ name: 'Meera' })
  const person = await app.signUp({ name: 'Ravi' })
  await insertShare(db, { owner_id: owner.id, person_id: person.id })
  const code = await insertCode(db, owner.id)
  const holder = { id: person.id, shares: await listHeldShares(db, person.id, NOW) }
  const help = (
    by: Parameters<typeof recordHelp>[1],
    about: Partial<Parameters<typeof recordHelp>[2]> = {},
    at = NOW,
  ) => {
    const act = { owner_id: owner.id, action: 'qr_code.edited', subject_type: 'qr_code' as const }
    return inTransaction(db, (trx) =>
      recordHelp(trx, by, { ...act, subject_id: code.id, ...about }, at),
    )
  }
  return { ...app, owner, person, holder, code, help }
}

test('says which person did what with which code, the newest fifty, and admins do not read it', async () => {
  const { db, owner, holder, code, help } = await openHelp()
  const paper = await insertPaper(db, { qr_id: code.qr_id, account_id: owner.id })
  await help(holder)
  const later = new Date(NOW.getTime() + 1000)
  await help(
    holder,
    { action: 'document.added', subject_type: 'document', subject_id: paper.id },
    later,
  )
  expect(await listHelp(db, owner.id)).toMatchObject([
    {
      actor: 'Ravi',
      action: 'document.added',
      qr_id: code.qr_id,
      happened_at: '2026-11-29T10:00:01.000Z',
    },
    { actor: 'Ravi', action: 'qr_code.edited', qr_id: code.qr_id },
  ])
  expect((await listActs(db, { limit: 10, offset: 0 })).total).toBe(0)
  for (let each = 0; each < 50; each++) await help(holder, {}, later)
  expect((await listHelp(db, owner.id)).length).toBe(50)
  await db.deleteFrom('accounts').where('id', '=', holder.id).execute()
  expect(new Set((await listHelp(db, owner.id)).map(({ actor }) => actor))).toEqual(new Set([null]))
})

test('notes nothing for the owner, for a stranger, or for an act that is rolled back', async () => {
  const { db, owner, holder, help } = await openHelp()
  await help({ id: owner.id })
  await help({ id: holder.id })
  await help(holder, { owner_id: holder.id })
  expect(await listHelp(db, owner.id)).toEqual([])
})
