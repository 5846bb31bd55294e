import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { setPriority } from 'node:os'
import { text } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { isBackupDue } from '#domain/backup.ts'
import { DomainError } from '#domain/error.ts'
import type { Backup } from '#storage/backup/make.ts'
import { discardLeftovers } from '#storage/backup/place.ts'
import { readRecord, writeRecord } from '#storage/backup/record.ts'

type Settings = { program: string; dataDir: string; timezone: string }
type Tools = { clock: () => Date; log: Logger }

/** Rather often: the machine may sleep over three o'clock, and its clock may jump. */
const LOOK_EVERY_MS = 5 * 60_000
const LOWER_PRIORITY = 10

export type Backups = {
  /** Makes a backup in the data folder's own folder. Throws conflict while one is being made. */
  make(): Promise<Backup>
}

/**
 * Backups that a server makes, each by a process of its own: copying and hashing must not keep a
 * finder waiting, its memory goes with it, and a server that stops can end it at once.
 */
export function createBackups({ program, dataDir, timezone }: Settings, { clock, log }: Tools) {
  let running: ChildProcess | undefined
  let timer: NodeJS.Timeout | undefined
  let isStopping = false

  async function make(): Promise<Backup> {
    if (running) throw new DomainError('conflict', 'A backup is being made already')
    const child = spawn(process.execPath, [program, 'backup', '--json'], {
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    running = child
    try {
      lowerPriority(child)
      const [answer, reason, [status]] = await Promise.all([
        text(child.stdout),
        text(child.stderr),
        once(child, 'close'),
      ])
      if (status === 0) return JSON.parse(answer)
      throw new DomainError('unavailable', reason.trim().replace(/^driveqr: /, '') || 'Interrupted')
    } finally {
      running = undefined
    }
  }

  /** Makes the nightly backup when it is due and there is something to lose. */
  async function makeIfDue(hasData: () => Promise<boolean>): Promise<void> {
    const now = clock()
    if (running || !isBackupDue(readRecord(dataDir), now, timezone)) return
    if (!(await hasData()) || running || isStopping) return
    try {
      const { file, bytes, missing } = await make()
      log.info({ file, bytes, missing }, 'backup made')
    } catch (error) {
      if (isStopping) return
      const { message } = error as Error
      log.error({ reason: message }, 'the nightly backup failed')
      writeRecord(dataDir, { failed: { at: now.toISOString(), reason: message } })
    }
  }

  return {
    make,
    makeIfDue,
    /** Clears up after a crash, then looks every five minutes whether the nightly backup is due. */
    keepNightly(hasData: () => Promise<boolean>): void {
      discardLeftovers(dataDir)
      const look = () =>
        makeIfDue(hasData).catch((error) => log.error({ err: error }, 'no look after the backups'))
      timer = setInterval(look, LOOK_EVERY_MS).unref()
    },
    /** Ends what is being made, and leaves no half of it. */
    async stop(): Promise<void> {
      isStopping = true
      clearInterval(timer)
      if (running) {
        const ended = once(running, 'close')
        running.kill('SIGKILL')
        await ended
      }
      discardLeftovers(dataDir)
    },
  }
}

/** A courtesy: where the machine does not allow it, the backup is made all the same. */
function lowerPriority({ pid }: ChildProcess): void {
  try {
    if (pid) setPriority(pid, LOWER_PRIORITY)
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    if (code !== 'ERR_SYSTEM_ERROR') throw error
  }
}
