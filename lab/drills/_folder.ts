import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { insertAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { noteBackup } from '#lab/support/fresh-backup.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'
import { insertCode } from '#tests/support/codes.ts'
import { type Launch, type Launched, launch } from '#tests/support/server.ts'

/** A data folder with a signed-in owner and codes, on which no server runs yet. */
export type Folder = {
  dataDir: string
  /** undefined on SQLite, whose database is in the data folder */
  databaseUrl: string | undefined
  accountId: string
  token: string
  cookie: string
  codes: string[]
  /** Other accounts with codes, because one account may send two files at a time. */
  uploaders: Uploader[]
}

export type Uploader = { token: string; codes: string[] }

type Sizes = { codes?: number; uploaders?: number; codesOfUploader?: number; databaseUrl?: string }

export async function makeFolder(
  work: string,
  { codes = 100, uploaders = 8, codesOfUploader = 20, databaseUrl }: Sizes = {},
): Promise<Folder> {
  const dataDir = mkdtempSync(join(work, 'data-'))
  noteBackup(dataDir)
  const { db, close } = await openDatabaseOf({ dataDir, databaseUrl })
  const sessions = createSessions(db, () => new Date())
  const make = async (name: string, count: number) => {
    const now = new Date()
    const person = { name, email: `${name}@example.in`, email_verified_at: now.toISOString() }
    const account = await insertAccount(
      db,
      { ...person, password_hash: null, subscription_plan: 'enterprise' },
      now,
    )
    const made: string[] = []
    for (let i = 0; i < count; i++) made.push((await insertCode(db, account.id)).qr_id)
    const { bearerToken, cookieToken } = await sessions.start(account)
    const cookie = `driveqr=${cookieToken}`
    return { accountId: account.id, token: bearerToken, cookie, codes: made }
  }
  const owner = await make('asha', codes)
  const others: Uploader[] = []
  for (let i = 0; i < uploaders; i++) others.push(await make(`uploader${i}`, codesOfUploader))
  await close()
  return { dataDir, databaseUrl, ...owner, uploaders: others }
}

export function isRunning({ child }: Launched): boolean {
  return child.exitCode === null && child.signalCode === null
}

/** Launches a server without rate limits, which one client would exceed, and waits until it serves. */
export async function serve(given: Launch): Promise<Launched> {
  const server = await launch({ ...given, env: { RATE_LIMITS: 'off', ...given.env } })
  if (await server.serves()) return server
  if (isRunning(server)) server.kill('SIGKILL')
  throw new Error(`The server did not start:\n${server.output()}`)
}

/** Ends a server by SIGTERM, and returns its exit code. */
export async function end({ kill, ended }: Launched): Promise<number | null> {
  kill('SIGTERM')
  return (await ended).code
}

export async function killHard({ kill, ended }: Launched): Promise<void> {
  kill('SIGKILL')
  await ended
}
