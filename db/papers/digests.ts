import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { inPages, PAGE_ROWS } from '#db/pages.ts'
import { type DueItem, listDue } from '#db/papers/due.ts'
import type { Day } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import { addDays } from '#domain/papers/due.ts'
import { toDayIn } from '#domain/time.ts'

/** The last day whose run is done. */
const LAST_RUN = 'due_run'

export async function findLastRun(db: DbOrTrx): Promise<Day | undefined> {
  const row = db.selectFrom('meta').select('value').where('key', '=', LAST_RUN)
  return (await row.executeTakeFirst())?.value
}

export async function noteRun(db: Db, day: Day): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('meta')
      .values({ key: LAST_RUN, value: day })
      .onConflict((row) => row.column('key').doUpdateSet({ value: day }))
      .execute()
  })
}

/** Returns whether more than `than` papers and services end on these days. Reads their indexes alone. */
export async function hasMoreEnds(db: Db, ends: readonly Day[], than: number): Promise<boolean> {
  const most = than + 1
  const documents = db.selectFrom('documents').select('id').limit(most)
  const codes = db.selectFrom('qr_codes').select('id').limit(most)
  const found = [
    await documents.where('expires_on', 'in', ends).execute(),
    await codes.where('insurance_expiry_date', 'in', ends).execute(),
    await codes.where('next_service_due', 'in', ends).execute(),
  ]
  return found.flat().length > than
}

type Holders = { id: string; owner_id: string; child_account_id: string | null }

/**
 * Yields, in pages, the accounts with a paper or service that ends on one of these days. It may have been renewed. An
 * account comes once for each such code.
 */
export async function* eachHolder(db: Db, ends: readonly Day[]): AsyncGenerator<string[]> {
  for (const end of ends) {
    for (const read of [ofDocuments, ofInsurances, ofServices]) {
      const pages = inPages<Holders>((last) => read(db, end, last?.id ?? '').execute())
      for await (const rows of pages) {
        yield rows.flatMap(({ owner_id, child_account_id: child }) =>
          child ? [owner_id, child] : [owner_id],
        )
      }
    }
  }
}

function ofDocuments(db: Db, end: Day, after: string) {
  return db
    .selectFrom('documents')
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'documents.qr_id')
    .select(['documents.id', 'owner_id', 'child_account_id'])
    .where('expires_on', '=', end)
    .where('documents.id', '>', after)
    .orderBy('documents.id')
    .limit(PAGE_ROWS)
}

const ofInsurances = (db: Db, end: Day, after: string) =>
  ofCodes(db, after).where('insurance_expiry_date', '=', end)

const ofServices = (db: Db, end: Day, after: string) =>
  ofCodes(db, after).where('next_service_due', '=', end)

function ofCodes(db: Db, after: string) {
  return db
    .selectFrom('qr_codes')
    .select(['id', 'owner_id', 'child_account_id'])
    .where('id', '>', after)
    .orderBy('id')
    .limit(PAGE_ROWS)
}

/**
 * The digest of an account on a day: first the papers with a reminder, then all others that are
 * due. `hasMore`: there are more than it lists.
 */
export type Digest = { accountId: string; items: DueItem[]; hasMore: boolean }

/** More than anybody reads. */
const MOST_ITEMS = 100

/** `ends`: those that there is a reminder of; `until`: the last day that counts as near. */
export type DigestRun = { ends: readonly Day[]; until: Day }

/** Returns the digests of the accounts that have a reminder due. A blocked account gets none. */
export async function findDigests(
  db: Db,
  accountIds: readonly string[],
  { ends, until }: DigestRun,
): Promise<Digest[]> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'parent_id'])
    .select(({ exists, selectFrom }) =>
      exists(
        selectFrom('qr_codes')
          .select('id')
          .whereRef('owner_id', '=', 'accounts.id')
          .where('child_account_id', 'is not', null),
      ).as('has_children'),
    )
    .where('id', 'in', accountIds)
    .where('is_active', '=', 1)
    .execute()
  const digests: Digest[] = []
  for (const { id, parent_id, has_children } of accounts) {
    const reader = { id, parent_id, isAlone: parent_id === null && !has_children }
    const found = await listDue(db, reader, { until, limit: MOST_ITEMS + 1 })
    const hasMore = found.length > MOST_ITEMS
    const isReminded = ({ ends_on }: DueItem) => ends.includes(ends_on)
    // Papers that nobody renews are the nearest for ever, and may be more than are listed.
    const reminded = hasMore
      ? await listDue(db, reader, { days: ends, limit: MOST_ITEMS })
      : found.filter(isReminded)
    if (reminded.length === 0) continue
    const others = found.filter((item) => !isReminded(item))
    digests.push({ accountId: id, items: [...reminded, ...others].slice(0, MOST_ITEMS), hasMore })
  }
  return digests
}

/** Makes digests of a day in one transaction, each once among concurrent callers. Returns their number. */
export async function makeDigests(
  db: Db,
  digests: readonly Digest[],
  day: Day,
  notify: Notify<Digest>,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    let made = 0
    for (const digest of digests) {
      const isFirst = await trx
        .insertInto('due_digests')
        .values({ account_id: digest.accountId, day })
        .onConflict((row) => row.doNothing())
        .returning('day')
        .executeTakeFirst()
      if (!isFirst) continue
      await notify(trx, digest)
      made++
    }
    return made
  })
}

/** Longer than a clock that was wrong is, so that no day comes twice. */
const KEPT_DAYS = 400

/** Deletes the days of old digests. */
export const forgetDigests: Sweep = async (db, { now, timezone }) => {
  const before = addDays(toDayIn(timezone, now), -KEPT_DAYS)
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('due_digests').where('day', '<', before).execute()
  })
}
