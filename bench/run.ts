/** `npm run bench`: every figure beside its limit in the same run, in one table. */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { benchColdStart } from './cold-start.ts'
import { benchQrPng } from './qr-png.ts'
import { isKept, report } from './report.ts'
import { benchScanPage } from './scan-page.ts'

const CODES = '100000'
const SCANS = '200000'

const startedAt = performance.now()
const work = mkdtempSync(join(tmpdir(), 'driveqr-bench-'))
try {
  const seeded = join(work, 'seeded')
  seed(seeded)
  const rows = [
    ...(await benchScanPage(seeded, work)),
    ...(await benchColdStart(seeded, work)),
    ...(await benchQrPng()),
  ]
  report(rows, (performance.now() - startedAt) / 1000)
  process.exitCode = rows.every(isKept) ? 0 : 1
} finally {
  rmSync(work, { recursive: true, force: true })
}

function seed(folder: string): void {
  const args = ['dist/driveqr.js', 'seed', '--codes', CODES, '--scans', SCANS, '--seed', '1']
  const env = { ...process.env, DATA_DIR: folder }
  const { status } = spawnSync(process.execPath, args, {
    env,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  if (status !== 0) throw new Error('Seeding failed')
}
