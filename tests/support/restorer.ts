/**
 * A process that restores a backup and is killed just before the nth step of replacing the data, or
 * before the first of a name. It prints that step. On PostgreSQL every 150th statement is a step too,
 * and so are the moments before and after the server is told to commit. With `fail` the step fails
 * instead, as on a full disk.
 */
import fs from 'node:fs'
import { flushCompileCache, syncBuiltinESMExports } from 'node:module'

const [file = '', dataDir = '', dieBefore = '0', databaseUrl, how] = process.argv.slice(2)
const EACH = 150
let steps = Number.NEGATIVE_INFINITY
let statements = 0

function takeStep(name: string): void {
  if (![name, String(++steps)].includes(dieBefore)) return
  if (how === 'fail') throw new Error(`${name} failed`)
  fs.writeSync(1, name)
  process.kill(process.pid, 'SIGKILL')
}

for (const method of ['renameSync', 'rmSync', 'fsyncSync'] as const) {
  // biome-ignore lint/suspicious/noExplicitAny: any of these functions
  const original = fs[method] as any
  Object.assign(fs, {
    [method]: (...given: unknown[]) => {
      takeStep(method)
      return original(...given)
    },
  })
}
syncBuiltinESMExports()

if (databaseUrl) {
  const { prototype } = (await import('pg')).default.Client
  const original = prototype.query as (...given: unknown[]) => unknown
  Object.assign(prototype, {
    query(...given: unknown[]) {
      if (given[0] !== 'commit') {
        if (++statements % EACH === 0) takeStep('query')
        return original.apply(this, given)
      }
      takeStep('before commit')
      const committed = original.apply(this, given)
      // The server has been told, and its answer is never read.
      setImmediate(takeStep, 'commit')
      return committed
    },
  })
}

const { restoreBackup } = await import('#storage/backup/restore.ts')
// For the next process: this one may be killed.
flushCompileCache()
steps = 0
await restoreBackup({ file, dataDir, databaseUrl, replace: true, now: new Date() }, () => () => {})
fs.writeSync(1, 'survived')
