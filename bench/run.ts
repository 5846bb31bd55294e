/** `npm run bench`: measures every figure and its limit in the same run, and prints one table. */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import Sqlite from 'better-sqlite3'
import { build } from 'esbuild'
import { benchAdministration } from './administration.ts'
import { benchAlerts } from './alerts.ts'
import { benchBackup, benchPrintedCodes } from './backup.ts'
import { benchColdStart } from './cold-start.ts'
import { benchDashboard, LARGE, seedFleet, seedFleets } from './dashboard.ts'
import { benchDue } from './due.ts'
import { benchEventStreams } from './event-streams.ts'
import { benchFileDownload } from './file-download.ts'
import { benchFirstVisit } from './first-visit.ts'
import { benchFleets } from './fleets.ts'
import { benchLabels } from './labels.ts'
import { benchLanguages } from './languages.ts'
import { benchLogins } from './logins.ts'
import { benchMessages } from './messages.ts'
import { benchPostgres } from './postgres.ts'
import { benchQrPng } from './qr-png.ts'
import { benchScanPage } from './scan-page.ts'
import { benchScanStates } from './scan-states.ts'
import { benchScriptSize } from './script-size.ts'
import { isKept, type Row, report } from './support/report.ts'
import { prepareTools } from './support/tools.ts'
import { benchUploads } from './uploads.ts'

const CODES = '100000'
const SCANS = '20000'

const [argument, ...others] = process.argv.slice(2)
if (others.length > 0 || ![undefined, '--full', '--engine=postgres'].includes(argument)) {
  console.error('npm run bench takes --full or --engine=postgres, or nothing')
  process.exit(2)
}

prepareTools()
const startedAt = performance.now()
const work = mkdtempSync(join(tmpdir(), 'driveqr-bench-'))
try {
  const seeded = join(work, 'seeded')
  const rows = argument === '--engine=postgres' ? await besideSqlite(seeded) : await all(seeded)
  report(rows, (performance.now() - startedAt) / 1000)
  process.exitCode = rows.every(isKept) ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function all(seeded: string): Promise<Row[]> {
  await bundleTargets()
  const [fleets] = await Promise.all([seedFleets(work), seed(seeded)])
  reportPart('sample data')
  const rows: Row[] = []
  for (const [name, bench] of Object.entries<() => Row[] | Promise<Row[]>>({
    'scan page': () => benchScanPage(seeded, work),
    'scan page in other states': () => benchScanStates(seeded, work),
    languages: () => benchLanguages(seeded, work),
    'cold start': () => benchColdStart(seeded, work),
    'QR code': benchQrPng,
    labels: benchLabels,
    dashboard: () => benchDashboard(fleets),
    messages: () => benchMessages(fleets),
    script: () => benchScriptSize(fleets.small),
    'first visit': () => benchFirstVisit(fleets.small),
    logins: () => benchLogins(seeded, work),
    uploads: () => benchUploads(seeded, work),
    alerts: () => benchAlerts(seeded, work),
    'what is due': () => benchDue(work),
    'event streams': () => benchEventStreams(seeded, work),
    'file download': () => benchFileDownload(seeded, work),
    administration: () => benchAdministration(seeded, work),
    fleets: () => benchFleets(seeded, work),
    'printed codes': () => benchPrintedCodes(seeded, work),
    backup: () => benchBackup(seeded, work),
  })) {
    rows.push(...(await bench()))
    reportPart(name)
  }
  return rows
}

/** What depends on the database, on PostgreSQL and on SQLite in turn. */
async function besideSqlite(seeded: string): Promise<Row[]> {
  const [fleet] = await Promise.all([seedFleet(join(work, 'fleet'), LARGE), seed(seeded)])
  reportPart('sample data')
  return benchPostgres({ seeded, fleet, work, reportPart })
}

function reportPart(part: string): void {
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${part}`)
}

/** Limits of long measurements are built like the product. */
async function bundleTargets(): Promise<void> {
  await build({
    entryPoints: ['hello', 'limit'].map((name) => `bench/targets/${name}.ts`),
    outdir: 'dist/bench',
    bundle: true,
    format: 'esm',
    platform: 'node',
    packages: 'bundle',
    external: ['better-sqlite3'],
    banner: {
      js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);",
    },
  })
}

async function seed(folder: string): Promise<void> {
  const args = ['dist/driveqr.js', 'seed', '--codes', CODES, '--scans', SCANS, '--seed', '1']
  const env = { ...process.env, DATA_DIR: folder }
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'ignore', 'inherit'] })
  const [status] = await once(child, 'exit')
  if (status !== 0) throw new Error('Seeding failed')
  // The usual page, without a popup.
  const database = new Sqlite(join(folder, 'driveqr.db'))
  database.exec('delete from admin_messages; update popup_images set is_active = 0')
  database.close()
}
