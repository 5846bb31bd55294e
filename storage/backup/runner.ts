import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { text } from 'node:stream/consumers'
import type { Logger } from 'pino'
import { isBackupDue } from '#domain/backup.ts'
import { DomainError } from '#domain/error.ts'
import type { Backup } from '#storage/backup/make.ts'
import { archivesFolder, discardLeftovers } from '#storage/backup/place.ts'
import { readRecord, writeRecord } from '#storage/backup/record.ts'
import { lowerPriority } from '#storage/lower-priority.ts'

type Settings = {
  program: string
  dataDir: string
  timezone: string
  backups: { isOn: boolean; folder: string | undefined }
}
type Tools = { clock: () => Date; log: Logger }

/** Often, because the machine may sleep at three o'clock, and its clock may jump. */
const CHECK_MS = 5 * 60_000
/** A backup that was missed while the machine was off is made within a minute, but not beside the first requests. */
const FIRST_CHECK_MS = 30_000

export type Backups = {
  /** Makes a backup in the data folder. Throws conflict while one is being made. */
  make(): Promise<Backup>
}

export type NightlyBackups = ReturnType<typeof createBackups>

/**
 * Backups made by a server, each in a separate process: copying and hashing do not delay requests,
 * the memory is freed afterwards, and a stopping server can end it at once.
 */
export function createBackups(settings: Settings, { clock, log }: Tools) {
  const { program, dataDir, timezone, backups } = settings
  let running: ChildProcess | undefined
  const timers: NodeJS.Timeout[] = []
  let isStopping = false

  async function make(): Promise<Backup> {
    if (running) throw new DomainError('conflict.backup_running')
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
      const why = reason.trim().replace(/^driveqr: /, '') || 'Interrupted'
      throw new DomainError({ code: 'unavailable.backup', values: { why } })
    } finally {
      running = undefined
    }
  }

  /** Makes the nightly backup when it is due and there is data. */
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

  /** The next backup reports why its folder cannot be used. Nothing else must end because of that. */
  function cleanUp(): void {
    try {
      discardLeftovers(dataDir, archivesFolder(settings))
    } catch (err) {
      log.error({ err }, 'what a backup left could not be removed')
    }
  }

  return {
    make,
    makeIfDue,
    /** Cleans up after a crash, then checks soon and every five minutes whether a backup is due, unless they are off. */
    keepNightly(hasData: () => Promise<boolean>): void {
      cleanUp()
      if (!backups.isOn) return
      const check = () =>
        makeIfDue(hasData).catch((error) => log.error({ err: error }, 'the backup check failed'))
      timers.push(setTimeout(check, FIRST_CHECK_MS).unref(), setInterval(check, CHECK_MS).unref())
    },
    /** Stops a running backup and removes its files. */
    async stop(): Promise<void> {
      isStopping = true
      for (const timer of timers) clearTimeout(timer)
      if (running) {
        const ended = once(running, 'close')
        running.kill('SIGKILL')
        await ended
      }
      cleanUp()
    },
  }
}
