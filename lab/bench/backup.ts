import { execFileSync } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { copyDatabase } from './scan-page.ts'
import { runCommand } from './support/processes.ts'
import type { Row } from './support/report.ts'

/** A data folder of 1 GB, as many installations have, takes a minute: `npm run bench -- --full`. */
const FOLDER_MB = process.argv.includes('--full') ? 1000 : 100
const FILE_MB = 4
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'

/** A backup with all its checks, compared with a plain tar of the same folder. */
export async function benchBackup(seeded: string, work: string): Promise<Row[]> {
  const dataDir = dirname(copyDatabase(seeded, work, 'backup'))
  const megabytes = fillWithFiles(dataDir)
  const limit = timed(() => packPlainly(dataDir, join(work, 'plain.tar')))
  const { seconds, peakMb } = await runCommand(dataDir, ['backup', join(work, 'backup.tar')])
  return [
    {
      what: `Backup of ${megabytes.toFixed(0)} MB, read back and compared ÷ plain tar`,
      measured: `${seconds.toFixed(1)} s, ${(megabytes / seconds).toFixed(0)} MB/s`,
      limit: `${limit.toFixed(1)} s, ${(megabytes / limit).toFixed(0)} MB/s`,
      ratio: seconds / limit,
      budget: undefined,
    },
    {
      what: `Backup of ${megabytes.toFixed(0)} MB: peak memory, MB`,
      measured: `${peakMb.toFixed(0)} MB`,
      limit: '–',
      ratio: peakMb,
      budget: { atMost: 200 },
    },
  ]
}

/** Codes for a print shop, each with an image file. */
export async function benchPrintedCodes(seeded: string, work: string): Promise<Row[]> {
  const dataDir = dirname(copyDatabase(seeded, work, 'printed'))
  const make = (count: number) => {
    const args = ['qr', 'create', '--count', String(count), '--out', join(work, `codes-${count}`)]
    return runCommand(dataDir, args)
  }
  const few = await make(1_000)
  const many = await make(10_000)
  return [
    {
      what: '10,000 codes created with their PNGs, a second ÷ the promised number',
      measured: `${(10_000 / many.seconds).toFixed(0)} a second`,
      limit: '1500 a second',
      ratio: 10_000 / many.seconds / 1500,
      budget: { atLeast: 1 },
    },
    {
      what: 'Peak memory, 10,000 codes with PNGs ÷ 1,000',
      measured: `${many.peakMb.toFixed(0)} MB`,
      limit: `${few.peakMb.toFixed(0)} MB`,
      ratio: many.peakMb / few.peakMb,
      budget: { atMost: 2 },
    },
  ]
}

/** Adds files with rows. Returns the total size in MB. */
function fillWithFiles(dataDir: string): number {
  const database = new Sqlite(join(dataDir, 'driveqr.db'))
  const owner = database.prepare('select id from accounts limit 1').pluck().get()
  const insert = database.prepare(
    `insert into popup_images
       (id, account_id, file_name, stored_name, file_size, width, height, is_active, uploaded_at)
     values (?, ?, ?, ?, ?, 9, 9, 0, ?)`,
  )
  mkdirSync(join(dataDir, 'files'), { recursive: true })
  const bytes = FILE_MB * 1024 * 1024
  const at = new Date().toISOString()
  for (let n = 0; n < FOLDER_MB / FILE_MB; n++) {
    const name = `${Array.from(randomBytes(26), (byte) => LETTERS[byte % 26]).join('')}.webp`
    writeFileSync(join(dataDir, 'files', name), randomBytes(bytes))
    insert.run(`bench-${n}`, owner, 'a.webp', name, bytes, at)
  }
  database.close()
  execFileSync('sync')
  return (statSync(join(dataDir, 'driveqr.db')).size + (FOLDER_MB / FILE_MB) * bytes) / 1e6
}

function packPlainly(dataDir: string, target: string): void {
  execFileSync('tar', ['-cf', target, '-C', dataDir, 'driveqr.db', 'files'])
  execFileSync('sync', [target])
}

function timed(work: () => void): number {
  const startedAt = performance.now()
  work()
  return (performance.now() - startedAt) / 1000
}
