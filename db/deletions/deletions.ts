import type { ExpressionBuilder } from 'kysely'
import { getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { findLastingRole, silence } from '#db/accounts/entitlements.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { type ClaimAddress, claimAddress, NO_ENDING } from '#db/codes/claims.ts'
import { endExports } from '#db/exports/exports.ts'
import type { Notify } from '#db/outbox.ts'
import { endShares } from '#db/people/people.ts'
import type { Account, Instant, QrCode, Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { endTransfers } from '#db/transfers/transfers.ts'
import { assertNamed, DELETION_DAYS, lastSuperAdmin } from '#domain/accounts/deletion.ts'

/** A code that ends with its owner's account, and the recipient of the news: its child user or its claimer. */
export type EndingCode = { qr_id: string } & ({ accountId: string } | ClaimAddress)

/** `codes` are those of others that end too. */
export type Deletion = { account: Account; ends_at: Instant; codes: EndingCode[] }

/**
 * Begins to delete the caller's account: it is signed out everywhere and as silent as a blocked one, and its codes
 * are off. Throws invalid unless its contact was `typed`, conflict for the last super admin, and unauthenticated
 * when the session has ended.
 */
export async function beginDeletion(
  db: Db,
  caller: Caller,
  { typed, tokenHash }: { typed: string; tokenHash: string },
  now: Date,
  notify: Notify<Deletion>,
): Promise<Deletion> {
  const { accountId } = caller
  return inTransactionOf(db, caller, async (trx) => {
    const account = await getAccount(trx, accountId)
    assertNamed(account, typed)
    await assertNotLastSuperAdmin(trx, account)
    const ends_at = toInstant(secondsAfter(now, DELETION_DAYS * 86_400))
    const times = { asked_at: toInstant(now), ends_at }
    // First, so that of two at once the other is repeated, and not refused by the next row's key.
    await trx
      .updateTable('accounts')
      .set({ is_active: toFlag(false) })
      .where('id', '=', accountId)
      .execute()
    await trx
      .insertInto('account_deletions')
      .values({ account_id: accountId, token_hash: tokenHash, is_active: toFlag(true), ...times })
      .execute()
    await silence(trx, accountId)
    await trx.deleteFrom('sign_in_tickets').where('account_id', '=', accountId).execute()
    await trx.deleteFrom('sign_in_codes').where('account_id', '=', accountId).execute()
    await endExports(trx, accountId)
    await endTransfers(trx, accountId)
    await endShares(trx, { owner_id: accountId })
    await trx
      .updateTable('qr_codes')
      .set({ is_active: toFlag(false), is_ending: toFlag(true) })
      .where((eb) => isUsedOrKept(eb, accountId))
      .where('is_active', '=', toFlag(true))
      .execute()
    const deletion = { account, ends_at, codes: await listEndingCodes(trx, accountId) }
    await notify(trx, deletion)
    return deletion
  })
}

/** The codes that an account uses itself, and its own that no child user has registered. */
function isUsedOrKept({ eb, or, and }: ExpressionBuilder<Tables, 'qr_codes'>, accountId: string) {
  return or([
    eb('child_account_id', '=', accountId),
    and([eb('owner_id', '=', accountId), eb('child_account_id', 'is', null)]),
  ])
}

/** The codes of an account that others use and are mailed about. */
async function listEndingCodes(trx: Trx, accountId: string): Promise<EndingCode[]> {
  const rows = await trx
    .selectFrom('qr_codes')
    .select(['qr_id', 'child_account_id', 'claim_email', 'claim_lang'])
    .where('owner_id', '=', accountId)
    .orderBy('qr_id')
    .execute()
  return rows.flatMap(toEndingCode)
}

type Used = Pick<QrCode, 'qr_id' | 'child_account_id' | 'claim_email' | 'claim_lang'>

export function toEndingCode({ qr_id, child_account_id: accountId, ...claim }: Used): EndingCode[] {
  if (accountId) return [{ qr_id, accountId }]
  const claimer = claimAddress(claim)
  return claimer ? [{ qr_id, ...claimer }] : []
}

async function assertNotLastSuperAdmin(trx: Trx, account: Account): Promise<void> {
  if ((await findLastingRole(trx, account)) !== 'super_admin') return
  await trx
    .selectFrom('accounts')
    .leftJoin('temporary_permissions', 'temporary_permissions.account_id', 'accounts.id')
    .select('accounts.id')
    .where('accounts.id', '!=', account.id)
    .where(({ eb, fn }) =>
      eb(fn.coalesce('temporary_permissions.role', 'accounts.role'), '=', 'super_admin'),
    )
    .where('accounts.is_active', '=', toFlag(true))
    .limit(1)
    .executeTakeFirstOrThrow(lastSuperAdmin)
}

/** Returns the account that a link keeps, while it can. */
export async function findDeletion(
  db: DbOrTrx,
  tokenHash: string,
  now: Date,
): Promise<Pick<Account, 'id' | 'parent_id' | 'name'> | undefined> {
  return db
    .selectFrom('account_deletions')
    .innerJoin('accounts', 'accounts.id', 'account_id')
    .select(['accounts.id', 'accounts.parent_id', 'accounts.name'])
    .where('token_hash', '=', tokenHash)
    .where('ends_at', '>', toInstant(now))
    .executeTakeFirst()
}

/** Takes a deletion back, as `endDeletion`. False when the link is no longer valid. */
export async function takeDeletionBack(db: Db, tokenHash: string, now: Date): Promise<boolean> {
  return inTransaction(db, (trx) => endDeletion(trx, { token_hash: tokenHash }, now))
}

/**
 * Takes the deletion of an account back, once, while it can be: it may sign in again, unless it was blocked
 * meanwhile, and its codes are on as they were. False when there is none.
 */
export async function endDeletion(
  trx: Trx,
  which: { token_hash: string } | { account_id: string },
  now: Date,
): Promise<boolean> {
  const taken = await trx
    .deleteFrom('account_deletions')
    .where(({ and }) => and(which))
    .where('ends_at', '>', toInstant(now))
    .returning(['account_id', 'is_active'])
    .executeTakeFirst()
  if (!taken) return false
  const { account_id, is_active } = taken
  await trx.updateTable('accounts').set({ is_active }).where('id', '=', account_id).execute()
  await trx
    .updateTable('qr_codes')
    .set(NO_ENDING)
    .where((eb) => isUsedOrKept(eb, account_id))
    .where('is_ending', '=', toFlag(true))
    .execute()
  return true
}
