import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { hasFactor } from '#db/accounts/factor-state.ts'
import { forgetUnused, putRecoveryCodes } from '#db/accounts/second-factors.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { StoredPasskey } from '#db/passkeys/ceremonies.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { hashToken, randomId, type SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { MOST_PASSKEYS, passkeyNotFound, wrongPasskey } from '#domain/accounts/passkey.ts'
import { DomainError } from '#domain/error.ts'

export type ListedPasskey = Pick<Tables['passkeys'], 'id' | 'name' | 'created_at' | 'last_used_at'>

const LISTED = ['id', 'name', 'created_at', 'last_used_at'] as const

/** Returns the passkeys of an account, oldest first. */
export async function listPasskeys(db: DbOrTrx, accountId: string): Promise<ListedPasskey[]> {
  return ofAccount(db, accountId).select(LISTED).orderBy('created_at').orderBy('id').execute()
}

/** Returns a passkey of the account. Throws not_found. */
export async function getPasskey(
  db: DbOrTrx,
  accountId: string,
  id: string,
): Promise<ListedPasskey> {
  return ofAccount(db, accountId)
    .select(LISTED)
    .where('id', '=', id)
    .executeTakeFirstOrThrow(passkeyNotFound)
}

function ofAccount(db: DbOrTrx, accountId: string) {
  return db.selectFrom('passkeys').where('account_id', '=', accountId)
}

const STORED = ['credential_id', 'public_key', 'counter', 'transports'] as const

/** Lists the fields of passkeys that the browser and the check of an answer need. */
export async function listStoredPasskeys(db: DbOrTrx, accountId: string): Promise<StoredPasskey[]> {
  return ofAccount(db, accountId).select(STORED).execute()
}

/** Returns the passkey of an answer, with its account. */
export async function findPasskey(
  db: DbOrTrx,
  credentialId: string,
): Promise<(StoredPasskey & { account_id: string }) | undefined> {
  return db
    .selectFrom('passkeys')
    .select([...STORED, 'account_id'])
    .where('credential_id', '=', credentialId)
    .executeTakeFirst()
}

type NewPasskey = {
  passkey: StoredPasskey
  challenge: string
  name: string
  /** for an account whose first factor this is */
  recoveryCodes: string[]
}

/**
 * Adds a passkey to the caller's account, and uses its challenge up. The first factor comes with recovery codes,
 * and is answered with `isFirst`. Throws conflict when there are too many or it is an account's already, and
 * unauthenticated for a challenge that was used.
 */
export async function addPasskey(
  db: Db,
  key: SecretKey,
  caller: Caller,
  { passkey, challenge, name, recoveryCodes }: NewPasskey,
  now: Date,
  notify: Notify<{ accountId: string }>,
): Promise<{ passkey: ListedPasskey; isFirst: boolean }> {
  const { accountId } = caller
  const made = { id: randomId(), name, created_at: toInstant(now), last_used_at: null }
  return inTransactionOf(db, caller, async (trx) => {
    await spend(trx, challenge)
    if ((await listPasskeys(trx, accountId)).length >= MOST_PASSKEYS) {
      throw new DomainError({ code: 'conflict.too_many_passkeys', values: { most: MOST_PASSKEYS } })
    }
    const isFirst = !(await hasFactor(trx, accountId))
    const { numInsertedOrUpdatedRows: added } = await trx
      .insertInto('passkeys')
      .values({ ...made, ...passkey, account_id: accountId })
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (!added) throw new DomainError('conflict.passkey_exists')
    if (isFirst) await putRecoveryCodes(trx, key, accountId, recoveryCodes, now)
    await notify(trx, { accountId })
    return { passkey: made, isFirst }
  })
}

export type TakenAnswer = { credentialId: string; counter: number; challenge: string }

/**
 * Notes that a passkey was used, and uses its challenge up. Throws unauthenticated for one that was used, or
 * when the passkey was removed or is behind its counter: then it may have been copied.
 */
export async function takePasskey(
  trx: DbOrTrx,
  { credentialId, counter, challenge }: TakenAnswer,
  now: Date,
): Promise<void> {
  await spend(trx, challenge)
  const { numUpdatedRows } = await trx
    .updateTable('passkeys')
    .set({ counter, last_used_at: toInstant(now) })
    .where('credential_id', '=', credentialId)
    // Many passkeys do not count, and say 0 each time.
    .where(({ eb, or }) =>
      or([eb('counter', '<', counter), ...(counter === 0 ? [eb('counter', '=', 0)] : [])]),
    )
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) throw wrongPasskey()
}

/** A challenge is stored when it is answered. */
async function spend(trx: DbOrTrx, challenge: string): Promise<void> {
  const [end = '0'] = challenge.split('.')
  const { numInsertedOrUpdatedRows: spent } = await trx
    .insertInto('spent_challenges')
    .values({ challenge_hash: hashToken(challenge), ends_at: instantOf(end) })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (!spent) throw wrongPasskey()
}

function instantOf(seconds: string): Instant {
  return new Date(Number(seconds) * 1000).toISOString()
}

/** Gives a passkey of the account another name. Throws not_found. */
export async function renamePasskey(
  db: Db,
  accountId: string,
  id: string,
  name: string,
): Promise<ListedPasskey> {
  return inTransaction(db, async (trx) => {
    return trx
      .updateTable('passkeys')
      .set({ name })
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .returning(LISTED)
      .executeTakeFirstOrThrow(passkeyNotFound)
  })
}

/** Removes a passkey of the caller's account, as `forgetUnused`. Throws not_found. */
export async function removePasskey(
  db: Db,
  caller: Caller,
  id: string,
  notify: Notify<{ accountId: string }>,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('passkeys')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw passkeyNotFound()
    await forgetUnused(trx, accountId)
    await notify(trx, { accountId })
  })
}
