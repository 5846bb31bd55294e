/**
 * A process that restores a backup and is killed just before the nth step of replacing the data. It
 * prints that step.
 */
import fs from 'node:fs'
import { syncBuiltinESMExports } from 'node:module'

const [file = '', dataDir = '', dieBefore = '0'] = process.argv.slice(2)
let steps = Number.NEGATIVE_INFINITY

for (const method of ['renameSync', 'rmSync', 'fsyncSync'] as const) {
  // biome-ignore lint/suspicious/noExplicitAny: any of these functions
  const original = fs[method] as any
  Object.assign(fs, {
    [method]: (...given: unknown[]) => {
      if (++steps === Number(dieBefore)) {
        fs.writeSync(1, method)
        process.kill(process.pid, 'SIGKILL')
      }
      return original(...given)
    },
  })
}
syncBuiltinESMExports()

const { restoreBackup } = await import('#storage/backup/restore.ts')
steps = 0
await restoreBackup({ file, dataDir, replace: true, now: new Date() }, () => () => {})
fs.writeSync(1, 'survived')
