import { expect } from 'vitest'
import { searchDocuments } from '#db/papers/document-search.ts'
import { openTestApp } from '#tests/support/app.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'

testOnSqlite('a search in documents reads the codes of the account alone', async () => {
  const { db, connection, signUp } = await openTestApp()
  const owner = await signUp()
  const child = await signUp({ parent_id: owner.id })
  for (const viewer of [owner, child]) {
    const page = { search: 'nexon', type: undefined, limit: 20, offset: 0 }
    const plans = await plansOf(connection, () => searchDocuments(db, viewer, page))
    expect(plans.join()).toContain('SEARCH qr_codes USING INDEX qr_codes_by_owner (owner_id=?)')
    expect(plans.join()).not.toContain('SCAN qr_codes')
  }
})
