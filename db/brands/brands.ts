import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import type { Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import type { BrandFields } from '#domain/brands/brand.ts'

/** A brand as its account sees it, asleep or not. */
export type StoredBrand = BrandFields & {
  /** a WebP in base64 */
  logo: string | null
}

const NO_BRAND: StoredBrand = {
  brand_name: null,
  colour: null,
  footer: null,
  hide_product_name: false,
  logo: null,
}

export async function getBrand(db: DbOrTrx, accountId: string): Promise<StoredBrand> {
  const row = await findRow(db, accountId)
  return row ? toStored(row) : NO_BRAND
}

/** Changes the fields, which were checked by `readBrandFields`. */
export async function saveBrand(
  db: Db,
  accountId: string,
  fields: BrandFields,
  now: Date,
): Promise<StoredBrand> {
  const { brand_name: name, colour, footer, hide_product_name } = fields
  return inTransaction(db, async (trx) => {
    const hides_product = toFlag(hide_product_name)
    return toStored(await put(trx, accountId, { name, colour, footer, hides_product }, now))
  })
}

type Logo = Pick<Tables['brands'], 'logo' | 'logo_file'>

/** Sets the logo or, with nulls, removes it. Returns the brand and the file that is not used any more. */
export async function setLogo(
  db: Db,
  accountId: string,
  logo: Logo,
  now: Date,
): Promise<{ brand: StoredBrand; stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const before = await findRow(trx, accountId)
    const brand = toStored(await put(trx, accountId, logo, now))
    return { brand, stored_names: before?.logo_file ? [before.logo_file] : [] }
  })
}

async function put(
  trx: Trx,
  accountId: string,
  change: Partial<Tables['brands']>,
  now: Date,
): Promise<Tables['brands']> {
  const changed = { ...change, version: randomId(), updated_at: toInstant(now) }
  return trx
    .insertInto('brands')
    .values({ account_id: accountId, hides_product: 0, ...changed })
    .onConflict((conflict) => conflict.column('account_id').doUpdateSet(changed))
    .returningAll()
    .executeTakeFirstOrThrow()
}

async function findRow(db: DbOrTrx, accountId: string): Promise<Tables['brands'] | undefined> {
  return db.selectFrom('brands').selectAll().where('account_id', '=', accountId).executeTakeFirst()
}

function toStored({ name, colour, footer, hides_product, logo }: Tables['brands']): StoredBrand {
  return { brand_name: name, colour, footer, hide_product_name: fromFlag(hides_product), logo }
}
