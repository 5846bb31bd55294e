/**
 * A program that migrates a data folder and kills itself just before its nth statement. It prints
 * `survived` when there are fewer. With `apart` each statement is a separate transaction.
 */
import fs from 'node:fs'
import Sqlite from 'better-sqlite3'
import { openDatabase } from '#db/sqlite/database.ts'

const [dataDir = '', dieBefore = '0', apart] = process.argv.slice(2)
const { prepare, pragma } = Sqlite.prototype
let statements = 0
let isMigrating = false

function step(): void {
  if (isMigrating && ++statements === Number(dieBefore)) process.kill(process.pid, 'SIGKILL')
}

Sqlite.prototype.prepare = function (this: Sqlite.Database, sql: string) {
  isMigrating ||= sql.startsWith('begin')
  step()
  const isBorder = /^(begin|commit)/.test(sql)
  return prepare.call(this, apart && isBorder ? 'select 1' : sql)
} as typeof prepare
Sqlite.prototype.pragma = function (this: Sqlite.Database, ...given) {
  step()
  return pragma.apply(this, given)
} as typeof pragma

await openDatabase(dataDir)
fs.writeSync(1, `survived ${statements}`)
process.exit(0)
