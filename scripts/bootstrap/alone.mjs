import { mkdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { say } from './say.mjs'

const LOCK = '.node/lock'
// Longer than any install takes; after that the process id may belong to another process.
const STALE_AFTER_MS = 10 * 60_000

/** Runs the work under a lock, so that only one command installs or builds in this folder. */
export async function alone(work) {
  mkdirSync('.node', { recursive: true })
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
    writeFileSync(LOCK, String(process.pid), { flag: 'wx' })
    return true
  } catch (error) {
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
