import type { Transaction } from 'kysely'
import { appUrl, stepOfCode } from '#db/accounts/authenticator-app.ts'
import { assertLiveCaller, type Caller } from '#db/accounts/credentials.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { keyedHash, type SecretKey, seal, unseal } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  appIsOn,
  FACTOR_WAYS,
  type FactorWay,
  readRecoveryCode,
  TRUST_DAYS,
  WAIT_SECONDS,
  wrongCode,
} from '#domain/accounts/second-factor.ts'
import { DomainError } from '#domain/error.ts'

type Trx = Transaction<Tables>

/** What a person types as a second factor. */
export type TypedFactor = { code: string } | { recoveryCode: string }

/** What is on of an account's second factor. */
export type Factors = {
  /** since when the authenticator app is on; null when it is off */
  appSince: Instant | null
  recoveryCodes: number
  /** how many devices skip the code, and until when the last one */
  trusted: { count: number; until: Instant | null }
}

export async function getFactors(db: DbOrTrx, accountId: string, now: Date): Promise<Factors> {
  const app = await db
    .selectFrom('authenticators')
    .select('confirmed_at')
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  const { codes } = await db
    .selectFrom('recovery_codes')
    .select(({ fn }) => fn.countAll<number>().as('codes'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  const trusted = await db
    .selectFrom('trusted_devices')
    .select(({ fn }) => [
      fn.countAll<number>().as('count'),
      fn.max<string | null>('trusted_until').as('until'),
    ])
    .where('account_id', '=', accountId)
    .where('trusted_until', '>', toInstant(now))
    .executeTakeFirstOrThrow()
  return { appSince: app?.confirmed_at ?? null, recoveryCodes: codes, trusted }
}

/** Returns whether an account has a second factor: an authenticator app or a passkey. */
export async function hasFactor(db: DbOrTrx, accountId: string): Promise<boolean> {
  return (await findWays(db, accountId)).length > 0
}

/** With what an account answers for its second factor. */
export async function findWays(db: DbOrTrx, accountId: string): Promise<FactorWay[]> {
  const has = await db
    .selectFrom('accounts')
    .select(({ exists, selectFrom }) => [
      exists(
        selectFrom('authenticators')
          .select('account_id')
          .whereRef('account_id', '=', 'accounts.id')
          .where('confirmed_at', 'is not', null),
      ).as('code'),
      exists(selectFrom('passkeys').select('id').whereRef('account_id', '=', 'accounts.id')).as(
        'passkey',
      ),
    ])
    .where('id', '=', accountId)
    .executeTakeFirst()
  return FACTOR_WAYS.filter((way) => has?.[way])
}

/** Returns how many passkeys an account has. */
export async function countPasskeys(db: DbOrTrx, accountId: string): Promise<number> {
  const { passkeys } = await db
    .selectFrom('passkeys')
    .select(({ fn }) => fn.countAll<number>().as('passkeys'))
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow()
  return passkeys
}

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
  await inTransaction(db, async (trx) => {
    await assertLiveCaller(trx, caller)
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
  await inTransaction(db, async (trx) => {
    await assertLiveCaller(trx, caller)
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
  await inTransaction(db, async (trx) => {
    await assertLiveCaller(trx, caller)
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
  await inTransaction(db, async (trx) => {
    await assertLiveCaller(trx, caller)
    if (!(await hasFactor(trx, accountId))) {
      throw new DomainError('not_found', 'Your account has no second factor')
    }
    await putRecoveryCodes(trx, key, accountId, recoveryCodes, now)
    await notify(trx, { accountId })
  })
}

function appNotFound(): DomainError {
  return new DomainError('not_found', 'Your authenticator app is not on')
}

/** Deletes all factors of an account. Returns whether there was any. */
export async function forgetFactors(trx: DbOrTrx, accountId: string): Promise<boolean> {
  return forgetNewFactors(trx, accountId, '')
}

/**
 * Deletes the factors that were added since a time, with the recovery codes, as who added them may have read those; and
 * recovery codes that were made since. Returns whether there was any factor.
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

/** With the last factor go the recovery codes and the devices that skip it. */
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

/** What is typed for an account; `notify` is called for a recovery code that it uses up. */
export type TakenFactor = { typed: TypedFactor; notify: Notify<{ accountId: string }> }

/** Uses up what was typed, once for concurrent callers; false when it is wrong or used. */
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

/** Uses up the code that a signed-in account types. Throws unauthenticated when it is wrong or used. */
export async function showFactor(
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

/** Returns whether a device skips the code. */
export async function isTrustedDevice(
  db: DbOrTrx,
  accountId: string,
  deviceId: string,
  now: Date,
): Promise<boolean> {
  const row = await db
    .selectFrom('trusted_devices')
    .select('device_id')
    .where('account_id', '=', accountId)
    .where('device_id', '=', deviceId)
    .where('trusted_until', '>', toInstant(now))
    .executeTakeFirst()
  return row !== undefined
}

/**
 * Lets the device of the caller skip the code for `TRUST_DAYS`, unless there is no second factor any more. Throws
 * unauthenticated when the caller's session has ended, which ends what was trusted too.
 */
export async function trustDevice(
  db: Db,
  caller: Caller,
  deviceId: string,
  now: Date,
  notify: Notify<{ accountId: string }>,
): Promise<void> {
  const { accountId } = caller
  await inTransaction(db, async (trx) => {
    await assertLiveCaller(trx, caller)
    if (!(await hasFactor(trx, accountId))) return
    await trx.deleteFrom('trusted_devices').where('trusted_until', '<=', toInstant(now)).execute()
    const trusted_until = toInstant(secondsAfter(now, TRUST_DAYS * 86_400))
    await trx
      .insertInto('trusted_devices')
      .values({ account_id: accountId, device_id: deviceId, trusted_until })
      .onConflict((conflict) =>
        conflict.columns(['account_id', 'device_id']).doUpdateSet({ trusted_until }),
      )
      .execute()
    await notify(trx, { accountId })
  })
}

/** Deletes the trusted devices of an account, so that each needs the code again. */
export async function forgetTrustedDevices(db: DbOrTrx, accountId: string): Promise<void> {
  await db.deleteFrom('trusted_devices').where('account_id', '=', accountId).execute()
}
