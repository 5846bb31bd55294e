import type { ExpressionBuilder } from 'kysely'
import { toFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { planNowSql } from '#db/plans/plan-now.ts'
import type { Tables } from '#db/schema.ts'
import { hasWhiteLabel } from '#domain/brands/brand.ts'
import { addressOf } from '#domain/brands/domain-name.ts'
import { qrNotFound } from '#domain/codes/qr-id.ts'
import type { DomainError } from '#domain/error.ts'
import { type HeldShare, isAwake, MOST_PEOPLE } from '#domain/people/share.ts'
import type { PlanId } from '#domain/plans/plan.ts'

/** Returns the shares that other owners give an account now: see `listSharesHeldBy`. */
export async function listHeldShares(
  db: DbOrTrx,
  personId: string,
  now: Date,
): Promise<HeldShare[]> {
  const shares = await listSharesHeldBy(db, [personId], now)
  return shares.map(({ person_id: _, ...share }) => share)
}

/**
 * Returns the shares that other owners give each of these accounts now. Those of a blocked owner sleep, and the
 * newest above the limit of an owner's plan.
 */
export async function listSharesHeldBy(
  db: DbOrTrx,
  personIds: string[],
  now: Date,
): Promise<(HeldShare & { person_id: string })[]> {
  const rows = await db
    .selectFrom('shares')
    .innerJoin('accounts', 'accounts.id', 'shares.owner_id')
    .leftJoin('brand_domains', (join) =>
      join
        .onRef('brand_domains.account_id', '=', 'accounts.id')
        .on('verified_at', 'is not', null)
        .on('is_unconfirmed', '=', toFlag(false)),
    )
    .select(['shares.id', 'shares.owner_id', 'accounts.name as owner_name', 'shares.role'])
    .select(['shares.company_fleet_name', 'shares.code_id', 'shares.person_id'])
    .select('brand_domains.domain')
    .select((eb) => [planNowSql(eb, now).as('plan'), countOlder(eb).as('older')])
    .where('shares.person_id', 'in', personIds)
    .where('accounts.is_active', '=', 1)
    .orderBy('shares.created_at')
    .orderBy('shares.id')
    .$narrowType<{ person_id: string }>()
    .execute()
  return rows
    .filter(({ plan, older }) => isAwake(plan, Number(older)))
    .map(({ older: _, domain, ...share }) => ({
      ...share,
      address: domain && hasWhiteLabel(share.plan) ? addressOf(domain) : undefined,
    }))
}

/** Counts the people that the owner of a share shares with for longer. */
function countOlder(eb: ExpressionBuilder<Tables, 'shares'>) {
  return eb
    .selectFrom('shares as older')
    .select(eb.fn.countAll<number>().as('count'))
    .whereRef('older.owner_id', '=', 'shares.owner_id')
    .where('older.person_id', 'is not', null)
    .where(({ eb: each, and, or, ref }) =>
      or([
        each('older.created_at', '<', ref('shares.created_at')),
        and([
          each('older.created_at', '=', ref('shares.created_at')),
          each('older.id', '<', ref('shares.id')),
        ]),
      ]),
    )
}

/** Returns whether a share counts at an instant, in a statement with the owner's account: as `isAwake` says it. */
export function isAwakeSql(eb: ExpressionBuilder<Tables, 'shares' | 'accounts'>, now: Date) {
  const limited = Object.entries(MOST_PEOPLE).filter(([, most]) => Number.isFinite(most))
  return eb.and(
    limited.map(([plan, most]) =>
      eb.or([eb(planNowSql(eb, now), '!=', plan as PlanId), eb(countOlder(eb), '<', most)]),
    ),
  )
}

/** Throws not_found when a share was changed or ended since it was read. A step of a verb's transaction. */
export async function assertShared(
  db: DbOrTrx,
  { id, role, company_fleet_name, code_id }: HeldShare,
  notFound: () => DomainError = qrNotFound,
): Promise<void> {
  const share = await db
    .selectFrom('shares')
    .select(['role', 'company_fleet_name', 'code_id'])
    .where('id', '=', id)
    .executeTakeFirst()
  const isSame =
    share?.role === role &&
    share.company_fleet_name === company_fleet_name &&
    share.code_id === code_id
  if (!isSame) throw notFound()
}
