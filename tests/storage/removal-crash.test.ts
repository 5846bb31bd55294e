// @module-tag slow
import { expect, test } from 'vitest'
import { listStoredNames } from '#db/stored-files.ts'
import { openFileStore } from '#storage/files.ts'
import { openFolder } from '#tests/support/crash-steps.ts'
import { runMortal } from '#tests/support/mortal.ts'
import { openPlace, type Place } from '#tests/support/shared-database.ts'
import { filesOn } from '#tests/support/storage.ts'

async function openWithDeletion() {
  const { place, remove } = await openFolder({ withDocument: true })
  const { db, close } = await openPlace(place)
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const at = new Date(0).toISOString()
  const row = { account_id: id, token_hash: 'hash', is_active: 1 } as const
  await db
    .insertInto('account_deletions')
    .values({ ...row, asked_at: at, ends_at: at })
    .execute()
  await close()
  return { place, remove }
}

function removeAccounts(place: Place, kind = '', nth = 0): Promise<string> {
  return runMortal('remover', [...place, kind, String(nth)])
}

test.each([
  ['commit', 1],
  ['commit', 4],
  ['commit', 7],
  ['commit', 10],
  ['commit', 15],
  ['files', 1],
])('a removal that is killed before %s %i is finished by the next start', async (kind, nth) => {
  const { place, remove } = await openWithDeletion()
  const [dataDir] = place
  expect(await removeAccounts(place, kind, nth)).toBe('')
  expect(await removeAccounts(place)).toBe('survived')
  const { db, close } = await openPlace(place)
  for (const table of ['accounts', 'qr_codes', 'documents', 'account_deletions'] as const) {
    expect([table, await db.selectFrom(table).selectAll().execute()]).toEqual([table, []])
  }
  await openFileStore(dataDir).sweep(() => listStoredNames(db), new Date(Date.now() + 7_200_000))
  const left = filesOn('folder', dataDir)
  await close()
  await remove()
  expect(left).toEqual({ stored: [], incoming: [] })
})
