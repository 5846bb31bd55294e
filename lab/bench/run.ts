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
import { benchExport } from './export.ts'
import { benchFileDownload } from './file-download.ts'
import { benchFirstVisit } from './first-visit.ts'
import { benchFleets } from './fleets.ts'
import { benchLabels } from './labels.ts'
import { benchLanguages } from './languages.ts'
import { benchLogins } from './logins.ts'
import { benchMessages } from './messages.ts'
import { benchPasskeys } from './passkeys.ts'
import { benchPostgres } from './postgres.ts'
import { benchQrPng } from './qr-png.ts'
import { benchMixedUse } from './raspberry-pi/mixed-use.ts'
import { benchIdleWear, benchWear } from './raspberry-pi/wear.ts'
import { benchScanPage } from './scan-page.ts'
import { benchScanStates } from './scan-states.ts'
import { benchScriptSize } from './script-size.ts'
import { benchServers } from './servers.ts'
import { isKept, type Row, report } from './support/report.ts'
import { prepareTools } from './support/tools.ts'
import { benchUploads } from './uploads.ts'
import { benchVersions } from './versions.ts'

const CODES = '100000'
const SCANS = '20000'

const [argument, ...others] = process.argv.slice(2)
const CHOICES = [undefined, '--full', '--engine=postgres', '--servers=2']
const beside = /^--beside=(.+)$/.exec(argument ?? '')?.[1]
const minutes = Number(/^--minutes=([1-9]\d*)$/.exec(argument ?? '')?.[1] ?? 0)
if (others.length > 0 || !(CHOICES.includes(argument) || minutes > 0 || beside)) {
  console.error(
    'npm run bench takes --full, --engine=postgres, --servers=2, --minutes=60 or --beside=FOLDER, or nothing',
  )
  process.exit(2)
}

prepareTools()
const startedAt = performance.now()
const work = mkdtempSync(join(tmpdir(), 'driveqr-bench-'))
try {
  const seeded = join(work, 'seeded')
  const rows = await measured(seeded)
  report(rows, (performance.now() - startedAt) / 1000)
  process.exitCode = rows.every(isKept) ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

function measured(seeded: string): Promise<Row[]> {
  if (minutes > 0) return forMinutes(seeded)
  if (beside) return benchVersions(beside, work, reportPart)
  if (argument === '--engine=postgres') return besideSqlite(seeded)
  return argument === '--servers=2' ? besideAnother(seeded) : all(seeded)
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
    wear: () => benchWear(seeded, work),
    'cold start': () => benchColdStart(seeded, work),
    'QR code': benchQrPng,
    labels: benchLabels,
    dashboard: () => benchDashboard(fleets),
    messages: () => benchMessages(fleets),
    script: () => benchScriptSize(fleets.small),
    'first visit': () => benchFirstVisit(fleets.small),
    logins: () => benchLogins(seeded, work),
    passkeys: () => benchPasskeys(seeded, work),
    uploads: () => benchUploads(seeded, work),
    alerts: () => benchAlerts(seeded, work),
    'what is due': () => benchDue(work),
    'event streams': () => benchEventStreams(seeded, work),
    'file download': () => benchFileDownload(seeded, work),
    administration: () => benchAdministration(seeded, work),
    fleets: () => benchFleets(seeded, work),
    'printed codes': () => benchPrintedCodes(seeded, work),
    backup: () => benchBackup(seeded, work),
    export: () => benchExport(seeded, work),
  })) {
    rows.push(...(await bench()))
    reportPart(name)
  }
  return rows
}

/** What shows only after long: one server that is used, and one that idles. */
async function forMinutes(seeded: string): Promise<Row[]> {
  await seed(seeded)
  reportPart('sample data')
  const [used, idle] = await Promise.all([
    benchMixedUse(seeded, work, minutes),
    benchIdleWear(seeded, work, minutes),
  ])
  return [...used, idle]
}

/** What depends on the database, on PostgreSQL and on SQLite in turn. */
async function besideSqlite(seeded: string): Promise<Row[]> {
  const [fleet] = await Promise.all([seedFleet(join(work, 'fleet'), LARGE), seed(seeded)])
  reportPart('sample data')
  return benchPostgres({ seeded, fleet, work, reportPart })
}

/** One server and two on the same PostgreSQL. */
async function besideAnother(seeded: string): Promise<Row[]> {
  await seed(seeded)
  reportPart('sample data')
  return benchServers({ seeded, work, reportPart })
}

function reportPart(part: string): void {
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${part}`)
}

/** Limits of long measurements are built like the product. */
async function bundleTargets(): Promise<void> {
  await build({
    entryPoints: ['hello', 'limit', 'passkeys'].map((name) => `lab/bench/targets/${name}.ts`),
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
