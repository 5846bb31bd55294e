/**
 * A process that moves an installation by the command line and is killed just before its nth statement on
 * PostgreSQL. It prints how many there were when it survives.
 */
import fs from 'node:fs'
import { flushCompileCache } from 'node:module'

const [dieBefore = '0', ...args] = process.argv.slice(2)
let statements = 0

const { prototype } = (await import('pg')).default.Client
const original = prototype.query as (...given: unknown[]) => unknown
Object.assign(prototype, {
  query(...given: unknown[]) {
    if (++statements === Number(dieBefore)) process.kill(process.pid, 'SIGKILL')
    return original.apply(this, given)
  },
})

const { readConfigWith } = await import('#config.ts')
const { runCommandLine } = await import('#scripts/_program.ts')
// For the next process: this one may be killed.
flushCompileCache()
const code = await runCommandLine(['move', ...args], {
  terminal: { in: process.stdin, out: process.stderr, err: process.stderr },
  clock: () => new Date(),
  readConfig: (instead = {}) => readConfigWith(instead),
})
fs.writeSync(1, String(statements))
process.exit(code)
