import type { Expression } from 'kysely'
import { toFlag } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { type Brand, type ResolvedBrand, resolveBrand } from '#domain/brands/brand.ts'

/**
 * Returns SQL for the account whose brand applies to an account: itself, or the topmost of its parents.
 * Child users can have child users of their own. `account` is an alias that the subquery does not use.
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
 * The brand of a code, for the statements of scans. `brand_owner` is its owner or the account above that,
 * and null while a claimer without an account holds it. A temporary permission may have ended since the
 * last check, so the columns include the plan after it. An account that is being deleted counts as active,
 * unless it is blocked: until the removal its child users and their codes keep the brand.
 */
export const BRAND_COLUMNS = `
  brand_owner.id as brand_owner_id,
  brand_owner.subscription_plan as brand_plan,
  brand_owner.term_plan as brand_term_plan,
  brand_owner.term_ends_at as brand_term_ends_at,
  coalesce(leaving.is_active, brand_owner.is_active) as brand_is_active,
  permission.expires_at as brand_temporary_until,
  permission.subscription_plan as brand_plan_after,
  permission.is_active as brand_is_active_after,
  brands.version as brand_version,
  brands.name as brand_name,
  brands.colour as brand_colour,
  brands.footer as brand_footer,
  brands.logo as brand_logo,
  brands.logo_file as brand_logo_file,
  brands.hides_product as brand_is_alone,
  brand_domains.domain as brand_domain`

const OF_BRAND_OWNER = `
  left join account_deletions as leaving on leaving.account_id = brand_owner.id
  left join temporary_permissions as permission on permission.account_id = brand_owner.id
  left join brands on brands.account_id = brand_owner.id
  left join brand_domains on brand_domains.account_id = brand_owner.id
    and brand_domains.verified_at is not null and brand_domains.is_unconfirmed = 0`

/** A code never has the domain of an account above its owner, whose operator could read what finders write there. */
const OF_CODE_OWNER = `${OF_BRAND_OWNER} and brand_domains.account_id = owner.id`

export const BRAND_BY_CODE = `
  left join accounts as owner on owner.id = qr_codes.owner_id and qr_codes.claimed_at is null
  left join accounts as brand_owner on brand_owner.id = ${topOf('owner')}${OF_CODE_OWNER}`

/** The account of a verified domain, with its brand. */
export const BRAND_BY_HOST = `
  from brand_domains as host
  join accounts as brand_owner on brand_owner.id = host.account_id${OF_BRAND_OWNER}
  where host.verified_at is not null and host.domain =`

/** Returns the brand of the codes of an account. */
export async function resolveAccountBrand(
  db: DbOrTrx,
  accountId: string,
  now: Date,
): Promise<ResolvedBrand> {
  return resolveRow(await findBrandOwner(db, accountId), now)
}

/** Returns the row of `resolveAccountBrand`, with the id of the account that has the brand. */
export async function findBrandOwner(db: DbOrTrx, accountId: string) {
  return selectBrandOwner(db, accountId).executeTakeFirst()
}

/** Returns the brand that a child user sees instead of the product, or undefined where the product is not hidden. */
export async function findBrandForChild(
  db: DbOrTrx,
  { id, parent_id }: Pick<Account, 'id' | 'parent_id'>,
  now: Date,
): Promise<Brand | undefined> {
  if (!parent_id) return undefined
  const { brand } = await resolveAccountBrand(db, id, now)
  return brand?.isAlone ? brand : undefined
}

/** Returns the brand of a code. */
export async function resolveCodeBrand(
  db: DbOrTrx,
  qrId: string,
  now: Date,
): Promise<ResolvedBrand> {
  const ownerId = db
    .selectFrom('qr_codes')
    .select('owner_id')
    .where('qr_id', '=', qrId)
    .where('claimed_at', 'is', null)
    .$asScalar()
  return resolveRow(await selectBrandOwner(db, ownerId).executeTakeFirst(), now)
}

/**
 * Returns the domain of the pages of an account's conversations about a code: its own, while the code is its own.
 * The domain of a parent would let its operator read them.
 */
export async function resolveTalkAddress(
  db: DbOrTrx,
  { qr_id, account_id }: { qr_id: string; account_id: string },
  now: Date,
): Promise<string | undefined> {
  const own = await db
    .selectFrom('qr_codes')
    .select('id')
    .where('qr_id', '=', qr_id)
    .where('owner_id', '=', account_id)
    .where('child_account_id', 'is', null)
    .where('claimed_at', 'is', null)
    .executeTakeFirst()
  return own && (await resolveAccountBrand(db, account_id, now)).address
}

type SelectedRow = Awaited<ReturnType<ReturnType<typeof selectBrandOwner>['executeTakeFirst']>>

function resolveRow(row: SelectedRow, now: Date): ResolvedBrand {
  return row ? resolveBrand(row, now) : { brand: undefined, address: undefined }
}

/** Selects the account of `topOf` and its brand, starting at an account. The domain is that of this account alone. */
function selectBrandOwner(db: DbOrTrx, ownerId: string | Expression<string | null>) {
  return db
    .withRecursive('above(id, parent_id)', (query) =>
      query
        .selectFrom('accounts')
        .select(['accounts.id', 'accounts.parent_id'])
        .where('accounts.id', '=', ownerId)
        .unionAll(
          query
            .selectFrom('above')
            .innerJoin('accounts', 'accounts.id', 'above.parent_id')
            .select(['accounts.id', 'accounts.parent_id']),
        ),
    )
    .selectFrom('above')
    .innerJoin('accounts as brand_owner', 'brand_owner.id', 'above.id')
    .where('above.parent_id', 'is', null)
    .leftJoin('account_deletions as leaving', 'leaving.account_id', 'brand_owner.id')
    .leftJoin('temporary_permissions as permission', 'permission.account_id', 'brand_owner.id')
    .leftJoin('brands', 'brands.account_id', 'brand_owner.id')
    .leftJoin('brand_domains', (join) =>
      join
        .onRef('brand_domains.account_id', '=', 'brand_owner.id')
        .on('brand_domains.account_id', '=', ownerId)
        .on('brand_domains.verified_at', 'is not', null)
        .on('brand_domains.is_unconfirmed', '=', toFlag(false)),
    )
    .select(({ fn }) =>
      fn.coalesce('leaving.is_active', 'brand_owner.is_active').as('brand_is_active'),
    )
    .select([
      'brand_owner.id as brand_owner_id',
      'brand_owner.subscription_plan as brand_plan',
      'brand_owner.term_plan as brand_term_plan',
      'brand_owner.term_ends_at as brand_term_ends_at',
      'permission.expires_at as brand_temporary_until',
      'permission.subscription_plan as brand_plan_after',
      'permission.is_active as brand_is_active_after',
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
