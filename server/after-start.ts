import { sweepConversations } from '#actions/conversations/retention.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import type { Engine } from '#db/engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { isOwnKey, OTHER_KEY } from '#db/secret-key.ts'
import { KEY_FILE } from '#db/sqlite/data-folder.ts'
import { listStoredNames } from '#db/stored-files.ts'
import { watchConversations } from '#routes/_http/conversations/watch.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'

/**
 * Adds what a start did not wait for: all that asks the database more than a stranger's scan does.
 * Warns when the key is not the one of the database.
 */
export async function completeDeps(deps: FinderDeps, engine: Engine): Promise<Deps> {
  const { config, clock, log, mailer, secretKey } = deps
  const db = await engine.queries()
  if (!(await isOwnKey(db, secretKey))) log.warn(`${KEY_FILE} ${OTHER_KEY}`)
  const sessions = createSessions(db, clock, config.timezone)
  const outbox = openOutbox(db, secretKey, clock, mailer.configured)
  const isLimited = config.rateLimits
  const conversationWatch = watchConversations({ db, clock, log, isLimited })
  return Object.assign(deps, { db, sessions, outbox, conversationWatch, google: undefined })
}

/** Removes the files that a crash left, and says which are missing. */
export async function sweepFiles({ db, files, log }: Deps, startedAt: Date): Promise<void> {
  try {
    const { temporary, orphans, missing } = await files.sweep(() => listStoredNames(db), startedAt)
    if (temporary + orphans.length > 0) log.info({ temporary, orphans }, 'stray files removed')
    if (missing.length > 0) log.error({ missing }, 'stored files are missing')
  } catch (error) {
    log.error({ err: error }, 'stray files could not be looked for')
  }
}

/** What is to go after so many days goes on that day. */
const SWEEP_EVERY_MS = 6 * 3_600_000

/** Sweeps old conversations now and every six hours; the answer stops it after the current one. */
export function keepSweeping(deps: Deps): () => Promise<void> {
  let sweeping = Promise.resolve()
  const sweep = () => {
    sweeping = sweepConversations(deps).catch((err) => {
      deps.log.error({ err }, 'old conversations could not be swept')
    })
  }
  sweep()
  const timer = setInterval(sweep, SWEEP_EVERY_MS).unref()
  return () => {
    clearInterval(timer)
    return sweeping
  }
}
