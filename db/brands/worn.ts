import type { DbOrTrx } from '#db/client.ts'
import { type Worn, wornOf } from '#domain/brands/brand.ts'

/**
 * What a code wears, for the statements of scans: `wearer` is its owner or the owner's parent, and
 * nobody while a claimer without an account holds it.
 */
export const WORN_COLUMNS = `
  wearer.id as wearer_id,
  wearer.subscription_plan as brand_plan,
  wearer.term_plan as brand_term_plan,
  wearer.term_ends_at as brand_term_ends_at,
  wearer.is_active as brand_is_active,
  brands.version as brand_version,
  brands.name as brand_name,
  brands.colour as brand_colour,
  brands.footer as brand_footer,
  brands.logo as brand_logo,
  brands.logo_file as brand_logo_file,
  brands.hides_product as brand_is_alone,
  brand_domains.domain as brand_domain`

const OF_WEARER = `
  left join brands on brands.account_id = wearer.id
  left join brand_domains on brand_domains.account_id = wearer.id
    and brand_domains.verified_at is not null`

export const WORN_BY_CODE = `
  left join accounts as owner on owner.id = qr_codes.owner_id and qr_codes.claimed_at is null
  left join accounts as wearer on wearer.id = coalesce(owner.parent_id, owner.id)${OF_WEARER}`

/** The account of a verified domain, with what its codes wear. */
export const WORN_BY_HOST = `
  from brand_domains as host
  join accounts as wearer on wearer.id = host.account_id${OF_WEARER}
  where host.verified_at is not null and host.domain =`

/** What the codes of an account wear. */
export async function findWorn(db: DbOrTrx, accountId: string, now: Date): Promise<Worn> {
  return toWorn(await selectWorn(db).where('owner.id', '=', accountId).executeTakeFirst(), now)
}

/** What a code wears. */
export async function findWornByCode(db: DbOrTrx, qrId: string, now: Date): Promise<Worn> {
  const row = await selectWorn(db)
    .innerJoin('qr_codes', 'qr_codes.owner_id', 'owner.id')
    .where('qr_codes.qr_id', '=', qrId)
    .where('qr_codes.claimed_at', 'is', null)
    .executeTakeFirst()
  return toWorn(row, now)
}

type WornRow = Awaited<ReturnType<ReturnType<typeof selectWorn>['executeTakeFirst']>>

function toWorn(row: WornRow, now: Date): Worn {
  return row ? wornOf(row, now) : { brand: undefined, address: undefined }
}

function selectWorn(db: DbOrTrx) {
  return db
    .selectFrom('accounts as owner')
    .innerJoin('accounts as wearer', (join) =>
      join.on(({ eb, fn }) => eb('wearer.id', '=', fn.coalesce('owner.parent_id', 'owner.id'))),
    )
    .leftJoin('brands', 'brands.account_id', 'wearer.id')
    .leftJoin('brand_domains', (join) =>
      join
        .onRef('brand_domains.account_id', '=', 'wearer.id')
        .on('brand_domains.verified_at', 'is not', null),
    )
    .select([
      'wearer.id as wearer_id',
      'wearer.subscription_plan as brand_plan',
      'wearer.term_plan as brand_term_plan',
      'wearer.term_ends_at as brand_term_ends_at',
      'wearer.is_active as brand_is_active',
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
