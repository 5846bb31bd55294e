import { sql } from 'kysely'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, Instant, QrCode, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { Contact } from '#domain/accounts/contact.ts'
import type { Lang } from '#locales/languages.ts'

/** A reset request, for the code's owner. */
export type FiledRequest = Pick<
  QrCode,
  'qr_id' | 'owner_id' | 'vehicle_registration' | 'owner_name'
> & { child_name: string }

/** `lang` is that of the page on which it was asked. */
export type ResetRequestInput = { qrId: string; contact: Contact | undefined; lang: Lang }

/**
 * Requests a new password from a code's owner, if the contact belongs to the code's child user. A
 * child has one pending request at a time. In any case one write is flushed to the disk, so that
 * the time of the answer does not show whether the contact matched.
 */
export async function fileResetRequest(
  db: Db,
  { qrId, contact, lang }: ResetRequestInput,
  now: Date,
  notify?: Notify<FiledRequest>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    await writeAnyway(trx)
    const found = await findChildOf(trx, qrId, contact)
    if (!found) return
    const { child, code } = found
    const request = { id: randomId(), qr_id: qrId, child_account_id: child.id, lang }
    const { numInsertedOrUpdatedRows } = await trx
      .insertInto('password_reset_requests')
      .values({ ...request, status: 'pending', requested_at: toInstant(now) })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirst()
    if (numInsertedOrUpdatedRows) await notify?.(trx, { ...code, child_name: child.name })
  })
}

/** Writes a new value each time, because an unchanged one is not flushed. */
async function writeAnyway(trx: Trx): Promise<void> {
  const value = randomId()
  await trx
    .insertInto('meta')
    .values({ key: 'last_reset_request', value })
    .onConflict((conflict) => conflict.column('key').doUpdateSet({ value }))
    .execute()
}

async function findChildOf(
  trx: Trx,
  qrId: string,
  contact: Contact | undefined,
): Promise<{ child: Account; code: Omit<FiledRequest, 'child_name'> } | undefined> {
  const account = await findAccountByContact(trx, contact)
  if (account?.is_active !== toFlag(true)) return undefined
  const code = await trx
    .selectFrom('qr_codes')
    .select(['qr_id', 'owner_id', 'vehicle_registration', 'owner_name'])
    .where('qr_id', '=', qrId)
    .where('child_account_id', '=', account.id)
    .executeTakeFirst()
  return code && { child: account, code }
}

export type ResetRequest = Omit<
  Tables['password_reset_requests'],
  'child_account_id' | 'processed_by'
> &
  Pick<QrCode, 'vehicle_make_model' | 'city_area' | 'owner_name'> & {
    child_name: string
    child_email: string | null
    /** not null when the child's address is verified: then links are only mailed to it */
    child_verified_at: Instant | null
    child_mobile: string | null
    child_login_id: string | null
  }

/** Returns the requests to an owner: pending ones first, then the newest. */
export async function listResetRequests(db: DbOrTrx, ownerId: string): Promise<ResetRequest[]> {
  return selectRequests(db, ownerId)
    .orderBy(({ eb }) => eb('status', '=', 'pending'), 'desc')
    .orderBy('requested_at', 'desc')
    .orderBy('password_reset_requests.id')
    .execute()
}

/** Returns the requests that an owner may decide. */
export function selectRequests(db: DbOrTrx, ownerId: string) {
  return db
    .selectFrom('password_reset_requests')
    .innerJoin('qr_codes', 'qr_codes.qr_id', 'password_reset_requests.qr_id')
    .innerJoin('accounts', 'accounts.id', 'password_reset_requests.child_account_id')
    .select(['password_reset_requests.id', 'password_reset_requests.qr_id', 'status', 'lang'])
    .select(['requested_at', 'processed_at', 'vehicle_make_model', 'city_area', 'owner_name'])
    .select(['accounts.name as child_name', 'accounts.email as child_email'])
    .select(['accounts.email_verified_at as child_verified_at', 'child_answer'])
    .select(['accounts.mobile as child_mobile', 'accounts.login_id as child_login_id'])
    .where('qr_codes.owner_id', '=', ownerId)
}

/**
 * Returns how many requests wait for an owner. The query starts from the owner's children, who are fewer than the
 * codes.
 */
export function pendingResets(db: DbOrTrx, ownerId: string) {
  return (
    db
      .selectFrom('accounts')
      .innerJoin(
        'password_reset_requests',
        'password_reset_requests.child_account_id',
        'accounts.id',
      )
      .innerJoin('qr_codes', 'qr_codes.qr_id', 'password_reset_requests.qr_id')
      .select(({ fn }) => fn.countAll<number>().as('count'))
      .where('accounts.parent_id', '=', ownerId)
      .where('qr_codes.owner_id', '=', ownerId)
      // Only a value that stands in the statement lets the index of pending requests be used.
      .where(sql<boolean>`status = 'pending'`)
  )
}
