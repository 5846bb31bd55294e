/** `npm run bench`: measures every figure and its limit in the same run, and prints one table. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { build } from 'esbuild'
import { benchColdStart } from './cold-start.ts'
import { benchCsv } from './csv.ts'
import { benchDashboard } from './dashboard.ts'
import { benchFirstVisit } from './first-visit.ts'
import { benchPostgres } from './postgres.ts'
import { LARGE, SMALL, seedCodes, seedFleet } from './sample.ts'
import { benchScanPage } from './scan-page.ts'
import { benchServers } from './servers.ts'
import { prepareTools } from './support/load.ts'
import { isKept, type Row, report } from './support/report.ts'
import { benchUploads } from './uploads.ts'
import { benchVersions } from './versions.ts'

const [argument = '', ...others] = process.argv.slice(2)
const beside = /^--beside=(.+)$/.exec(argument)?.[1]
if (others.length > 0 || !(['', '--engine=postgres', '--servers=2'].includes(argument) || beside)) {
  console.error('npm run bench takes --engine=postgres, --servers=2 or --beside=FOLDER, or nothing')
  process.exit(2)
}

prepareTools()
const startedAt = performance.now()
const work = mkdtempSync(join(tmpdir(), 'driveqr-bench-'))
try {
  const rows = beside ? await benchVersions(beside, work, reportPart) : await measureThis()
  report(rows, (performance.now() - startedAt) / 1000)
  process.exitCode = rows.every(isKept) ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

async function measureThis(): Promise<Row[]> {
  const seeded = join(work, 'seeded')
  await seedCodes(seeded)
  if (argument === '--servers=2') return benchServers(seeded, work)
  const large = await seedFleet(join(work, 'large-fleet'), LARGE)
  reportPart('sample data')
  if (argument === '--engine=postgres') return benchPostgres(seeded, large, work)
  const small = await seedFleet(join(work, 'small-fleet'), SMALL)
  await bundleLimit()
  const rows: Row[] = []
  for (const [name, bench] of Object.entries<() => Promise<Row[]>>({
    'scan page': () => benchScanPage(seeded, work),
    'cold start': () => benchColdStart(seeded, work),
    dashboard: () => benchDashboard(large, small),
    'first visit': () => benchFirstVisit(small),
    uploads: () => benchUploads(seeded, work),
    CSV: () => benchCsv(seeded, work),
  })) {
    rows.push(...(await bench()))
    reportPart(name)
  }
  return rows
}

function reportPart(part: string): void {
  console.error(`${((performance.now() - startedAt) / 1000).toFixed(0).padStart(4)} s  ${part}`)
}

/** Builds the limit of the scan page like the product. */
async function bundleLimit(): Promise<void> {
  await build({
    entryPoints: ['lab/bench/targets/limit.ts'],
    outdir: 'dist/bench',
    bundle: true,
    format: 'esm',
    platform: 'node',
    external: ['better-sqlite3'],
  })
}
