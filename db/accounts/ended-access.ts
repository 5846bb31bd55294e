import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Instant, RowOf } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { EndedAccess } from '#domain/accounts/ended-access.ts'

type Row = RowOf<'ended_access'>

/** The access that ended for an account, and when. */
export type NotedEnd = EndedAccess & { ended_at: Instant }

/** Stores the ended access for a notice on the dashboard, as a step of the transaction that ended it. */
export async function noteEndedAccess(
  trx: DbOrTrx,
  accountId: string,
  { keys, links, channels, calendar, domain }: EndedAccess,
  now: Date,
): Promise<void> {
  if (keys.length + links + channels.length === 0 && !calendar && !domain) return
  const lists = { keys: JSON.stringify(keys), channels: JSON.stringify(channels) }
  const ended = { ended_at: toInstant(now), links, calendar: toFlag(calendar), domain, ...lists }
  const row = { id: randomId(), account_id: accountId, ...ended }
  await trx.insertInto('ended_access').values(row).execute()
}

/** Returns the rows of an account that it has not read. */
export function endedAccess(db: DbOrTrx, accountId: string) {
  return db.selectFrom('ended_access').where('account_id', '=', accountId)
}

/** Lists ended access that the account has not read about, the oldest first. */
export async function listEndedAccess(db: DbOrTrx, accountId: string): Promise<NotedEnd[]> {
  const rows = await endedAccess(db, accountId).selectAll().orderBy('ended_at').execute()
  return rows.map(toNotedEnd)
}

function toNotedEnd({ ended_at, links, calendar, domain, ...lists }: Row): NotedEnd {
  const named = { keys: JSON.parse(lists.keys), channels: JSON.parse(lists.channels) }
  return { ended_at, links, calendar: fromFlag(calendar), domain, ...named }
}

/** Forgets what an account has read: all that ended until a time. */
export async function forgetEndedAccess(db: Db, accountId: string, until: Instant): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('ended_access')
      .where('account_id', '=', accountId)
      .where('ended_at', '<=', until)
      .execute()
  })
}
