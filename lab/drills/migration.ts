import { execFile } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { migrations } from '#db/migrations/index.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'

const DEATHS = 24
const AT_ONCE = 2

export const migration: Drill = {
  name: 'migration',
  promise: 'A killed migration leaves the old or the new schema, and the next start completes it',
  trial: (work) => killMigrations(work, []),
  without: 'a transaction around each migration',
  control: (work) => killMigrations(work, ['apart']),
}

/**
 * Kills the process before statements spread over all migrations of a new folder, including
 * commits.
 */
async function killMigrations(work: string, how: string[]): Promise<Outcome> {
  const whole = await migrate(mkdtempSync(join(work, 'whole-')), 0, how)
  const statements = Number(whole.split(' ')[1])
  const expected = await schemaOf(mkdtempSync(join(work, 'fresh-')))
  const step = Math.ceil(statements / DEATHS)
  const deaths = Array.from({ length: Math.floor(statements / step) }, (_, i) => 1 + i * step)
  const wrong: string[] = []
  const left = [...deaths]
  const dieInTurn = async () => {
    for (let before = left.shift(); before; before = left.shift()) {
      const dataDir = mkdtempSync(join(work, 'data-'))
      await migrate(dataDir, before, how)
      const found = await schemaOf(dataDir).catch((error: Error) => error.message)
      if (found !== expected) wrong.push(`before statement ${before}: ${found.slice(0, 80)}`)
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, dieInTurn))
  const figure = [
    `${count(deaths.length, 'kill')} in ${count(statements, 'statement')} of ${count(migrations.length, 'migration')}, ${deaths.length - wrong.length} completed by the next start`,
    ...wrong.slice(0, 1),
  ]
  return { figure: figure.join('; '), isKept: wrong.length === 0 }
}

function migrate(dataDir: string, dieBefore: number, how: string[]): Promise<string> {
  const args = ['lab/drills/_migrating.ts', dataDir, String(dieBefore), ...how]
  return new Promise((resolve, reject) => {
    execFile(process.execPath, [...process.execArgv, ...args], (error, stdout, stderr) =>
      error && error.signal !== 'SIGKILL' ? reject(new Error(stderr)) : resolve(stdout),
    )
  })
}

/** The schema after a start on the folder, with the result of the integrity check. */
async function schemaOf(dataDir: string): Promise<string> {
  await (await openDatabase(dataDir)).close()
  const connection = new Sqlite(join(dataDir, 'driveqr.db'))
  const parts = connection.prepare('select sql from sqlite_schema order by name').pluck().all()
  const about = ['user_version', 'application_id', 'integrity_check']
  const values = about.map((name) => connection.pragma(name, { simple: true }))
  connection.close()
  return JSON.stringify([...values, ...parts])
}
