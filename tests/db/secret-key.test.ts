import { execFile } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { expect, onTestFinished, test } from 'vitest'
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

test('two servers that start on an empty folder at once have one key and one id', async () => {
  const folders = Array.from({ length: 200 }, () => mkdtempSync(join(tmpdir(), 'driveqr-key-')))
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })
  // Long enough for both to be running.
  const start = String(Date.now() + 2_500)
  const load = async () => {
    const args = ['tests/support/key-loader.ts', start, ...folders]
    const { stdout } = await promisify(execFile)(process.execPath, args)
    return JSON.parse(stdout) as string[]
  }
  const [one, other] = await Promise.all([load(), load()])
  expect(one).toEqual(other)
  expect(new Set(one).size).toBe(folders.length)
})

test('a key that was cut off is damaged, and none is made in its place', () => {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-key-'))
  onTestFinished(() => rmSync(folder, { recursive: true }))
  const file = join(folder, 'secret.key')
  writeFileSync(file, 'short')
  expect(() => loadSecretKey(folder)).toThrow('secret.key is damaged')
  expect(readFileSync(file, 'utf8')).toBe('short')
})
