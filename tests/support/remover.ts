/** A process that removes the accounts whose days are over, and is killed just before its nth step of a kind. */
import fs from 'node:fs'
import { flushCompileCache } from 'node:module'
import { PostgresDriver, SqliteDriver } from 'kysely'
import { pino } from 'pino'
import type { ActionDeps } from '#actions/deps.ts'

const [dataDir = '', databaseUrl = '', kind = '', nth = '0'] = process.argv.slice(2)
let steps = 0

function step(name: string): void {
  if (name === kind && ++steps === Number(nth)) process.kill(process.pid, 'SIGKILL')
}

for (const { prototype } of [SqliteDriver, PostgresDriver]) {
  const commit = prototype.commitTransaction
  prototype.commitTransaction = function (connection) {
    step('commit')
    return commit.call(this, connection)
  }
}

const { openPlace } = await import('#tests/support/shared-database.ts')
const { removeDeleted } = await import('#actions/accounts/deletion.ts')
const { openFileStore } = await import('#storage/files.ts')
const { openOutbox } = await import('#db/outbox.ts')
const { loadSecretKey } = await import('#db/secrets.ts')
// For the next process: this one may be killed.
flushCompileCache()
const { db } = await openPlace([dataDir, databaseUrl])
steps = 0
const stored = openFileStore(dataDir)
const files: typeof stored = {
  ...stored,
  remove: (names) => {
    if (names.length > 0) step('files')
    return stored.remove(names)
  },
}
const clock = () => new Date()
const outbox = openOutbox(db, loadSecretKey(dataDir), clock, false)
const config = { dataDir, publicUrl: 'http://localhost:3000', timezone: 'Asia/Kolkata' }
const log = pino({ enabled: false })
await removeDeleted({ db, clock, config, files, outbox, log } as unknown as ActionDeps)
fs.writeSync(1, 'survived')
process.exit(0)
