import { findAccount, getAccount } from '#db/accounts/accounts.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { fromFlag, secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { getOwnRow } from '#db/codes/qr-codes.ts'
import type { Viewer } from '#db/codes/seen-by.ts'
import type { Notify } from '#db/outbox.ts'
import { listHeldShares } from '#db/people/held-shares.ts'
import type { Account, Instant, QrCode, Tables } from '#db/schema.ts'
import { hashToken, randomId, randomToken } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import { has, ownersOnly } from '#domain/people/roles.ts'
import { accessTo } from '#domain/people/share.ts'
import { HOUR } from '#domain/rate-limits.ts'
import {
  assertTransferable,
  TRANSFER_HOURS,
  type TransferInput,
  transferNotFound,
} from '#domain/transfers/transfer.ts'

/** The name of a code for people. */
export type KnownCode = Pick<QrCode, 'qr_id' | 'vehicle_registration'>

/** A transfer that has just begun. Only this has its token. */
export type NewTransfer = TransferInput & {
  id: string
  token: string
  expires_at: Instant
  from: Account
  code: KnownCode
}

/**
 * Begins to hand a code over to the owner of an e-mail address, for 72 hours. `notify` gets the
 * token. Throws not_found, forbidden for the code's child user, invalid for an own address,
 * conflict for a code that cannot be handed over or is on its way already, and unauthenticated when
 * the session has ended.
 */
export async function startTransfer(
  db: Db,
  caller: Caller,
  qrId: string,
  { email, include_documents }: TransferInput,
  now: Date,
  notify: Notify<NewTransfer>,
): Promise<Pick<NewTransfer, 'id' | 'expires_at'>> {
  return inTransactionOf(db, caller, async (trx) => {
    const from = await getAccount(trx, caller.accountId)
    const viewer = { ...from, shares: await listHeldShares(trx, from.id, now) }
    const code = await getOwnersRow(trx, viewer, qrId)
    assertTransferable(code, now)
    await assertNotOwnAddress(trx, from, email)
    await forgetExpired(trx, now)
    const [id, token] = [randomId(), randomToken()]
    const expires_at = toInstant(secondsAfter(now, TRANSFER_HOURS * HOUR))
    const parties = { code_id: code.id, from_account_id: from.id, email }
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('transfers')
      .values({
        id,
        ...parties,
        include_documents: toFlag(include_documents),
        token_hash: hashToken(token),
        created_at: toInstant(now),
        expires_at,
      })
      .onConflict((conflict) => conflict.column('code_id').doNothing())
      .executeTakeFirstOrThrow()
    if (!numInsertedOrUpdatedRows) throw new DomainError('conflict.transfer_under_way')
    await notify(trx, { id, token, email, include_documents, expires_at, from, code })
    return { id, expires_at }
  })
}

/** The row of a code for its owner alone. Throws not_found, and forbidden for its child user. */
async function getOwnersRow(trx: Trx, viewer: Viewer, qrId: string): Promise<QrCode> {
  const code = await getOwnRow(trx, viewer, qrId, 'look')
  const access = accessTo(viewer, code)
  if (!has(access, 'own')) throw ownersOnly(access, 'forbidden.transfer')
  return code
}

/** Only what the owner knows anyway is refused here: the answer does not say whose address it is. */
async function assertNotOwnAddress(trx: Trx, from: Account, email: string): Promise<void> {
  if (email === from.email) throw new DomainError('invalid.transfer_to_self')
  const child = await trx
    .selectFrom('accounts')
    .select('id')
    .where('email', '=', email)
    .where('parent_id', '=', from.id)
    .executeTakeFirst()
  if (child) throw new DomainError('invalid.transfer_to_child')
}

/** Ends a transfer of the owner's. Throws not_found, and forbidden for the code's child user. */
export async function cancelTransfer(
  db: Db,
  viewer: Viewer,
  qrId: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const code = await getOwnersRow(trx, viewer, qrId)
    const { numDeletedRows } = await trx
      .deleteFrom('transfers')
      .where('code_id', '=', code.id)
      .where('expires_at', '>', toInstant(now))
      .executeTakeFirst()
    if (!numDeletedRows) throw new DomainError('not_found.transfer')
  })
}

async function forgetExpired(trx: Trx, now: Date): Promise<void> {
  await trx.deleteFrom('transfers').where('expires_at', '<=', toInstant(now)).execute()
}

/** Ends all transfers that an account has begun, because an intruder may have begun them. */
export async function endTransfers(db: DbOrTrx, accountId: string): Promise<void> {
  await db.deleteFrom('transfers').where('from_account_id', '=', accountId).execute()
}

export type PendingTransfer = Pick<Tables['transfers'], 'email' | 'expires_at'>

