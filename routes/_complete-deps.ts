import { KEY_FILE } from '#db/data-folder.ts'
import type { DatabaseFile } from '#db/database-file.ts'
import { queriesOn } from '#db/kysely.ts'
import { openOutbox } from '#db/outbox.ts'
import { isOwnKey, OTHER_KEY } from '#db/secret-key.ts'
import { createSessions } from '#db/sessions.ts'
import type { Deps, FinderDeps } from '#routes/_deps.ts'

/**
 * Adds what a start did not wait for: all that asks the database more than a stranger's scan does.
 * Warns when the key is not the one of the database.
 */
export async function completeDeps(deps: FinderDeps, { connection }: DatabaseFile): Promise<Deps> {
  const { config, clock, log, mailer, secretKey } = deps
  const db = queriesOn(connection)
  if (!(await isOwnKey(db, secretKey))) log.warn(`${KEY_FILE} ${OTHER_KEY}`)
  const sessions = createSessions(db, clock, config.timezone)
  const outbox = openOutbox(db, secretKey, clock, mailer.configured)
  return Object.assign(deps, { db, sessions, outbox, google: undefined })
}
