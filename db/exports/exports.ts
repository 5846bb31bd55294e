import type { ExpressionBuilder } from 'kysely'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { EXPORT_HOURS } from '#domain/accounts/export.ts'
import { SKEW_SECONDS } from '#domain/time.ts'

export type Export = Tables['exports']

/** Another server starts an export again when its server has saved no progress for this time. */
const CLAIM_SECONDS = 30

/** Begins an export of the caller's account, which replaces an earlier one. Returns the running one if there is one. */
export async function beginExport(db: Db, caller: Caller, now: Date): Promise<Export> {
  const { accountId } = caller
  return inTransactionOf(db, caller, async (trx) => {
    const earlier = await findLatestExport(trx, accountId, now)
    if (earlier?.status === 'running') return earlier
    await endExports(trx, accountId)
    const at = toInstant(now)
    const begun = {
      id: randomId(),
      account_id: accountId,
      status: 'running',
      progress: 0,
      bytes: 0,
      created_at: at,
      claimed_until: at,
      done_at: null,
    } as const
    await trx.insertInto('exports').values(begun).execute()
    return begun
  })
}

/** Returns the export of an account, unless it is too old. */
export async function findLatestExport(
  db: DbOrTrx,
  accountId: string,
  now: Date,
): Promise<Export | undefined> {
  const row = await db
    .selectFrom('exports')
    .selectAll()
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && (row.done_at === null || row.done_at > keptSince(now)) ? row : undefined
}

/** Claims the oldest waiting export for this server. Returns undefined when none waits. */
export async function claimExport(db: Db, now: Date): Promise<Export | undefined> {
  if (!(await findUnclaimed(db, now))) return undefined
  return inTransaction(db, async (trx) => {
    const free = await findUnclaimed(trx, now)
    if (!free) return undefined
    return trx
      .updateTable('exports')
      .set({ claimed_until: claimFrom(now), progress: 0 })
      .where('id', '=', free.id)
      .where('claimed_until', '=', free.claimed_until)
      .where('status', '=', 'running')
      .returningAll()
      .executeTakeFirst()
  })
}

/** Finds the oldest export that no server works on. */
function findUnclaimed(db: DbOrTrx, now: Date): Promise<Claim | undefined> {
  return db
    .selectFrom('exports')
    .select(['id', 'claimed_until'])
    .where('status', '=', 'running')
    .where((eb) => isClaimOver(eb, now))
    .orderBy('created_at')
    .limit(1)
    .executeTakeFirst()
}

/** Also ends the claim of a server whose clock was ahead when it died: it would last until that time. */
function isClaimOver({ eb, or }: ExpressionBuilder<Tables, 'exports'>, now: Date) {
  const longest = toInstant(secondsAfter(now, CLAIM_SECONDS + SKEW_SECONDS))
  return or([eb('claimed_until', '<=', toInstant(now)), eb('claimed_until', '>', longest)])
}

/** An export that a server works on, until another server claims it. */
export type Claim = Pick<Export, 'id' | 'claimed_until'>

/** Saves the progress and renews the claim. Returns undefined when another server has the export, or it is gone. */
export async function noteProgress(
  db: Db,
  claim: Claim,
  progress: number,
  now: Date,
): Promise<Claim | undefined> {
  const claimed_until = claimFrom(now)
  const isOurs = await change(db, claim, { progress, claimed_until })
  return isOurs ? { id: claim.id, claimed_until } : undefined
}

/** Marks an export as done. Returns false, and changes nothing, when the claim has ended. */
export function finishExport(db: Db, claim: Claim, bytes: number, now: Date): Promise<boolean> {
  return change(db, claim, { status: 'done', progress: 100, bytes, done_at: toInstant(now) })
}

/** Marks an export as failed. Returns false, and changes nothing, when the claim has ended. */
export function failExport(db: Db, claim: Claim, now: Date): Promise<boolean> {
  return change(db, claim, { status: 'failed', done_at: toInstant(now) })
}

/** Lets another server claim the export at once. Returns false when the claim has ended. */
export function releaseExport(db: Db, claim: Claim, now: Date): Promise<boolean> {
  return change(db, claim, { claimed_until: toInstant(now) })
}

async function change(db: Db, claim: Claim, columns: Partial<Export>): Promise<boolean> {
  const { numUpdatedRows } = await inTransaction(db, (trx: Trx) =>
    trx
      .updateTable('exports')
      .set(columns)
      .where('id', '=', claim.id)
      .where('claimed_until', '=', claim.claimed_until)
      .where('status', '=', 'running')
      .executeTakeFirstOrThrow(),
  )
  return numUpdatedRows > 0n
}

/** Returns whether an export waits or is too old. Changes nothing, so that it can be called often. */
export async function hasExportWork(db: Db, now: Date): Promise<boolean> {
  const found = await db
    .selectFrom('exports')
    .select('id')
    .where((eb) =>
      eb.or([
        eb('done_at', '<=', keptSince(now)),
        eb.and([eb('status', '=', 'running'), isClaimOver(eb, now)]),
      ]),
    )
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/** Ends what an account asked for. The next sweep removes its file, which nobody can read any more. */
export async function endExports(db: DbOrTrx, accountId: string): Promise<void> {
  await db.deleteFrom('exports').where('account_id', '=', accountId).execute()
}

/** Removes those that are too old. */
export async function forgetOldExports(db: Db, now: Date): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx.deleteFrom('exports').where('done_at', '<=', keptSince(now)).execute()
  })
}

/** Returns the ids of all exports. */
export async function listExportIds(db: DbOrTrx): Promise<string[]> {
  const rows = await db.selectFrom('exports').select('id').execute()
  return rows.map(({ id }) => id)
}

const keptSince = (now: Date) => toInstant(secondsAfter(now, -EXPORT_HOURS * 3600))
const claimFrom = (now: Date) => toInstant(secondsAfter(now, CLAIM_SECONDS))
