// @module-tag slow
import { rmSync } from 'node:fs'
import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, onTestFinished, test } from 'vitest'
import { insertAccount } from '#db/accounts/accounts.ts'
import { openEngine } from '#db/open-engine.ts'
import { insertCode } from '#tests/support/codes.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'
import { findPrograms } from '#tests/support/programs.ts'
import { launch } from '#tests/support/server.ts'

/** Longer than the work after a start takes to begin. */
const AFTER_START_MS = 3_000

async function openServer(COUNTRY: string) {
  const dataDir = makeDataFolder()
  const database = isOnPostgres() ? await takeDatabase() : undefined
  const engine = await openEngine({ dataDir, databaseUrl: database?.url, databasePool: 2 })
  const db = await engine.queries()
  const person = { name: 'Asha', email: 'asha@example.in', password_hash: null }
  const owner = await insertAccount(db, person, new Date())
  const { qr_id } = await insertCode(db, owner.id, { emergency_contact_phone: '1033' })
  await engine.close()
  const { server: program } = await findPrograms()
  const server = await launch({
    dataDir,
    program,
    env: {
      COUNTRY,
      NODE_OPTIONS: `--require=${resolve('tests/support/module-spy.cjs')}`,
      ...(database && { DATABASE_URL: database.url }),
    },
  })
  onTestFinished(async () => {
    server.kill('SIGTERM')
    await server.ended
    await database?.giveBack()
    rmSync(dataDir, { recursive: true, force: true })
  })
  expect(await server.serves()).toBe(true)
  const isLoaded = () => server.output().includes('loaded libphonenumber-js')
  return { ...server, qr_id, isLoaded }
}

test.each(['IN', 'DE'])(
  'neither a start in %s nor a scan loads the numbering plans',
  async (country) => {
    const { url, qr_id, isLoaded } = await openServer(country)
    for (const language of ['en-IN', 'de-DE', 'hi']) {
      const headers = { 'Accept-Language': language }
      const html = await (await fetch(`${url}/scan/${qr_id}`, { headers })).text()
      expect(html).toContain('tel:+919876543210')
    }
    await (await fetch(`${url}/api/scan/${qr_id}`)).text()
    await sleep(AFTER_START_MS)
    expect(isLoaded()).toBe(false)
    const body = JSON.stringify({ contact: '98765 43210', password: 'correct horse' })
    const headers = { 'Content-Type': 'application/json' }
    await (await fetch(`${url}/api/auth/login`, { method: 'POST', body, headers })).text()
    expect(isLoaded()).toBe(true)
  },
  120_000,
)
