import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { openEngine } from '#db/open-engine.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { makeDataFolder } from '#tests/support/folders.ts'

/** A place whose database was used with a key, which a backup has too. */
async function openUsed() {
  const dataDir = makeDataFolder()
  onTestFinished(() => rmSync(dataDir, { recursive: true, force: true }))
  const { url, close } = await openTestDatabase(dataDir)
  await close()
  const settings = { dataDir, databaseUrl: url, databasePool: 1 }
  const open = async (secretKeyFile?: string) => {
    const engine = await openEngine({ ...settings, secretKeyFile })
    await engine.close()
    return engine.secretKey
  }
  return { dataDir, open, key: await open(), file: join(dataDir, 'secret.key') }
}

test('a server whose key is another one than the database’s is refused, and changes nothing', async () => {
  const { dataDir, open, file, key } = await openUsed()
  const lost = `${file}.lost`
  renameSync(file, lost)
  await expect(open()).rejects.toThrow('secret.key is missing: restore it from a backup')
  expect(existsSync(file)).toBe(false)
  const other = loadSecretKey(dataDir)
  await expect(open()).rejects.toThrow('secret.key is not the key that the database is used with')
  await expect(open(file)).rejects.toThrow(`SECRET_KEY_FILE ${file} is not the key`)
  expect(readFileSync(file)).toEqual(other)
  expect(await open(lost)).toEqual(key)
  rmSync(file)
  renameSync(lost, file)
  expect(await open()).toEqual(key)
})

test('a folder or a device in place of the key’s file is refused, and not read for ever', async () => {
  const { dataDir, open } = await openUsed()
  for (const place of [dataDir, '/dev/random']) {
    await expect(open(place)).rejects.toThrow(`SECRET_KEY_FILE ${place} is no file`)
  }
})

test('servers with folders of their own share a database by the file of its key', async () => {
  const { dataDir, open, file } = await openUsed()
  const shared = join(dataDir, 'shared.key')
  renameSync(file, shared)
  expect(await open(shared)).toEqual(readFileSync(shared))
  expect(existsSync(file)).toBe(false)
})

test('two servers that start on an empty folder at once have one key and one id', async () => {
  const folders = Array.from({ length: 200 }, () => mkdtempSync(join(tmpdir(), 'driveqr-key-')))
  onTestFinished(() => {
    for (const folder of folders) rmSync(folder, { recursive: true })
  })
  const servers = [0, 1].map(() => fork('tests/support/key-loader.ts', folders, { execArgv: [] }))
  onTestFinished(() => {
    for (const server of servers) server.kill()
  })
  const answerOf = async (server: ChildProcess) => {
    // One that fails answers with its exit code.
    const [answer] = await Promise.race([once(server, 'message'), once(server, 'exit')])
    return answer as string[]
  }
  const answers = () => Promise.all(servers.map(answerOf))
  await answers()
  const start = Date.now() + 50
  for (const server of servers) server.send(start)
  const [one, other] = await answers()
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
