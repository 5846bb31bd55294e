import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { Account, Tables } from '#db/schema.ts'
import { type Brand, type Worn, wornOf } from '#domain/brands/brand.ts'

/**
 * SQL for the account whose brand is worn by what an account has: itself, or the one at the top of its
 * parents. Child users can have child users of their own. `account` is an alias that nothing below it has.
 */
export function topOf(account: string): string {
  return `case when ${account}.parent_id is null then ${account}.id else (
    with recursive above (id, parent_id) as (
      select id, parent_id from accounts where id = ${account}.parent_id
      union all
      select accounts.id, accounts.parent_id from above join accounts on accounts.id = above.parent_id
    ) select id from above where parent_id is null) end`
}

/**
 * What a code wears, for the statements of scans: `wearer` is its owner or the account above that, and
 * nobody while a claimer without an account holds it. A temporary permission may have ended since it
 * was last looked for, so the plan after it is there too. One that is being deleted is as active as it would be
 * otherwise: until it is removed, its child users and their codes see what they saw before.
 */
export const WORN_COLUMNS = `
  wearer.id as wearer_id,
  wearer.subscription_plan as brand_plan,
  wearer.term_plan as brand_term_plan,
  wearer.term_ends_at as brand_term_ends_at,
  coalesce(leaving.is_active, wearer.is_active) as brand_is_active,
  lent.expires_at as brand_lent_until,
  lent.subscription_plan as brand_plan_after,
  lent.is_active as brand_is_active_after,
  brands.version as brand_version,
  brands.name as brand_name,
  brands.colour as brand_colour,
  brands.footer as brand_footer,
  brands.logo as brand_logo,
  brands.logo_file as brand_logo_file,
  brands.hides_product as brand_is_alone,
  brand_domains.domain as brand_domain`

const OF_WEARER = `
  left join account_deletions as leaving on leaving.account_id = wearer.id
  left join temporary_permissions as lent on lent.account_id = wearer.id
  left join brands on brands.account_id = wearer.id
  left join brand_domains on brand_domains.account_id = wearer.id
    and brand_domains.verified_at is not null`

export const WORN_BY_CODE = `
  left join accounts as owner on owner.id = qr_codes.owner_id and qr_codes.claimed_at is null
  left join accounts as wearer on wearer.id = ${topOf('owner')}${OF_WEARER}`

/** The account of a verified domain, with what its codes wear. */
export const WORN_BY_HOST = `
  from brand_domains as host
  join accounts as wearer on wearer.id = host.account_id${OF_WEARER}
  where host.verified_at is not null and host.domain =`

/** What the codes of an account wear. */
export async function findWorn(db: DbOrTrx, accountId: string, now: Date): Promise<Worn> {
  return toWorn(await findWearer(db, accountId), now)
}

/** As `findWorn`, with whose it is. */
export async function findWearer(db: DbOrTrx, accountId: string) {
  return selectWorn(db, (eb) => eb('accounts.id', '=', accountId)).executeTakeFirst()
}

/** The brand that a child user sees instead of the product; undefined where the product is not hidden. */
export async function findBrandForChild(
  db: DbOrTrx,
  { id, parent_id }: Pick<Account, 'id' | 'parent_id'>,
  now: Date,
): Promise<Brand | undefined> {
  if (!parent_id) return undefined
  const { brand } = await findWorn(db, id, now)
  return brand?.isAlone ? brand : undefined
}

/** What a code wears. */
export async function findWornByCode(db: DbOrTrx, qrId: string, now: Date): Promise<Worn> {
  const ofOwner = selectWorn(db, (eb) =>
    eb(
      'accounts.id',
      '=',
      eb
        .selectFrom('qr_codes')
        .select('owner_id')
        .where('qr_id', '=', qrId)
        .where('claimed_at', 'is', null),
    ),
  )
  return toWorn(await ofOwner.executeTakeFirst(), now)
}

type WornRow = Awaited<ReturnType<ReturnType<typeof selectWorn>['executeTakeFirst']>>

function toWorn(row: WornRow, now: Date): Worn {
  return row ? wornOf(row, now) : { brand: undefined, address: undefined }
}

/** As `topOf`, from the account that `isOwner` names. */
function selectWorn(
  db: DbOrTrx,
  isOwner: (eb: ExpressionBuilder<Tables, 'accounts'>) => Expression<SqlBool>,
) {
  return db
    .withRecursive('above(id, parent_id)', (query) =>
      query
        .selectFrom('accounts')
        .select(['accounts.id', 'accounts.parent_id'])
        .where(isOwner)
        .unionAll(
          query
            .selectFrom('above')
            .innerJoin('accounts', 'accounts.id', 'above.parent_id')
            .select(['accounts.id', 'accounts.parent_id']),
        ),
    )
    .selectFrom('above')
    .innerJoin('accounts as wearer', 'wearer.id', 'above.id')
    .where('above.parent_id', 'is', null)
    .leftJoin('account_deletions as leaving', 'leaving.account_id', 'wearer.id')
    .leftJoin('temporary_permissions as lent', 'lent.account_id', 'wearer.id')
    .leftJoin('brands', 'brands.account_id', 'wearer.id')
    .leftJoin('brand_domains', (join) =>
      join
        .onRef('brand_domains.account_id', '=', 'wearer.id')
        .on('brand_domains.verified_at', 'is not', null),
    )
    .select(({ fn }) => fn.coalesce('leaving.is_active', 'wearer.is_active').as('brand_is_active'))
    .select([
      'wearer.id as wearer_id',
      'wearer.subscription_plan as brand_plan',
      'wearer.term_plan as brand_term_plan',
      'wearer.term_ends_at as brand_term_ends_at',
      'lent.expires_at as brand_lent_until',
      'lent.subscription_plan as brand_plan_after',
      'lent.is_active as brand_is_active_after',
      'brands.version as brand_version',
      'brands.name as brand_name',
      'brands.colour as brand_colour',
      'brands.footer as brand_footer',
      'brands.logo as brand_logo',
      'brands.logo_file as brand_logo_file',
      'brands.hides_product as brand_is_alone',
      'brand_domains.domain as brand_domain',
    ])
}
