import { removeDeleted } from '#actions/accounts/deletion.ts'
import { removeOldExports } from '#actions/accounts/exports.ts'
import { aboutUnreachable } from '#actions/alerts/channels.ts'
import { proveDomainsAgain } from '#actions/brands/domains.ts'
import { watchConversations } from '#actions/conversations/watch.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { SWEEP_FAILED, sweepTables } from '#actions/retention.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { findNewestInstant } from '#db/admin/inspection.ts'
import type { WorkEngine } from '#db/engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { listStoredNames } from '#db/stored-files.ts'
import type { RateLimits } from '#domain/rate-counters.ts'
import { createChannels } from '#mail/channels/index.ts'
import { createDomainProof } from '#mail/domain-proof.ts'
import { createGuard } from '#mail/guarded-request.ts'
import type { Mailer } from '#mail/mailer.ts'
import { openBot } from '#mail/telegram/api.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'
import { collectLater } from '#server/collect.ts'

type FirstDeps = Pick<ActionDeps, 'config' | 'clock' | 'log' | 'secretKey' | 'files'> & {
  mailer: Mailer
  /** undefined on a thread, whose alerts are not counted */
  rateLimits?: RateLimits
}

/** Opens the dependencies of actions other than the database. */
export async function openActions(
  deps: FirstDeps,
  engine: WorkEngine,
): Promise<Omit<ActionDeps, keyof FirstDeps>> {
  const { config, clock, mailer, rateLimits, secretKey } = deps
  const { timezone } = config
  const db = await engine.queries()
  const sessions = createSessions(db, clock, timezone)
  const outbox = openOutbox(db, secretKey, clock, mailer.configured, timezone, rateLimits)
  const telegram = openBot(config)
  const channels = createChannels({ config, secretKey, clock, telegram })
  const domainProof = createDomainProof(createGuard(config))
  const late = { db, sessions, outbox, channels, domainProof, telegram, google: undefined }
  outbox.onUnreachable(aboutUnreachable({ ...deps, ...late }))
  return late
}

/** Adds the dependencies that a stranger's scan does not need. A start does not wait for them. */
export async function completeDeps(deps: FinderDeps, engine: WorkEngine): Promise<Deps> {
  const late = await openActions(deps, engine)
  const { clock, log, config } = deps
  const isLimited = config.rateLimits
  const collect = () => collectLater(0)
  const conversationWatch = watchConversations({ db: late.db, clock, log, isLimited, collect })
  return Object.assign(deps, { ...late, conversationWatch })
}

/** Removes files that a crash left, and logs which stored files are missing. */
export async function sweepFiles({ db, files, log }: ActionDeps, startedAt: Date): Promise<void> {
  try {
    const { temporary, orphans, missing } = await files.sweep(() => listStoredNames(db), startedAt)
    if (temporary + orphans.length > 0) log.info({ temporary, orphans }, 'stray files removed')
    if (missing.length > 0) log.error({ missing }, 'stored files are missing')
  } catch (error) {
    log.error({ err: error }, 'the search for stray files failed')
  }
}

/** Often enough to delete old rows on their last day. */
const SWEEP_EVERY_MS = 6 * 3_600_000
/** Such a leap means a wrong clock rather than a server that was off. */
const LEAP_MS = 365 * 86_400_000

/**
 * Deletes old entries now and every six hours. The returned function stops it after its current step. It
 * skips one sweep after a leap of the clock, because a wrong clock must not delete everything at once.
 */
export function keepSweeping(deps: ActionDeps): () => Promise<void> {
  const stopping = new AbortController()
  let sweeping = Promise.resolve()
  let lookedAt: number | undefined
  const sweep = async () => {
    const now = deps.clock().getTime()
    const before = lookedAt ?? Date.parse((await findNewestInstant(deps.db)) ?? '')
    lookedAt = now
    if (now - before > LEAP_MS) deps.log.warn(LEAP)
    else await sweepAll(deps, stopping.signal)
  }
  const begin = () => {
    sweeping = sweeping.then(sweep).catch((err) => deps.log.error({ err }, SWEEP_FAILED))
  }
  begin()
  const timer = setInterval(begin, SWEEP_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    stopping.abort()
    return sweeping
  }
}

const LEAP = 'the clock is years after the newest entry: what is old is not deleted for six hours'

/** Runs all sweeps. A failure of one does not stop the others. */
async function sweepAll(deps: ActionDeps, signal: AbortSignal): Promise<void> {
  const sweeps = [
    () => removeDeleted(deps, signal),
    () => removeOldExports(deps),
    () => sweepTables(deps, signal),
    () => proveDomainsAgain(deps, signal),
  ]
  for (const sweep of sweeps) {
    await sweep().catch((err) => deps.log.error({ err }, SWEEP_FAILED))
  }
}
