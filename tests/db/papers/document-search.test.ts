import { expect } from 'vitest'
import { searchDocuments } from '#db/papers/document-search.ts'
import { openTestApp } from '#tests/support/app.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { plansOf } from '#tests/support/query-plans.ts'

testOnSqlite('documents are searched for on the codes of one account alone', async () => {
  const { db, connection, signUp } = await openTestApp()
  const owner = await signUp()
  const page = { search: 'kulkarni', type: undefined, limit: 20, offset: 0 }
  const plans = await plansOf(connection, () => searchDocuments(db, owner, page))
  expect(plans.flat().join()).not.toMatch(/SCAN (?:qr_codes|documents)/)
})
