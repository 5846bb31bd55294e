import { randomBytes } from 'node:crypto'
import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { RowOf } from '#db/schema.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'

export type OwnDomain = RowOf<'brand_domains'> & {
  /** how many codes were downloaded or printed with it */
  printed: number
}

/** Returns the domain of an account; undefined when it has named none. */
export async function findOwnDomain(
  db: DbOrTrx,
  accountId: string,
): Promise<OwnDomain | undefined> {
  const row = await db
    .selectFrom('brand_domains')
    .selectAll()
    .select(({ selectFrom }) =>
      selectFrom('domain_prints')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .whereRef('domain_prints.account_id', '=', 'brand_domains.account_id')
        .as('printed'),
    )
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  return row && { ...row, printed: Number(row.printed) }
}

/** Returns the account's own domain. Throws not_found. */
export async function getOwnDomain(db: DbOrTrx, accountId: string): Promise<OwnDomain> {
  const own = await findOwnDomain(db, accountId)
  if (!own) throw noDomain()
  return own
}

/**
 * Names the domain that the caller's account wants, with a new token unless it is named already. Throws
 * conflict when the account has verified one, and unauthenticated when the caller's session has ended.
 */
export async function nameDomain(
  db: Db,
  caller: Caller,
  domain: string,
  now: Date,
): Promise<OwnDomain> {
  const { accountId } = caller
  const named = {
    domain,
    token: newDomainToken(),
    created_at: toInstant(now),
    asked_at: null,
  }
  return inTransactionOf(db, caller, async (trx) => {
    const own = await findOwnDomain(trx, accountId)
    if (own?.domain === domain) return own
    if (own?.verified_at)
      throw new DomainError({ code: 'conflict.has_domain', values: { domain: own.domain } })
    await trx
      .insertInto('brand_domains')
      .values({ account_id: accountId, verified_at: null, ...named })
      .onConflict((conflict) => conflict.column('account_id').doUpdateSet(named))
      .execute()
    return getOwnDomain(trx, accountId)
  })
}

/** Removes the domain of an account. Throws not_found. */
export async function removeDomain(db: Db, accountId: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('brand_domains')
      .where('account_id', '=', accountId)
      .executeTakeFirst()
    if (!numDeletedRows) throw noDomain()
  })
}

/** Returns the token of the account that has verified the domain; undefined when none has. */
export async function findHoldersToken(db: DbOrTrx, domain: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('brand_domains')
    .select('token')
    .where('domain', '=', domain)
    .where('verified_at', 'is not', null)
    .executeTakeFirst()
  return row?.token
}

export function newDomainToken(): string {
  return randomBytes(12).toString('hex')
}

/** Notes which codes were printed with the domain of the account. Codes that are gone are left out. */
export async function notePrints(db: Db, domain: string, qrIds: string[]): Promise<void> {
  for (let from = 0; from < qrIds.length; from += MOST_AT_ONCE) {
    const ids = qrIds.slice(from, from + MOST_AT_ONCE)
    await inTransaction(db, async (trx) => {
      await trx
        .insertInto('domain_prints')
        .columns(['account_id', 'qr_id'])
        .expression(({ selectFrom }) =>
          selectFrom('brand_domains')
            .innerJoin('qr_codes', (join) => join.on('qr_codes.qr_id', 'in', ids))
            .where('brand_domains.domain', '=', domain)
            .where('brand_domains.verified_at', 'is not', null)
            .select(['brand_domains.account_id', 'qr_codes.qr_id']),
        )
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    })
  }
}

const MOST_AT_ONCE = 500

export function noDomain(): DomainError {
  return new DomainError('not_found.domain')
}
