import { setTimeout as sleep } from 'node:timers/promises'
import { VERSION } from '#config.ts'
import { measureOutbox } from '#db/outbox-waiting.ts'
import { CHANNEL_KINDS } from '#domain/alerts/alert.ts'
import { type Family, single } from '#domain/metrics/exposition.ts'
import type { Deps } from '#routes/_http/deps.ts'
import { processFamilies } from '#routes/operations/_process.ts'

/** The names that stand in the specification of the service, for rules that use them as they are. */
const ALSO_BARE = ['driveqr_requests_total', 'driveqr_scans_committed_total']

/** Longer than a readiness check, shorter than the ten seconds that Prometheus waits. */
const LONGEST_QUERY_MS = 3_000

/** Gathers the metrics of a scrape. While the database fails, its metrics are missing. */
export async function gatherFamilies(deps: Deps): Promise<Family[]> {
  const [failing, outbox] = await Promise.all([deps.readiness.findFailing(), outboxFamilies(deps)])
  const counted = deps.metrics.toFamilies()
  const bare = counted.filter(({ name }) => ALSO_BARE.includes(name))
  return [
    buildInfo(deps),
    ...counted,
    ...bare.map((family) => ({ ...family, name: family.name.replace('driveqr_', '') })),
    readyFamily(failing),
    ...outbox,
    ...poolFamilies(deps),
    single(
      'driveqr_open_streams',
      'gauge',
      'Open event streams of pages that wait for messages.',
      deps.conversationWatch.count(),
    ),
    ...processFamilies(deps.health.startedAt),
  ]
}

function buildInfo({ config }: Deps): Family {
  const engine = config.databaseUrl === undefined ? 'sqlite' : 'postgres'
  const labels = { version: VERSION, node: process.version, engine }
  return {
    name: 'driveqr_build_info',
    type: 'gauge',
    help: 'The release that runs, always 1.',
    samples: [{ labels, value: 1 }],
  }
}

function readyFamily(failing: readonly string[]): Family {
  return {
    name: 'driveqr_ready',
    type: 'gauge',
    help: 'Whether a part that /readyz looks at works: 1 or 0.',
    samples: ['database', 'migrations', 'storage'].map((part) => ({
      labels: { part },
      value: failing.includes(part) ? 0 : 1,
    })),
  }
}

async function outboxFamilies({ db, clock, log }: Deps): Promise<Family[]> {
  const now = clock()
  const measured = measureOutbox(db).catch((err) => {
    log.warn({ err }, 'the outbox could not be measured')
    return undefined
  })
  const tooLate = sleep(LONGEST_QUERY_MS, undefined, { ref: false })
  const rows = await Promise.race([measured, tooLate])
  if (!rows) return []
  const of = (kind: string) => rows.find((row) => row.kind === kind)
  const ageOf = (oldest: string | null | undefined) =>
    oldest ? Math.max(0, (now.getTime() - Date.parse(oldest)) / 1000) : 0
  return [
    {
      name: 'driveqr_outbox_waiting',
      type: 'gauge',
      help: 'Mails and alerts in the outbox of the database, by channel. All servers report the same.',
      samples: CHANNEL_KINDS.map((channel) => ({
        labels: { channel },
        value: of(channel)?.waiting ?? 0,
      })),
    },
    {
      name: 'driveqr_outbox_oldest_age_seconds',
      type: 'gauge',
      help: 'Age of the oldest mail or alert that nothing holds back, by channel. 0 without one.',
      samples: CHANNEL_KINDS.map((channel) => ({
        labels: { channel },
        value: ageOf(of(channel)?.oldest),
      })),
    },
  ]
}

function poolFamilies({ listPools }: Deps): Family[] {
  const pools = listPools()
  if (pools.length === 0) return []
  return [
    {
      name: 'driveqr_database_pool_connections',
      type: 'gauge',
      help: 'Connections to PostgreSQL by pool and state.',
      samples: pools.flatMap(({ pool, used, idle }) => [
        { labels: { pool, state: 'used' }, value: used },
        { labels: { pool, state: 'idle' }, value: idle },
      ]),
    },
    {
      name: 'driveqr_database_pool_max_connections',
      type: 'gauge',
      help: 'The largest number of connections that a pool makes.',
      samples: pools.map(({ pool, most }) => ({ labels: { pool }, value: most })),
    },
    {
      name: 'driveqr_database_pool_waiting',
      type: 'gauge',
      help: 'Queries that wait for a connection.',
      samples: pools.map(({ pool, waiting }) => ({ labels: { pool }, value: waiting })),
    },
  ]
}
