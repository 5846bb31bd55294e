import { toInstant } from '#db/cast.ts'
import type { DbOrTrx, Trx } from '#db/client.ts'
import type { GivenTerm } from '#db/plans/benefits.ts'
import type { AccountAndDecider } from '#db/plans/decisions.ts'
import type { UpgradeRequest } from '#db/plans/upgrade-requests.ts'
import type { RowOf } from '#db/schema.ts'
import { isAdmin, type Role } from '#domain/accounts/roles.ts'
import { PRODUCT } from '#domain/brands/brand.ts'
import { DomainError } from '#domain/error.ts'
import { type ReceiptView, receiptNumber } from '#domain/plans/receipt.ts'
import { DEFAULT_TIMEZONE, toDayIn } from '#domain/time.ts'

export type Receipt = RowOf<'receipts'>

/** The issuer of receipts, and the zone in which their years and the months of plans are counted. */
export type Issuer = {
  timezone: string
  name: string
  address: string | null
  contact: string | null
  /** null without a tax number */
  tax: { gstin: string; rate: number } | null
}

/** The issuer where nothing is configured. */
export const NO_ISSUER: Issuer = {
  timezone: DEFAULT_TIMEZONE,
  name: PRODUCT,
  address: null,
  contact: null,
  tax: null,
}

/**
 * Issues the receipt of an approved upgrade, in the transaction of the approval: so a number is used
 * exactly if the approval is committed, and a year has no gaps.
 */
export async function issueReceipt(
  trx: Trx,
  request: UpgradeRequest & AccountAndDecider,
  { from, until }: GivenTerm,
  { timezone, name, address, contact, tax }: Issuer,
  now: Date,
): Promise<void> {
  const year = Number(toDayIn(timezone, now).slice(0, 4))
  const receipt: Receipt = {
    number: receiptNumber(year, await nextNumber(trx, year)),
    upgrade_request_id: request.id,
    account_id: request.account_id,
    account_name: request.user_name,
    account_contact: request.user_email ?? request.user_mobile ?? '',
    issued_at: toInstant(now),
    plan: request.requested_plan,
    months: request.months,
    starts_at: toInstant(from),
    ends_at: until && toInstant(until),
    amount: request.amount,
    discount: request.discount,
    promo_code: await findUsedCode(trx, request.id),
    payment_method: request.payment_method,
    payment_reference: request.payment_reference,
    operator_name: name,
    operator_address: address,
    operator_contact: contact,
    gstin: tax?.gstin ?? null,
    gst_rate: tax?.rate ?? null,
  }
  await trx.insertInto('receipts').values(receipt).execute()
}

async function nextNumber(trx: Trx, year: number): Promise<number> {
  const { last } = await trx
    .insertInto('receipt_years')
    .values({ year, last: 1 })
    .onConflict((conflict) =>
      conflict.column('year').doUpdateSet((eb) => ({ last: eb('receipt_years.last', '+', 1) })),
    )
    .returning('last')
    .executeTakeFirstOrThrow()
  return last
}

async function findUsedCode(trx: Trx, requestId: string): Promise<string | null> {
  const used = await trx
    .selectFrom('promo_redemptions')
    .select('code')
    .where('discount_used_by', '=', requestId)
    .executeTakeFirst()
  return used?.code ?? null
}

/** Returns an account's receipts, the newest first. */
export async function listReceipts(db: DbOrTrx, accountId: string): Promise<Receipt[]> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('issued_at', 'desc')
    .orderBy('number', 'desc')
    .execute()
}

/** Returns an account's receipt; an admin's any. Throws not_found. */
export async function getReceipt(
  db: DbOrTrx,
  reader: { id: string; role: Role },
  number: string,
): Promise<Receipt> {
  return db
    .selectFrom('receipts')
    .selectAll()
    .where('number', '=', number)
    .$if(!isAdmin(reader.role), (query) => query.where('account_id', '=', reader.id))
    .executeTakeFirstOrThrow(() => new DomainError('not_found.receipt'))
}

export function toReceiptView(receipt: Receipt): ReceiptView {
  const { number, issued_at, plan, amount, discount, payment_reference } = receipt
  return {
    number,
    issued_at,
    plan,
    from: receipt.starts_at,
    until: receipt.ends_at,
    amount,
    discount,
    payment_reference,
  }
}
