/** A process that makes the exports that wait, and is killed just before its nth step of a kind on the disk. */
import fs from 'node:fs'
import promises from 'node:fs/promises'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'
import { SqliteDriver } from 'kysely'
import { pino } from 'pino'
import type { ExportDeps } from '#actions/accounts/exports.ts'

const [dataDir = '', kind = '', nth = '0'] = process.argv.slice(2)
let steps = 0

// biome-ignore lint/suspicious/noExplicitAny: any function of any module
function dieBefore(object: any, method: string, name = method): void {
  const original = object[method]
  object[method] = function (...given: unknown[]) {
    if (name === kind && ++steps === Number(nth)) process.kill(process.pid, 'SIGKILL')
    return original.apply(this, given)
  }
}

const probe = await promises.open('package.json')
dieBefore(Object.getPrototypeOf(probe), 'sync')
await probe.close()
dieBefore(promises, 'rename')
dieBefore(fs, 'writeSync', 'write')
dieBefore(SqliteDriver.prototype, 'commitTransaction', 'commit')
syncBuiltinESMExports()

const { openDatabase } = await import('#db/sqlite/database.ts')
const { makeExports } = await import('#actions/accounts/exports.ts')
const { openFileStore } = await import('#storage/files.ts')
// For the next process: this one may be killed.
flushCompileCache()
const { db } = await openDatabase(dataDir)
const files = openFileStore(dataDir)
const deps = { db, clock: () => new Date(), files, log: pino() }
await makeExports(deps as unknown as ExportDeps)
fs.writeSync(1, 'survived')
process.exit(0)
