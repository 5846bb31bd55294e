import { toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { countRows } from '#db/pages.ts'
import type { Instant } from '#db/schema.ts'
import { FACTOR_WAYS, type FactorWay } from '#domain/accounts/second-factor.ts'

/** The parts of an account's second factor that are on. */
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
  const codes = await countRows(db.selectFrom('recovery_codes').where('account_id', '=', accountId))
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

/** Finds the ways in which an account can pass its second factor. */
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
export function countPasskeys(db: DbOrTrx, accountId: string): Promise<number> {
  return countRows(db.selectFrom('passkeys').where('account_id', '=', accountId))
}
