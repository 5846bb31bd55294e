import { audit } from '#lab/drills/_audit.ts'
import type { Drill, Outcome } from '#lab/drills/_drill.ts'
import { findersUntil, inMs, percentile } from '#lab/drills/_finders.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'

const FLUSH_MS = 50
const SCANS_A_SECOND = 20
const SECONDS = 15
const [SCAN_P99_MS, PAGE_P99_MS] = [250, 150]

export const slowDisk: Drill = {
  name: 'slow-disk',
  promise: `With flushes of ${FLUSH_MS} ms and ${SCANS_A_SECOND} scans a second, a scan takes ≤ ${SCAN_P99_MS} ms and a signed-in page ≤ ${PAGE_P99_MS} ms (p99)`,
  programs: { strace: 'strace' },
  trial: slowDown,
  without: 'committing scans together and flushing them on another thread',
  guardless: withoutGuard('committing-each', [
    [
      'db/sqlite/scan-path.ts',
      'commit(waiting.map(({ scan }) => scan))',
      'waiting.flatMap(({ scan }) => commit([scan]))',
    ],
    ['db/sqlite/scan-path.ts', "connection.pragma('synchronous = NORMAL')", ''],
  ]),
}

async function slowDown(work: string, program: string): Promise<Outcome> {
  const folder = await makeFolder(work)
  const inject = `inject=fsync,fdatasync:delay_exit=${FLUSH_MS * 1000}`
  const trace = [
    '-f',
    '--seccomp-bpf',
    '-o',
    '/dev/null',
    '-e',
    'trace=fsync,fdatasync',
    '-e',
    inject,
  ]
  const server = await serve({ dataDir: folder.dataDir, program, under: ['strace', ...trace] })
  const scans = folder.codes.map((code) => `${server.url}/scan/${code}`)
  const pages = [`${server.url}/dashboard`]
  const headers = { Cookie: folder.cookie }
  const everyMs = 1000 / SCANS_A_SECOND
  await findersUntil([...scans.slice(0, 10), ...pages], AbortSignal.timeout(2_000), {
    everyMs,
    headers,
  })
  const until = AbortSignal.timeout(SECONDS * 1000)
  const [scanned, read] = await Promise.all([
    findersUntil(scans, until, { everyMs }),
    findersUntil(pages, until, { everyMs: 200, headers }),
  ])
  await end(server)
  const { damage } = audit(folder.dataDir, [])
  const [scan, page] = [scanned, read].map(({ took }) => ({
    median: percentile(took, 0.5),
    p99: percentile(took, 0.99),
  }))
  const failed = scanned.failed + read.failed
  const figure = [
    `scan ${inMs(scan?.median ?? 0)} in the median, ${inMs(scan?.p99 ?? 0)} at 99 % of ${scanned.took.length}`,
    `signed-in page ${inMs(page?.median ?? 0)} and ${inMs(page?.p99 ?? 0)}`,
    `${failed} failed`,
  ].join('; ')
  const isKept =
    (scan?.p99 ?? Infinity) <= SCAN_P99_MS &&
    (page?.p99 ?? Infinity) <= PAGE_P99_MS &&
    failed + damage.length === 0
  return { figure, isKept }
}
