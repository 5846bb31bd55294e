import type Sqlite from 'better-sqlite3'
import type { Account, Instant } from '#db/schema.ts'

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

type RoleHolder = Pick<Account, 'parent_id' | 'email_verified_at' | 'role'> & { contact: string }

/** Who has a role beyond a client's, now or once what is for a time ends. */
export function listRoleHolders(connection: Sqlite.Database): RoleHolder[] {
  const holders = connection.prepare(`
    select coalesce(email, mobile, id) as contact, parent_id, email_verified_at, accounts.role
    from accounts where role != 'client'
    union
    select coalesce(email, mobile, id), parent_id, email_verified_at, later.role
    from temporary_permissions as later join accounts on accounts.id = later.account_id
    where later.role != 'client'
    order by contact`)
  return holders.all() as RoleHolder[]
}
