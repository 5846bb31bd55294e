import { createSessions } from '#db/accounts/sessions.ts'
import { KEY_FILE } from '#db/data-folder.ts'
import type { Engine } from '#db/engine.ts'
import { openOutbox } from '#db/outbox.ts'
import { isOwnKey, OTHER_KEY } from '#db/secret-key.ts'
import { listStoredNames } from '#db/stored-files.ts'
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
  return Object.assign(deps, { db, sessions, outbox, google: undefined })
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
