import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Account, QrCode } from '#db/schema.ts'
import type { Contacts } from '#domain/accounts/contact.ts'
import { DomainError } from '#domain/error.ts'

/** A child user who waits for the owner of their code. */
export type Ward = Pick<Account, 'id' | 'name' | keyof Contacts> &
  Pick<QrCode, 'qr_id' | 'owner_id'>

type Written = Partial<Omit<QrCode, 'id'>>
/** The columns of a code that a registration changed, each with its earlier and its later value. */
export type Changes = { [Column in keyof Written]: [QrCode[Column], QrCode[Column]] }

export function changesOf(code: QrCode, written: Written): Changes {
  const columns = Object.keys(written) as (keyof Written)[]
  const changed = columns.filter((column) => written[column] !== code[column])
  return Object.fromEntries(changed.map((column) => [column, [code[column], written[column]]]))
}

/** Lets the account of a child user wait for its guardian, as a step of its registration. Stores the registration's changes of the code. */
export async function waitForGuardian(
  trx: DbOrTrx,
  { id: account_id }: Pick<Account, 'id'>,
  { id: code_id }: Pick<QrCode, 'id'>,
  changes: Changes,
  now: Date,
): Promise<void> {
  const row = { account_id, code_id, changes: JSON.stringify(changes), asked_at: toInstant(now) }
  await trx.insertInto('guardian_waits').values(row).execute()
}

export async function waitsForGuardian(db: DbOrTrx, accountId: string): Promise<boolean> {
  const row = await db
    .selectFrom('guardian_waits')
    .select('account_id')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row !== undefined
}

/** Throws forbidden for an account that waits: nobody signs in to it, and no code of a mail changes it. */
export async function assertNoWait(db: DbOrTrx, accountId: string): Promise<void> {
  if (await waitsForGuardian(db, accountId)) throw new DomainError('forbidden.guardian')
}

/**
 * Removes the accounts that wait for the owner of codes which are about to be deleted or handed over: nobody can
 * confirm them any more, and without their wait they would work unconfirmed.
 */
export async function removeWards(trx: DbOrTrx, qrIds: string[]): Promise<void> {
  const waits = await trx
    .deleteFrom('guardian_waits')
    .where('code_id', 'in', (eb) =>
      eb.selectFrom('qr_codes').select('id').where('qr_id', 'in', qrIds),
    )
    .returning('account_id')
    .execute()
  if (waits.length === 0) return
  const ids = waits.map(({ account_id }) => account_id)
  const nobody = { child_account_id: null }
  await trx.updateTable('qr_codes').set(nobody).where('child_account_id', 'in', ids).execute()
  await trx.deleteFrom('accounts').where('id', 'in', ids).execute()
}

/** Lists the child users who wait for the owner of codes, the longest wait first. */
export async function listWards(db: DbOrTrx, ownerId: string): Promise<Ward[]> {
  return wardsOf(db, ownerId)
    .select(['accounts.id', 'accounts.name', 'accounts.email', 'accounts.mobile'])
    .select('accounts.login_id')
    .select(['qr_codes.qr_id', 'qr_codes.owner_id'])
    .orderBy('asked_at')
    .orderBy('accounts.id')
    .execute()
}

/** Returns the wards of an owner. The query starts from the owner's children, who are fewer than the codes. */
export function wardsOf(db: DbOrTrx, ownerId: string) {
  return db
    .selectFrom('accounts')
    .innerJoin('guardian_waits', 'guardian_waits.account_id', 'accounts.id')
    .innerJoin('qr_codes', 'qr_codes.id', 'guardian_waits.code_id')
    .where('accounts.parent_id', '=', ownerId)
    .where('qr_codes.owner_id', '=', ownerId)
}

/**
 * Records that the caller confirms to be the guardian of a child user, whose account works from then on. A form that is
 * sent again because its answer was lost changes nothing. Throws not_found unless the child is this owner's.
 */
export async function confirmWard(
  db: Db,
  caller: Caller,
  childId: string,
  notify: Notify<Ward>,
): Promise<void> {
  await inTransactionOf(db, caller, async (trx) => {
    const ward = (await listWards(trx, caller.accountId)).find(({ id }) => id === childId)
    if (!ward && (await worksFor(trx, caller.accountId, childId))) return
    if (!ward) throw new DomainError('not_found.guardian_request')
    await trx.deleteFrom('guardian_waits').where('account_id', '=', childId).execute()
    await notify(trx, ward)
  })
}

/** Checks whether the account of an owner's child user waits for nobody. */
async function worksFor(trx: DbOrTrx, ownerId: string, childId: string): Promise<boolean> {
  const child = await trx
    .selectFrom('accounts')
    .select('id')
    .where('id', '=', childId)
    .where('parent_id', '=', ownerId)
    .executeTakeFirst()
  return child !== undefined && !(await waitsForGuardian(trx, childId))
}