/** Returns which of these codes, named by their internal ids, are on their way, for the account that has them. */
export async function listTransfers(
  db: DbOrTrx,
  accountId: string,
  codeIds: string[],
  now: Date,
): Promise<Map<string, PendingTransfer>> {
  if (codeIds.length === 0) return new Map()
  const rows = await db
    .selectFrom('transfers')
    .select(['code_id', 'email', 'expires_at'])
    .where('code_id', 'in', codeIds)
    .where('from_account_id', '=', accountId)
    .where('expires_at', '>', toInstant(now))
    .execute()
  return new Map(rows.map(({ code_id, ...transfer }) => [code_id, transfer]))
}

/** Returns the code that a link leads to, for somebody who is not signed in; undefined for a dead link. */
export async function findOfferedCode(
  db: DbOrTrx,
  token: string,
  now: Date,
): Promise<string | undefined> {
  return (await selectLive(db, token, now).executeTakeFirst())?.qr_id
}

/** A transfer, for its recipient: the contents, and the present owner. */
export type OfferedTransfer = TransferInput & {
  id: string
  expires_at: Instant
  code: QrCode
  from: Account
}

/**
 * Returns the transfer of a link, for the account that has proven its e-mail; undefined for every other. Throws
 * forbidden for a child user.
 */
export async function findOfferedTransfer(
  db: DbOrTrx,
  token: string,
  to: Account | undefined,
  now: Date,
): Promise<OfferedTransfer | undefined> {
  if (!to?.email || !to.email_verified_at) return undefined
  const row = await selectLive(db, token, now)
    .where('transfers.email', '=', to.email)
    .executeTakeFirst()
  if (!row) return undefined
  if (to.parent_id) throw new DomainError('forbidden.child_takes_code')
  const { id, code_id, from_account_id, email, expires_at } = row
  const code = await db
    .selectFrom('qr_codes')
    .selectAll()
    .where('id', '=', code_id)
    .executeTakeFirst()
  const from = await findAccount(db, from_account_id)
  // Outside a transaction each may have been deleted since the row before it was read.
  if (!code || !from) return undefined
  const include_documents = fromFlag(row.include_documents)
  return { id, email, expires_at, include_documents, code, from }
}

/** Returns an offered transfer. Throws not_found too. */
export async function getOfferedTransfer(
  db: DbOrTrx,
  token: string,
  to: Account,
  now: Date,
): Promise<OfferedTransfer> {
  const offered = await findOfferedTransfer(db, token, to, now)
  if (!offered) throw transferNotFound()
  return offered
}

/** One that a blocked account has begun waits until it is unblocked. */
function selectLive(db: DbOrTrx, token: string, now: Date) {
  return db
    .selectFrom('transfers')
    .innerJoin('qr_codes', 'qr_codes.id', 'transfers.code_id')
    .innerJoin('accounts as giver', 'giver.id', 'transfers.from_account_id')
    .select(['transfers.id', 'transfers.code_id', 'transfers.from_account_id', 'qr_codes.qr_id'])
    .select(['transfers.email', 'transfers.include_documents', 'transfers.expires_at'])
    .whereRef('qr_codes.owner_id', '=', 'transfers.from_account_id')
    .where('transfers.token_hash', '=', hashToken(token))
    .where('transfers.expires_at', '>', toInstant(now))
    .where('giver.is_active', '=', toFlag(true))
}

/**
 * Counts the contents of a code for the recipient: the documents, and scans without their times. Throws
 * not_found when the code has just been deleted.
 */
export async function countWhatComes(
  db: DbOrTrx,
  { code, include_documents }: OfferedTransfer,
): Promise<{ documents: number; scans: number }> {
  const { documents, scans } = await db
    .selectFrom('qr_codes')
    .select(({ selectFrom, fn }) => [
      selectFrom('documents')
        .select(fn.countAll<number>().as('count'))
        .whereRef('documents.qr_id', '=', 'qr_codes.qr_id')
        .whereRef('documents.account_id', '=', 'qr_codes.owner_id')
        .where('is_locked', '=', toFlag(false))
        .as('documents'),
      selectFrom('scans')
        .select(fn.countAll<number>().as('count'))
        .whereRef('scans.qr_id', '=', 'qr_codes.qr_id')
        .as('scans'),
    ])
    .where('qr_codes.id', '=', code.id)
    .executeTakeFirstOrThrow(transferNotFound)
  return {
    documents: include_documents ? (documents ?? 0) : 0,
    scans: (scans ?? 0) + code.earlier_scans,
  }
}

/** Refuses a code for its recipient, once. Throws not_found, and forbidden for a child user. */
export async function declineTransfer(
  db: Db,
  { accountId }: Pick<Caller, 'accountId'>,
  token: string,
  now: Date,
  notify: Notify<OfferedTransfer>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    const offered = await getOfferedTransfer(trx, token, await getAccount(trx, accountId), now)
    await endTransfer(trx, offered)
    await notify(trx, offered)
  })
}

/** Ends one that is decided, in the transaction of the decision. Throws not_found when it is gone. */
export async function endTransfer(trx: Trx, { id }: Pick<OfferedTransfer, 'id'>): Promise<void> {
  const { numDeletedRows } = await trx
    .deleteFrom('transfers')
    .where('id', '=', id)
    .executeTakeFirst()
  if (!numDeletedRows) throw transferNotFound()
}
