import { appUrl, stepOfCode } from '#db/accounts/authenticator-app.ts'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { findWays, hasFactor } from '#db/accounts/factor-state.ts'
import { forgetTrustedDevices } from '#db/accounts/trusted-devices.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Instant } from '#db/schema.ts'
import { keyedHash, type SecretKey, seal, unseal } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  appIsOn,
  readRecoveryCode,
  WAIT_SECONDS,
  wrongCode,
} from '#domain/accounts/second-factor.ts'
import { DomainError } from '#domain/error.ts'

/** The typed second factor. */
export type TypedFactor = { code: string } | { recoveryCode: string }

/** Keeps the secret of a new app until its first code. Throws conflict when one is on. */
export async function beginApp(
  db: Db,
  key: SecretKey,
  caller: Caller,
  secret: string,
  now: Date,
): Promise<void> {
  const { accountId } = caller
  const begun = {
    secret: seal(key, nameOf(accountId), secret),
    created_at: toInstant(now),
    confirmed_at: null,
    last_step: 0,
  }
  await inTransactionOf(db, caller, async (trx) => {
    const { numInsertedOrUpdatedRows: kept } = await trx
      .insertInto('authenticators')
      .values({ account_id: accountId, ...begun })
      .onConflict((conflict) =>
        conflict
          .column('account_id')
          .doUpdateSet(begun)
          .where('authenticators.confirmed_at', 'is', null),
      )
      .executeTakeFirstOrThrow()
    if (!kept) throw appIsOn()
  })
}

/** Returns the secret of an app that waits for its first code, and its address; undefined when none does. */
export async function findBegunApp(
  db: DbOrTrx,
  key: SecretKey,
  { id, label, issuer }: { id: string; label: string; issuer: string },
  now: Date,
): Promise<{ secret: string; url: string } | undefined> {
  const row = await db
    .selectFrom('authenticators')
    .select('secret')
    .where('account_id', '=', id)
    .where('confirmed_at', 'is', null)
    .where('created_at', '>', toInstant(secondsAfter(now, -WAIT_SECONDS)))
    .executeTakeFirst()
  const secret = row && unseal(key, nameOf(id), row.secret)
  return secret ? { secret, url: await appUrl(secret, label, issuer) } : undefined
}

/**
 * Turns the app on by its first code, which counts as used, with these recovery codes. Throws
 * unauthenticated for a wrong code, and conflict when the app is on.
 */
export async function confirmApp(
  db: Db,
  key: SecretKey,
  caller: Caller,
  { code, recoveryCodes }: { code: string; recoveryCodes: string[] },
  now: Date,
  notify: Notify<{ accountId: string }>,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
    if ((await findWays(trx, accountId)).includes('code')) throw appIsOn()
    if (!(await takeCode(trx, key, { accountId, code, isOn: false }, now))) throw wrongCode()
    const at = toInstant(now)
    await trx
      .updateTable('authenticators')
      .set({ confirmed_at: at })
      .where('account_id', '=', accountId)
      .execute()
    await putRecoveryCodes(trx, key, accountId, recoveryCodes, now)
    await notify(trx, { accountId })
  })
}

/** Takes the app off, as `forgetUnused`. Throws not_found. */
export async function removeApp(
  db: Db,
  caller: Caller,
  notify: Notify<{ accountId: string }>,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('authenticators')
      .where('account_id', '=', accountId)
      .where('confirmed_at', 'is not', null)
      .executeTakeFirstOrThrow()
    if (numDeletedRows === 0n) throw appNotFound()
    await forgetUnused(trx, accountId)
    await notify(trx, { accountId })
  })
}

/** Replaces the recovery codes. Throws not_found without a second factor. */
export async function renewRecoveryCodes(
  db: Db,
  key: SecretKey,
  caller: Caller,
  recoveryCodes: string[],
  now: Date,
  notify: Notify<{ accountId: string }>,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
    if (!(await hasFactor(trx, accountId))) {
      throw new DomainError('not_found.second_factor')
    }
    await putRecoveryCodes(trx, key, accountId, recoveryCodes, now)
    await notify(trx, { accountId })
  })
}

function appNotFound(): DomainError {
  return new DomainError('not_found.authenticator')
}

/** Deletes all factors of an account. Returns whether there was any. */
export async function forgetFactors(trx: DbOrTrx, accountId: string): Promise<boolean> {
  return forgetNewFactors(trx, accountId, '')
}

