import { execFile } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { copyFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import Sqlite from 'better-sqlite3'
import { copyDatabase, readPaths, startDriveQr } from './scan-page.ts'
import { residentMb } from './support/processes.ts'
import { median, type Row } from './support/report.ts'
import { openScans, openUploader, percentile99, scanWhile, type Uploader } from './uploads.ts'

const DOCUMENTS = 1_000
const FILE_BYTES = 2 * 1024 * 1024
const LETTERS = 'abcdefghijklmnopqrstuvwxyz'
const LOOK_EVERY_MS = 20
const ALONE_MS = 5_000
const SETTLED_MS = 3_000
const ROUNDS = 3

const run = promisify(execFile)

/** An export of an account with many documents: its speed beside a plain copy, its memory, and scans meanwhile. */
export async function benchExport(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const database = copyDatabase(seeded, work, 'export')
  const dataDir = dirname(database)
  const server = await startDriveQr(database, paths[0] ?? '')
  const finders = openScans(server, paths)
  try {
    const owner = await openUploader(server)
    const names = fill(dataDir, owner.qr_id)
    await settle()
    const megabytes = (DOCUMENTS * FILE_BYTES) / 1e6
    const ours: number[] = []
    const copies: number[] = []
    await exportAll(owner)
    const idleMb = residentMb(server.process)
    let peakMb = idleMb
    const watch = setInterval(() => {
      peakMb = Math.max(peakMb, residentMb(server.process))
    }, 10)
    for (let round = 0; round < ROUNDS; round++) {
      copies.push(await copyPlainly(dataDir, names, join(work, 'plain-copy')))
      ours.push(await exportAll(owner))
    }
    const alone: number[] = []
    const meanwhile: number[] = []
    for (let round = 0; round < ROUNDS; round++) {
      await settle()
      alone.push(...(await scanWhile(finders, sleep(ALONE_MS))))
      meanwhile.push(...(await scanWhile(finders, exportAll(owner))))
    }
    clearInterval(watch)
    const [measured, limit] = [median(ours), median(copies)]
    const [p99, limit99] = [percentile99(meanwhile), percentile99(alone)]
    const what = `Export of ${DOCUMENTS} documents of 2 MB`
    return [
      {
        what: `${what}: speed ÷ plain copy`,
        measured: `${(megabytes / measured).toFixed(0)} MB/s`,
        limit: `${(megabytes / limit).toFixed(0)} MB/s`,
        ratio: limit / measured,
        budget: { atLeast: 0.6 },
      },
      {
        what: `${what}: memory above idle, MB`,
        measured: `${peakMb.toFixed(0)} MB`,
        limit: `${idleMb.toFixed(0)} MB idle`,
        ratio: peakMb - idleMb,
        budget: { atMost: 60 },
      },
      {
        what: `${what}: scan p99 ÷ alone`,
        measured: `${p99.toFixed(1)} ms`,
        limit: `${limit99.toFixed(1)} ms`,
        ratio: p99 / limit99,
        budget: { atMost: 1.5 },
      },
    ]
  } finally {
    await finders.stop()
    await server.stop()
  }
}

/** Gives the code documents, as if they had been uploaded. */
function fill(dataDir: string, qrId: string): string[] {
  const database = new Sqlite(join(dataDir, 'driveqr.db'))
  const insert = database.prepare(
    `insert into documents (id, qr_id, account_id, document_type, is_public, is_locked, file_name,
       stored_name, file_size, content_type, uploaded_at)
     select ?, qr_id, owner_id, 'puc', 0, 0, 'a.pdf', ?, ?, 'application/pdf', created_at
     from qr_codes where qr_id = ?`,
  )
  const names: string[] = []
  mkdirSync(join(dataDir, 'files'), { recursive: true })
  for (let n = 0; n < DOCUMENTS; n++) {
    const name = `${Array.from(randomBytes(26), (byte) => LETTERS[byte % 26]).join('')}.pdf`
    writeFileSync(join(dataDir, 'files', name), randomBytes(FILE_BYTES))
    insert.run(`bench-${n}`, name, FILE_BYTES, qrId)
    names.push(name)
  }
  database.close()
  return names
}

/** In seconds, until everything is on the disk. */
async function copyPlainly(dataDir: string, names: string[], target: string): Promise<number> {
  mkdirSync(target)
  const startedAt = performance.now()
  for (const name of names) await copyFile(join(dataDir, 'files', name), join(target, name))
  await run('sync', ['-f', target])
  const seconds = (performance.now() - startedAt) / 1000
  rmSync(target, { recursive: true })
  return seconds
}

/** In seconds, until it can be downloaded. */
async function exportAll({ ask }: Uploader): Promise<number> {
  const startedAt = performance.now()
  const { id } = await (await ask('POST', '/account/export')).json()
  for (;;) {
    const { status } = await (await ask('GET', `/account/export/${id}`)).json()
    if (status === 'done') return (performance.now() - startedAt) / 1000
    if (status === 'failed') throw new Error('The export failed')
    await sleep(LOOK_EVERY_MS)
  }
}

/** Until the disk has nothing left to do with what was written and removed. */
async function settle(): Promise<void> {
  await run('sync')
  await sleep(SETTLED_MS)
}

function sleep(milliseconds: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, milliseconds))
}
