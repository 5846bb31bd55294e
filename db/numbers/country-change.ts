import type { ExpressionBuilder } from 'kysely'
import type { Db, DbOrTrx } from '#db/client.ts'
import { isUniqueViolation } from '#db/errors.ts'
import { PAGE_ROWS } from '#db/pages.ts'
import type { Tables } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { DEFAULT_COUNTRY } from '#domain/accounts/country.ts'
import { readPhone } from '#domain/accounts/phone.ts'
import { NUMBER_COLUMNS, PHONE_FIELDS, type PhoneField } from '#domain/codes/phones.ts'

/** The country of the last reading. Earlier versions read all numbers as those of India. */
const COUNTRY = 'country'

/**
 * Reads the numbers again that fitted no country, if `COUNTRY` was another one when they were read. A number that
 * fitted a country stays. Returns how many fit one now; undefined if the country is the same.
 */
export async function readNumbersAgain(db: Db, country: string): Promise<number | undefined> {
  if ((await findCountry(db)) === country) return undefined
  let fitting = 0
  for (const name of PHONE_FIELDS) fitting += await readCodes(db, name, country)
  fitting += await readAccounts(db, country)
  await noteCountry(db, country)
  return fitting
}

async function findCountry(db: DbOrTrx): Promise<string> {
  const row = db.selectFrom('meta').select('value').where('key', '=', COUNTRY)
  return (await row.executeTakeFirst())?.value ?? DEFAULT_COUNTRY
}

async function noteCountry(db: Db, country: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    await trx
      .insertInto('meta')
      .values({ key: COUNTRY, value: country })
      .onConflict((row) => row.column('key').doUpdateSet({ value: country }))
      .execute()
  })
}

/** Reads one of the numbers of all codes, a page in a transaction. */
async function readCodes(db: Db, name: PhoneField, country: string): Promise<number> {
  let fitting = 0
  let last = ''
  for (;;) {
    const codes = await db
      .selectFrom('qr_codes')
      .select(['id', `${name} as text`])
      .where(name, 'is not', null)
      .where(fitsNoCountry(name))
      .where('id', '>', last)
      .orderBy('id')
      .limit(PAGE_ROWS)
      .execute()
    fitting += await inTransaction(db, async (trx) => {
      let written = 0
      for (const { id, text } of codes) {
        const phone = readPhone(text ?? '', country)
        if (!phone) continue
        const { numUpdatedRows } = await trx
          .updateTable('qr_codes')
          .set({ [NUMBER_COLUMNS[name]]: JSON.stringify(phone) })
          .where('id', '=', id)
          .where(name, '=', text)
          .where(fitsNoCountry(name))
          .executeTakeFirst()
        written += Number(numUpdatedRows)
      }
      return written
    })
    if (codes.length < PAGE_ROWS) return fitting
    last = codes.at(-1)?.id ?? ''
  }
}

/** An earlier version has no column of it, and a person used it anyway. */
function fitsNoCountry(name: PhoneField) {
  const column = NUMBER_COLUMNS[name]
  return ({ eb, or }: ExpressionBuilder<Tables, 'qr_codes'>) =>
    or([eb(column, 'is', null), eb(column, 'like', '{"kind":"typed"%')])
}

/** Reads the mobile numbers of accounts. One that another account has too stays as it is. */
async function readAccounts(db: Db, country: string): Promise<number> {
  const accounts = await db
    .selectFrom('accounts')
    .select(['id', 'mobile'])
    .where('mobile', 'not like', '+%')
    .orderBy('id')
    .execute()
  let fitting = 0
  for (const { id, mobile } of accounts) {
    const e164 = readPhone(mobile ?? '', country)?.e164
    if (e164) fitting += await setMobile(db, { id, mobile, e164 })
  }
  return fitting
}

type Read = { id: string; mobile: string | null; e164: string }

async function setMobile(db: Db, { id, mobile, e164 }: Read): Promise<number> {
  try {
    return await inTransaction(db, async (trx) => {
      const { numUpdatedRows } = await trx
        .updateTable('accounts')
        .set({ mobile: e164 })
        .where('id', '=', id)
        .where('mobile', '=', mobile)
        .executeTakeFirst()
      return Number(numUpdatedRows)
    })
  } catch (error) {
    if (isUniqueViolation(error)) return 0
    throw error
  }
}
