import { sql, type Transaction } from 'kysely'
import { findAccountByContact } from '#db/accounts.ts'
import { secondsAfter, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Account, PasswordResetRequestsTable, QrCode, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import type { Contact } from '#domain/contact.ts'
import { DomainError } from '#domain/error.ts'
import { RESET_DECISIONS, RESET_LINK_HOURS, type ResetAction } from '#domain/password-reset.ts'

/**
 * Asks a code's owner for a new password, if the contact is that of the code's child user; one
 * request of a child waits at a time. Nobody is told which: it takes one write to the disk
 * whatever comes of it, because that is what takes time.
 */
export async function fileResetRequest(
  db: Db,
  { qrId, contact }: { qrId: string; contact: Contact | undefined },
  now: Date,
): Promise<void> {
  await db.transaction().execute(async (trx) => {
    await writeAnyway(trx)
    const child = await findChildOf(trx, qrId, contact)
    if (!child) return
    const request = { id: randomId(), qr_id: qrId, child_account_id: child.id }
    await trx
      .insertInto('password_reset_requests')
      .values({ ...request, status: 'pending', requested_at: toInstant(now) })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
  })
}

/** A value of its own each time: what is the same as before is not written. */
async function writeAnyway(trx: Transaction<Tables>): Promise<void> {
  const value = randomId()
  await trx
    .insertInto('meta')
    .values({ key: 'last_reset_request', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

async function findChildOf(
  trx: Transaction<Tables>,
  qrId: string,
  contact: Contact | undefined,
): Promise<Account | undefined> {
  const account = await findAccountByContact(trx, contact)
  if (account?.is_active !== toFlag(true)) return undefined
  const code = await trx
    .selectFrom('qr_codes')
    .select('id')
    .where('qr_id', '=', qrId)
    .where('child_account_id', '=', account.id)
    .executeTakeFirst()
  return code && account
}

export type ResetRequest = Omit<PasswordResetRequestsTable, 'child_account_id' | 'processed_by'> &
  Pick<QrCode, 'vehicle_make_model' | 'city_area' | 'owner_name'> & {
    child_name: string
    child_email: string | null
    child_mobile: string | null
  }

/** What was asked of an owner: what waits first, then the newest. */
export async function listResetRequests(db: DbOrTrx, ownerId: string): Promise<ResetRequest[]> {
  return selectRequests(db, ownerId)
    .orderBy(({ eb }) => eb('status', '=', 'pending'), 'desc')
    .orderBy('requested_at', 'desc')
    .orderBy('password_reset_requests.id')
    .execute()
}

function selectRequests(db: DbOrTrx, ownerId: string) {
  return db
    .selectFrom('password_reset_requests')
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'password_reset_requests.qr_id')
    .innerJoin('accounts', 'accounts.id', 'password_reset_requests.child_account_id')
    .select(['password_reset_requests.id', 'password_reset_requests.qr_id', 'status'])
    .select(['requested_at', 'processed_at', 'vehicle_make_model', 'city_area', 'owner_name'])
    .select(['accounts.name as child_name', 'accounts.email as child_email'])
    .select('accounts.mobile as child_mobile')
    .where('qr_codes.owner_id', '=', ownerId)
}

/** Every tab of the dashboard asks: found by the owner's children, who are fewer than the codes. */
export async function countPendingResets(db: DbOrTrx, ownerId: string): Promise<number> {
  const { count } = await db
    .selectFrom('accounts')
    .innerJoin('password_reset_requests', 'password_reset_requests.child_account_id', 'accounts.id')
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'password_reset_requests.qr_id')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('accounts.parent_id', '=', ownerId)
    .where('qr_codes.owner_id', '=', ownerId)
    // Only a value that stands in the statement lets the index of pending requests be used.
    .where('status', '=', sql.lit('pending'))
    .executeTakeFirstOrThrow()
  return count
}

export type Decision = { requestId: string; action: ResetAction; tokenHash: string }

/**
 * Decides a request, once. An approval makes the token live for 24 hours, in place of any that
 * the child has not used yet. Throws not_found for what is not the owner's to decide, and conflict
 * for what is decided.
 */
export async function decideResetRequest(
  db: Db,
  ownerId: string,
  { requestId, action, tokenHash }: Decision,
  now: Date,
): Promise<ResetRequest> {
  return db.transaction().execute(async (trx) => {
    const request = await selectRequests(trx, ownerId)
      .where('password_reset_requests.id', '=', requestId)
      .executeTakeFirst()
    if (!request) throw new DomainError('not_found', 'Password reset request not found')
    const { status } = RESET_DECISIONS[action]
    const decided = await trx
      .updateTable('password_reset_requests')
      .set({ status, processed_at: toInstant(now), processed_by: ownerId })
      .where('id', '=', requestId)
      .where('status', '=', 'pending')
      .returning(['child_account_id', 'status', 'processed_at'])
      .executeTakeFirst()
    if (!decided) throw new DomainError('conflict', 'This request has already been decided')
    const { child_account_id, ...decision } = decided
    if (action === 'approve') {
      await makeLink(trx, { child_account_id, requestId, tokenHash }, now)
    }
    return { ...request, ...decision }
  })
}

async function makeLink(
  trx: Transaction<Tables>,
  link: { child_account_id: string; requestId: string; tokenHash: string },
  now: Date,
): Promise<void> {
  await forgetOpenLinks(trx, link.child_account_id)
  await trx
    .insertInto('password_reset_tokens')
    .values({
      token_hash: link.tokenHash,
      account_id: link.child_account_id,
      request_id: link.requestId,
      expires_at: toInstant(secondsAfter(now, RESET_LINK_HOURS * 3600)),
    })
    .execute()
}

/** A password that is set in whatever way closes the links that were still open. */
export async function forgetOpenLinks(db: DbOrTrx, accountId: string): Promise<void> {
  await db
    .deleteFrom('password_reset_tokens')
    .where('account_id', '=', accountId)
    .where('used_at', 'is', null)
    .execute()
}
