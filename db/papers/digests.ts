import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { inPages, PAGE_ROWS } from '#db/pages.ts'
import { type DueItem, listDue, type Reader } from '#db/papers/due.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import type { Day } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { inTransaction } from '#db/transaction.ts'
import { addDays } from '#domain/papers/due.ts'
import type { HeldShare } from '#domain/people/share.ts'
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
export type Digest = {
  accountId: string
  /** of a person: what one owner shares with them */
  share?: HeldShare
  items: DueItem[]
  hasMore: boolean
}

/** More than anybody reads. */
const MOST_ITEMS = 100

/** `ends`: those that there is a reminder of; `until`: the last day that counts as near. */
export type DigestRun = { ends: readonly Day[]; until: Day; now: Date }

/**
 * Returns the digests of the accounts that have a reminder due, and those of the people that they share codes with. A
 * blocked account gets none, and none is shared with its people.
 */
export async function findDigests(
  db: Db,
  accountIds: readonly string[],
  run: DigestRun,
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
    const digest = await findDigest(db, reader, run)
    if (digest) digests.push({ accountId: id, ...digest })
  }
  for (const { personId, share } of await listDigestShares(db, accountIds, run.now)) {
    // The share's id is no account's, so that this reader has nothing but the share.
    const digest = await findDigest(db, { id: share.id, parent_id: null, shares: [share] }, run)
    if (digest) digests.push({ accountId: personId, share, ...digest })
  }
  return digests
}

async function findDigest(
  db: Db,
  reader: Reader,
  { ends, until }: DigestRun,
): Promise<Pick<Digest, 'items' | 'hasMore'> | undefined> {
  const found = await listDue(db, reader, { until, limit: MOST_ITEMS + 1 })
  const hasMore = found.length > MOST_ITEMS
  const isReminded = ({ ends_on }: DueItem) => ends.includes(ends_on)
  // Papers that nobody renews are the nearest for ever, and may be more than are listed.
  const reminded = hasMore
    ? await listDue(db, reader, { days: ends, limit: MOST_ITEMS })
    : found.filter(isReminded)
  if (reminded.length === 0) return undefined
  const others = found.filter((item) => !isReminded(item))
  return { items: [...reminded, ...others].slice(0, MOST_ITEMS), hasMore }
}

/** Returns the shares of these owners with people who chose to hear of papers and services that are due. */
async function listDigestShares(
  db: Db,
  ownerIds: readonly string[],
  now: Date,
): Promise<{ personId: string; share: HeldShare }[]> {
  const people = await db
    .selectFrom('shares')
    .innerJoin('alert_choices', 'alert_choices.account_id', 'shares.person_id')
    .select('alert_choices.account_id as id')
    .distinct()
    .where('owner_id', 'in', ownerIds)
    .where('is_shared', '=', 1)
    .where('event', '=', 'due')
    .where('is_on', '=', 1)
    .execute()
  const held: { personId: string; share: HeldShare }[] = []
  for (const { id: personId } of people) {
    for (const share of await listHeldShares(db, personId, now)) {
      if (ownerIds.includes(share.owner_id)) held.push({ personId, share })
    }
  }
  return held
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
      if (!(await noteDigest(trx, digest, day))) continue
      await notify(trx, digest)
      made++
    }
    return made
  })
}

/** Returns whether this is the first digest of its kind on a day. */
async function noteDigest(trx: Trx, { accountId, share }: Digest, day: Day): Promise<boolean> {
  const first = share
    ? await trx
        .insertInto('shared_digests')
        .values({ share_id: share.id, day })
        .onConflict((row) => row.doNothing())
        .returning('day')
        .executeTakeFirst()
    : await trx
        .insertInto('due_digests')
        .values({ account_id: accountId, day })
        .onConflict((row) => row.doNothing())
        .returning('day')
        .executeTakeFirst()
  return first !== undefined
}

/** Longer than a clock that was wrong is, so that no day comes twice. */
const KEPT_DAYS = 400

/** Deletes the days of old digests. */
export const forgetDigests: Sweep = async (db, { now, timezone }) => {
  const before = addDays(toDayIn(timezone, now), -KEPT_DAYS)
  await inTransaction(db, async (trx) => {
    for (const table of ['due_digests', 'shared_digests'] as const) {
      await trx.deleteFrom(table).where('day', '<', before).execute()
    }
  })
}
