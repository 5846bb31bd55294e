import type Sqlite from 'better-sqlite3'
import type { Instant } from '#db/schema.ts'

/** The installation that a database says it is of. */
export function findInstallId(connection: Sqlite.Database): string | undefined {
  return connection.prepare("select value from meta where key = 'install_id'").pluck().get() as
    | string
    | undefined
}

/** The newest time that stands in the database: the clock should be past it. */
export function findNewestInstant(connection: Sqlite.Database): Instant | undefined {
  const newest = connection.prepare(`
    select max(at) from (
      select max(created_at) as at from accounts
      union all select max(created_at) from qr_codes
      union all select max(last_used_at) from sessions
      union all select max(happened_at) from audit_events
    )`)
  return (newest.pluck().get() as Instant | null) ?? undefined
}

/** How many mails wait in the outbox, and since when the oldest does. */
export function findWaitingMails(connection: Sqlite.Database): {
  waiting: number
  oldest: Instant | null
} {
  const outbox = connection.prepare(
    'select count(*) as waiting, min(created_at) as oldest from outbox',
  )
  return outbox.get() as ReturnType<typeof findWaitingMails>
}

/** Whether a code has a PIN, which cannot be checked without the secret key. */
export function hasPins(connection: Sqlite.Database): boolean {
  const first = connection.prepare('select 1 from qr_codes where pin_hash is not null limit 1')
  return first.get() !== undefined
}

/** Whether there is anything yet that somebody would miss. */
export function hasAccounts(connection: Sqlite.Database): boolean {
  return connection.prepare('select 1 from accounts limit 1').get() !== undefined
}
