import { type SqlBool, sql, type Updateable } from 'kysely'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { noteChanges } from '#db/conversations/changes.ts'
import { NOTHING_SHARED, photoFilesOf } from '#db/conversations/endings.ts'
import { PAGE_ROWS } from '#db/pages.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import { DECIDED_LIFETIME } from '#domain/conversations/moderation.ts'
import { LIFETIMES, SENDER_DAYS } from '#domain/conversations/rules.ts'
import { DAY } from '#domain/rate-limits.ts'

type Found = Pick<
  Tables['conversations'],
  'id' | 'account_id' | 'photo_name' | 'photo_thumbnail_name' | 'last_message_at'
>

/**
 * Closes, empties and removes conversations that are old enough, and removes the fingerprints of their
 * senders. Returns the names of the photos that they had.
 */
export const sweepConversations: Sweep = async (db, { now }) => {
  await closeOldConversations(db, now)
  const emptied = await forgetShared(db, now)
  const removed = await removeOldConversations(db, now)
  await forgetSenders(db, now)
  return [...emptied, ...removed]
}

/**
 * Closes conversations and answered tickets in which nobody has written for 30 days. They count as closed
 * since then, so that a late sweep keeps nothing for longer.
 */
export async function closeOldConversations(db: Db, now: Date): Promise<void> {
  const before = secondsBefore(now, LIFETIMES.open)
  await inTurns(db, async (trx) => {
    const old = await trx
      .selectFrom('conversations')
      .selectAll()
      // In words, or the index for these is not found.
      .where(sql<SqlBool>`status in ('open', 'waiting')`)
      // A ticket that waits for the support is not over.
      .where(sql<SqlBool>`(kind = 'finder' or status = 'waiting')`)
      .where('last_message_at', '<=', before)
      .orderBy('last_message_at')
      .limit(PAGE_ROWS)
      .execute()
    for (const each of old) {
      const closed_at = toInstant(secondsAfter(new Date(each.last_message_at), LIFETIMES.open))
      await change(trx, [each], { status: 'closed', closed_at })
    }
    await noteChanges(trx, old, now)
    return old
  })
}

/** Empties place, location, photo and contact of conversations that were closed 30 days ago. */
async function forgetShared(db: Db, now: Date): Promise<string[]> {
  const before = secondsBefore(now, LIFETIMES.shared)
  const forgotten = await inTurns(db, async (trx) => {
    const old = await trx
      .selectFrom('conversations')
      .selectAll()
      .where('closed_at', '<=', before)
      .where(({ eb, or }) =>
        or([
          eb('place', 'is not', null),
          eb('latitude', 'is not', null),
          eb('photo_name', 'is not', null),
          eb('reply_to', 'is not', null),
        ]),
      )
      .limit(PAGE_ROWS)
      .execute()
    await change(trx, old, NOTHING_SHARED)
    await noteChanges(trx, old, now)
    return old
  })
  return forgotten.flatMap(photoFilesOf)
}

/** Removes conversations with finders that were closed 90 days ago. */
async function removeOldConversations(db: Db, now: Date): Promise<string[]> {
  const before = secondsBefore(now, LIFETIMES.closed)
  const removed = await inTurns(db, async (trx) => {
    const old = await trx
      .selectFrom('conversations')
      .selectAll()
      .where('closed_at', '<=', before)
      // Tickets stay as long as the account.
      .where('kind', '=', 'finder')
      .orderBy('closed_at')
      .limit(PAGE_ROWS)
      .execute()
    await trx.deleteFrom('conversations').where('id', 'in', idsOf(old)).execute()
    await noteChanges(trx, old, now)
    return old
  })
  return removed.flatMap(photoFilesOf)
}

async function forgetSenders(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .updateTable('conversations')
      .set({ sender_hash: null, browser_hash: null, network_hash: null })
      .where(({ eb, or }) =>
        or([eb('sender_hash', 'is not', null), eb('network_hash', 'is not', null)]),
      )
      .where('created_at', '<=', secondsBefore(now, SENDER_DAYS * DAY))
      .execute()
  })
}

/** Deletes changes that every event stream has read. */
export const forgetOldChanges: Sweep = async (db, { now }) => {
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('conversation_changes')
      .where('changed_at', '<=', secondsBefore(now, DAY))
      // The numbers continue from the newest one.
      .where('n', '<', ({ selectFrom }) =>
        selectFrom('conversation_changes').select(({ fn }) => fn.max<number>('n').as('newest')),
      )
      .execute()
  })
}

/** Repeats a transaction about some rows until it finds no more. Returns all rows that it found. */
async function inTurns(
  db: Db,
  act: (trx: Trx) => Promise<Tables['conversations'][]>,
): Promise<Found[]> {
  const all: Found[] = []
  for (;;) {
    const some = await inTransaction(db, act)
    all.push(...some)
    if (some.length < PAGE_ROWS) return all
  }
}

async function change(
  trx: Trx,
  rows: Tables['conversations'][],
  columns: Updateable<Tables['conversations']>,
): Promise<void> {
  await trx.updateTable('conversations').set(columns).where('id', 'in', idsOf(rows)).execute()
}

function idsOf(rows: Tables['conversations'][]): string[] {
  return rows.map(({ id }) => id)
}

function secondsBefore(now: Date, seconds: number): Instant {
  return toInstant(secondsAfter(now, -seconds))
}

/**
 * Removes reports that were decided 90 days ago, but none that still keeps a code or an image
 * switched off: opening it again is the way back.
 */
export const removeDecidedReports: Sweep = async (db, { now }) => {
  await inTransaction(db, async (trx) => {
    await trx
      .deleteFrom('reports')
      .where('status', '=', 'decided')
      .where('decided_at', '<=', toInstant(secondsAfter(now, -DECIDED_LIFETIME)))
      .where(({ not, exists, selectFrom }) =>
        not(
          exists(
            selectFrom('qr_codes')
              .select('qr_codes.id')
              .whereRef('qr_codes.qr_id', '=', 'reports.qr_id')
              .whereRef('stopped_by_report', '=', 'reports.id'),
          ),
        ),
      )
      .where(({ or, eb, not, exists, selectFrom }) =>
        or([
          eb('action', '!=', 'hide_popup_image'),
          not(
            exists(
              selectFrom('popup_images')
                .select('popup_images.id')
                .whereRef('hidden_by_report', '=', 'reports.id'),
            ),
          ),
        ]),
      )
      .execute()
  })
}
