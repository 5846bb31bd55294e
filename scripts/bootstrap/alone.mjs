import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { fail, say } from './say.mjs'

const LOCK = '.node/lock'
// Longer than any install takes; after that the process id may belong to another process.
const STALE_AFTER_MS = 10 * 60_000
const NOT_ALLOWED = ['EACCES', 'EPERM', 'EROFS']

/** Runs the work under a lock, so that only one command installs or builds in this folder. */
export async function alone(work) {
  let hasSaidSo = false
  while (!takeLock()) {
    if (!hasSaidSo) say('Waiting for another command that is installing or building here')
    hasSaidSo = true
    await sleep(200)
  }
  try {
    return work()
  } finally {
    rmSync(LOCK, { force: true })
  }
}

function takeLock() {
  try {
    mkdirSync('.node', { recursive: true })
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
    // A service runs as a user who may not change the program. Not the status of a refused start: it is
    // restarted until the program is built.
    if (NOT_ALLOWED.includes(error.code)) {
      const remedy = 'run npm run driveqr -- --help there, as the user who may'
      fail(`This user may not install and build in ${process.cwd()}: ${remedy}`)
    }
    if (error.code !== 'EEXIST') throw error
    if (!isHeld()) rmSync(LOCK, { force: true })
    return false
  }
}

function isHeld() {
  try {
    if (Date.now() - statSync(LOCK).mtimeMs > STALE_AFTER_MS) return false
    process.kill(Number(readFileSync(LOCK, 'utf8')), 0)
    return true
  } catch (error) {
    // ESRCH means that the process has ended; ENOENT means that the lock was just released.
    return error.code !== 'ESRCH'
  }
}
