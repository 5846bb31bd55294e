// @module-tag slow
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, onTestFinished, test, vi } from 'vitest'
import { readRecord } from '#storage/backup/record.ts'
import { createBackups } from '#storage/backup/runner.ts'
import { openFolder, temporaryFolder } from '#tests/backup/support.ts'
import { findPrograms } from '#tests/support/programs.ts'

const NIGHT = new Date('2026-11-20T21:35:00Z')

/** A server's backups, made by the command line or by the given script instead. */
async function openRunner({ script = '', now = NIGHT, isOn = true } = {}) {
  const folder = await openFolder()
  const logged: string[] = []
  const log = pino({}, { write: (line: string) => void logged.push(line) })
  const program = script
    ? join(temporaryFolder(), 'program.mjs')
    : (await findPrograms()).commandLine
  if (script) writeFileSync(program, script)
  vi.stubEnv('DATA_DIR', folder.dataDir)
  const settings = {
    program,
    dataDir: folder.dataDir,
    timezone: 'Asia/Kolkata',
    backups: { isOn, folder: undefined },
  }
  const time = { now }
  const runner = createBackups(settings, { clock: () => time.now, log })
  const makeIfDue = (hasData = true) => runner.makeIfDue(async () => hasData)
  return { ...folder, ...runner, makeIfDue, logged, time, folder: join(folder.dataDir, 'backups') }
}

const archives = (folder: string) =>
  existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.tar')) : []

test('a server makes the nightly backup by itself, once a night', async () => {
  const { makeIfDue, dataDir, folder, logged, time, close } = await openRunner()
  await makeIfDue()
  expect(archives(folder)).toHaveLength(1)
  expect(logged).toEqual([expect.stringContaining('"msg":"backup made"')])
  expect(readRecord(dataDir)).toEqual({
    good: {
      file: join(folder, archives(folder)[0] ?? ''),
      bytes: expect.any(Number),
      made_at: expect.any(String),
    },
  })
  // The process that made it has the clock of the machine.
  time.now = new Date()
  await makeIfDue()
  expect(archives(folder)).toHaveLength(1)
  await close()
})

test('a backup that was missed while the machine was off is made within a minute of the start', async () => {
  const script = `console.log(JSON.stringify({ file: 'a.tar', bytes: 1, missing: [] }))`
  const { keepNightly, logged, stop, close } = await openRunner({ script })
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  keepNightly(async () => true)
  vi.advanceTimersByTime(60_000)
  await expect.poll(() => logged).toEqual([expect.stringContaining('"msg":"backup made"')])
  await stop()
  await close()
})

test('BACKUP=off makes none by itself', async () => {
  const script = `console.log(JSON.stringify({ file: 'a.tar', bytes: 1, missing: [] }))`
  const { keepNightly, logged, stop, close } = await openRunner({ script, isOn: false })
  vi.useFakeTimers({ toFake: ['setTimeout', 'setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  keepNightly(async () => true)
  expect(vi.getTimerCount()).toBe(0)
  await stop()
  expect(logged).toEqual([])
  await close()
})

test('an installation without an account is not backed up', async () => {
  const { makeIfDue, folder, close } = await openRunner()
  await makeIfDue(false)
  expect(archives(folder)).toEqual([])
  await close()
})

test('a record that is damaged does not stop the nightly backup, which mends it', async () => {
  const { makeIfDue, folder, dataDir, close } = await openRunner()
  mkdirSync(folder, { recursive: true })
  writeFileSync(join(folder, 'last.json'), '{ "good": {')
  expect(readRecord(dataDir)).toEqual({})
  await makeIfDue()
  expect(archives(folder)).toHaveLength(1)
  expect(readRecord(dataDir)).toMatchObject({ good: { bytes: expect.any(Number) } })
  await close()
})

test('a failure is in the log and in the record, and is tried again an hour later', async () => {
  const script = `console.error('driveqr: Too little room in /data: 3 GB needed'); process.exit(1)`
  const { makeIfDue, dataDir, logged, time, close } = await openRunner({ script })
  await makeIfDue()
  const reason = 'Too little room in /data: 3 GB needed'
  expect(readRecord(dataDir)).toEqual({ failed: { at: NIGHT.toISOString(), reason } })
  expect(logged).toEqual([expect.stringContaining(reason)])
  await makeIfDue()
  expect(logged).toHaveLength(1)
  time.now = new Date(NIGHT.getTime() + 3_600_000)
  await makeIfDue()
  expect(logged).toHaveLength(2)
  await close()
})

test('a folder of backups that cannot be used ends nothing else, and is in the log', async () => {
  const { keepNightly, makeIfDue, stop, dataDir, folder, logged, close } = await openRunner()
  writeFileSync(folder, 'not a folder')
  keepNightly(async () => true)
  await expect(makeIfDue()).rejects.toThrow()
  await stop()
  expect(logged.map((line) => JSON.parse(line).msg)).toEqual([
    'what a backup left could not be removed',
    'the nightly backup failed',
    'what a backup left could not be removed',
  ])
  expect(logged[1]).toContain(`DATA_DIR ${join(dataDir, 'backups')} is no folder, or not in one`)
  await close()
})

test('a second backup is refused during the first, and a stop ends the first without leaving half of it', async () => {
  const script = `
    import { mkdirSync, writeFileSync } from 'node:fs'
    import { takeLock } from '${join(process.cwd(), 'db/lock.ts')}'
    const folder = process.env.DATA_DIR + '/backups'
    mkdirSync(folder, { recursive: true })
    takeLock(folder + '/lock', 'alone', 0)
    writeFileSync(folder + '/driveqr-20261120T213000Z.tar.partial', 'half')
    setInterval(() => {}, 1e6)`
  const { make, makeIfDue, stop, dataDir, folder, close } = await openRunner({ script })
  const making = makeIfDue()
  await expect
    .poll(() => existsSync(folder) && readdirSync(folder))
    .toContain('driveqr-20261120T213000Z.tar.partial')
  await expect(make()).rejects.toThrow('A backup is being made already')
  await stop()
  await making
  expect(readdirSync(folder)).toEqual(['lock'])
  expect(readRecord(dataDir)).toEqual({})
  await close()
})
