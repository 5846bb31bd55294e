import { mkdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { PassThrough, Readable, Writable } from 'node:stream'
import { afterEach } from 'vitest'
import { readConfig } from '#config.ts'
import { insertAccount, type NewAccount } from '#db/accounts/accounts.ts'
import { openEngine } from '#db/open-engine.ts'
import type { Account } from '#db/schema.ts'
import { type Database, openDatabase } from '#db/sqlite/database.ts'
import { switchPlans } from '#domain/plans/offer.ts'
import { runCommandLine } from '#scripts/_program.ts'
import type { Input, Output } from '#scripts/_terminal.ts'
import { fillDataFolder } from '#tests/support/folders.ts'
import { isOnPostgres, takeDatabase } from '#tests/support/postgres.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'
import { storageSettings } from '#tests/support/storage.ts'

export const NOW = new Date('2026-11-20T10:00:00.000Z')

const folders: string[] = []
const databases: ReturnType<typeof takeDatabase>[] = []

afterEach(async () => {
  switchPlans(true)
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true })
  for (const taken of databases.splice(0)) await (await taken).giveBack()
})

/** A new folder that is removed after the test. */
export function temporaryFolder(): string {
  const folder = makeQuickFolder()
  folders.push(folder)
  return folder
}

type Opened = Pick<Database, 'db' | 'connection'>

type Run = {
  stdin?: string
  /** lines typed at a terminal, each at the next prompt */
  typed?: string[]
  env?: Record<string, string>
  now?: Date
  isTerminal?: boolean
}

/** A data folder that the first command has to make. */
export const missingFolder = () => join(temporaryFolder(), 'data')

/** One as the first command leaves it: without its migration, which takes longer than most commands. */
function preparedFolder(): string {
  const folder = missingFolder()
  // The database is migrated already, and the folder may still become one on SQLite.
  if (isOnPostgres()) return folder
  mkdirSync(folder, { mode: 0o700 })
  return fillDataFolder(folder)
}

/** Runs commands in this process, by default on an empty installation. */
export function openCommandLine(dataDir = preparedFolder()) {
  let taken: ReturnType<typeof takeDatabase> | undefined

  /** The settings without which a run on PostgreSQL would be one on SQLite. */
  async function settings(): Promise<Record<string, string>> {
    const storage = await storageSettings(dataDir)
    if (!isOnPostgres()) return { DATA_DIR: dataDir, ...storage }
    if (!taken) {
      taken = takeDatabase()
      databases.push(taken)
    }
    return { DATA_DIR: dataDir, DATABASE_URL: (await taken).url, ...storage }
  }

  async function run(args: string[], { stdin = '', typed, env, now = NOW, isTerminal }: Run = {}) {
    const out = collect(isTerminal)
    const err = collect(isTerminal)
    const input = typed ? keyboard(typed, err.stream) : Readable.from([Buffer.from(stdin)])
    const own = await settings()
    const code = await runCommandLine(args, {
      terminal: { in: input, out: out.stream, err: err.stream },
      clock: () => now,
      readConfig: (instead) => readConfig({ ...own, ...env, ...instead }),
    })
    return { code, out: out.text(), err: err.text() }
  }

  /** The parsed answer of a command with --json. */
  async function json(args: string[], options: Run = {}) {
    const { code, out, err } = await run([...args, '--json'], options)
    if (code !== 0) throw new Error(err)
    return JSON.parse(out)
  }

  /** Opens the database as a running server would. */
  async function withDatabase<T>(work: (database: Opened) => Promise<T>): Promise<T> {
    const config = readConfig(await settings())
    if (!isOnPostgres()) {
      const database = await openDatabase(dataDir)
      return work(database).finally(database.close)
    }
    const engine = await openEngine(config)
    // A test that asks for the connection is about SQLite.
    const opened = { db: await engine.queries(), connection: undefined as never }
    return work(opened).finally(engine.close)
  }

  const addAccount = (account: Partial<NewAccount> = {}, now = NOW): Promise<Account> => {
    const row = {
      name: 'Asha Patil',
      email: 'asha@example.in',
      email_verified_at: account.email === null ? null : now.toISOString(),
      password_hash: null,
      ...account,
    }
    return withDatabase(({ db }) => insertAccount(db, row, now))
  }

  const listAudit = () =>
    withDatabase(({ db }) => db.selectFrom('audit_events').selectAll().execute())

  return { dataDir, settings, run, json, withDatabase, addAccount, listAudit }
}

function collect(isTTY = false) {
  const chunks: Buffer[] = []
  const stream: Output = new Writable({
    write(chunk, _encoding, done) {
      chunks.push(Buffer.from(chunk))
      done()
    },
  })
  stream.isTTY = isTTY
  return { stream, text: () => Buffer.concat(chunks).toString() }
}

/** Answers prompts without echo, like a terminal in raw mode. */
function keyboard(lines: string[], prompts: Output): Input {
  const keys = Object.assign(new PassThrough(), { isTTY: true, setRawMode: () => keys })
  const left = [...lines]
  const write = prompts._write.bind(prompts)
  prompts._write = (chunk, encoding, done) => {
    write(chunk, encoding, done)
    if (String(chunk).endsWith(': ')) setImmediate(() => keys.write(`${left.shift()}\r`))
  }
  return keys
}