/**
 * Deletes the factors that were added since a time, with all recovery codes if there was one,
 * because the person who added it may have read them; else only with recovery codes made since.
 * Returns whether there was any factor.
 */
export async function forgetNewFactors(
  trx: DbOrTrx,
  accountId: string,
  since: Instant,
): Promise<boolean> {
  // An app counts from its first code, which may come ten minutes after it was begun.
  const apps = await trx
    .deleteFrom('authenticators')
    .where('account_id', '=', accountId)
    .where(({ eb, fn }) => eb(fn.coalesce('confirmed_at', 'created_at'), '>=', since))
    .executeTakeFirstOrThrow()
  const passkeys = await trx
    .deleteFrom('passkeys')
    .where('account_id', '=', accountId)
    .where('created_at', '>=', since)
    .executeTakeFirstOrThrow()
  await trx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('made_at', '>=', since)
    .execute()
  const isAny = apps.numDeletedRows + passkeys.numDeletedRows > 0n
  if (isAny) await forgetSubstitutes(trx, accountId)
  return isAny
}

/** Deletes recovery codes and trusted devices of an account that has no factor left. */
export async function forgetUnused(trx: DbOrTrx, accountId: string): Promise<void> {
  if (!(await hasFactor(trx, accountId))) await forgetSubstitutes(trx, accountId)
}

async function forgetSubstitutes(trx: DbOrTrx, accountId: string): Promise<void> {
  await forgetTrustedDevices(trx, accountId)
  await trx.deleteFrom('recovery_codes').where('account_id', '=', accountId).execute()
}

export async function putRecoveryCodes(
  trx: Trx,
  key: SecretKey,
  account_id: string,
  codes: string[],
  now: Date,
) {
  await trx.deleteFrom('recovery_codes').where('account_id', '=', account_id).execute()
  const made_at = toInstant(now)
  const rows = codes.map((code) => ({
    account_id,
    code_hash: hashOf(key, account_id, code),
    made_at,
  }))
  await trx.insertInto('recovery_codes').values(rows).execute()
}

function hashOf(key: SecretKey, accountId: string, recoveryCode: string): string {
  return keyedHash(key, 'recovery code', accountId, recoveryCode)
}

function nameOf(accountId: string): string {
  return `authenticator ${accountId}`
}

/** A typed factor of an account; `notify` is called for a recovery code that it uses up. */
export type TakenFactor = { typed: TypedFactor; notify: Notify<{ accountId: string }> }

/** Uses up a typed factor, once for concurrent callers. Returns false when it is wrong or used. */
export async function takeFactor(
  trx: Trx,
  key: SecretKey,
  accountId: string,
  { typed, notify }: TakenFactor,
  now: Date,
): Promise<boolean> {
  if ('code' in typed) return takeCode(trx, key, { accountId, code: typed.code, isOn: true }, now)
  const code = readRecoveryCode(typed.recoveryCode)
  if (!code) return false
  const { numDeletedRows } = await trx
    .deleteFrom('recovery_codes')
    .where('account_id', '=', accountId)
    .where('code_hash', '=', hashOf(key, accountId, code))
    .executeTakeFirstOrThrow()
  if (numDeletedRows === 0n) return false
  await notify(trx, { accountId })
  return true
}

type TypedCode = { accountId: string; code: string; isOn: boolean }

/** No code works twice, nor one from before the last. */
async function takeCode(
  trx: Trx,
  key: SecretKey,
  { accountId, code, isOn }: TypedCode,
  now: Date,
): Promise<boolean> {
  const row = await trx
    .selectFrom('authenticators')
    .select('secret')
    .where('account_id', '=', accountId)
    .where('confirmed_at', isOn ? 'is not' : 'is', null)
    .where('created_at', '>', isOn ? '' : toInstant(secondsAfter(now, -WAIT_SECONDS)))
    .executeTakeFirst()
  const secret = row && unseal(key, nameOf(accountId), row.secret)
  const step = secret && (await stepOfCode(secret, code, now))
  if (!step) return false
  const { numUpdatedRows } = await trx
    .updateTable('authenticators')
    .set({ last_step: step })
    .where('account_id', '=', accountId)
    .where('secret', '=', row.secret)
    .where('last_step', '<', step)
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Uses up the app's code that a signed-in account types. Throws unauthenticated when it is wrong or used. */
export async function useAppCode(
  db: Db,
  key: SecretKey,
  accountId: string,
  code: string,
  now: Date,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    if (!(await takeCode(trx, key, { accountId, code, isOn: true }, now))) throw wrongCode()
  })
}
