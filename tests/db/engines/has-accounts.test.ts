import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { openEngine } from '#db/open-engine.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'

test('an engine knows whether anybody has an account', async () => {
  const database = isOnPostgres() ? await takeDatabase() : undefined
  const at = { dataDir: makeDataFolder(), databaseUrl: database?.url, databasePool: 2 }
  const engine = await openEngine(at)
  onTestFinished(async () => {
    await engine.close()
    await database?.giveBack()
  })
  expect(await engine.hasAccounts()).toBe(false)
  const asha = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  await insertAccount(await engine.queries(), asha, new Date())
  expect(await engine.hasAccounts()).toBe(true)
})
