import { rmSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { isOwnKey } from '#db/secret-key.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'

test('a key that was made anew is noticed as soon as a PIN needs the old one', async () => {
  const { db, dataDir, signUp } = await openTestApp()
  const key = () => loadSecretKey(dataDir)
  const loseKey = () => rmSync(join(dataDir, 'secret.key'))
  expect(await isOwnKey(db, key())).toBe(true)
  loseKey()
  expect(await isOwnKey(db, key())).toBe(true)
  const { id } = await signUp()
  await insertCode(db, id, { pin_hash: 'a hash' })
  expect(await isOwnKey(db, key())).toBe(true)
  loseKey()
  expect(await isOwnKey(db, key())).toBe(false)
  expect(await isOwnKey(db, key())).toBe(false)
  await db.updateTable('qr_codes').set({ pin_hash: null }).execute()
  expect(await isOwnKey(db, key())).toBe(true)
})
