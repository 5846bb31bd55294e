import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { hasFactor } from '#db/accounts/factor-state.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { Notify } from '#db/outbox.ts'
import { TRUST_DAYS } from '#domain/accounts/second-factor.ts'

/** Returns whether a device may skip the second factor. */
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
 * Lets the device of the caller skip the second factor for `TRUST_DAYS`, if the account still has one. Throws unauthenticated when the caller's session has ended, which ends trust too.
 */
export async function trustDevice(
  db: Db,
  caller: Caller,
  deviceId: string,
  now: Date,
  notify: Notify<{ accountId: string }>,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
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

/** Deletes the trusted devices of an account, so that each needs the second factor again. */
export async function forgetTrustedDevices(db: DbOrTrx, accountId: string): Promise<void> {
  await db.deleteFrom('trusted_devices').where('account_id', '=', accountId).execute()
}
