import { getAccount } from '#db/accounts/accounts.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { accountNow, findPermittedPlan } from '#db/plans/plan-now.ts'
import { findDiscount, useDiscount } from '#db/plans/upgrade-discounts.ts'
import type { RowOf } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import type { PaidPlan } from '#domain/plans/plan.ts'
import { assertMonths } from '#domain/plans/term.ts'
import {
  DEFAULT_MONTHS,
  discountedPrice,
  type PaymentNote,
  planToRequest,
} from '#domain/plans/upgrade.ts'

export type UpgradeRequest = RowOf<'upgrade_requests'>
export type UpgradeWish = PaymentNote & {
  requested_plan?: PaidPlan | undefined
  /** unchanged if undefined, or 1 */
  months?: number | undefined
}
/** Whole rupees a month. */
export type Prices = Record<PaidPlan, number>

/**
 * Creates an account's upgrade request, or changes the pending one. It costs the price of its months, less
 * the largest unused discount of a promo code. Throws invalid for a plan that the account has without end,
 * and for months out of range.
 */
export async function requestUpgrade(
  db: Db,
  accountId: string,
  { requested_plan, months: wanted, ...note }: UpgradeWish,
  prices: Prices,
  now: Date,
): Promise<UpgradeRequest> {
  return inTransaction(db, async (trx) => {
    const stored = await getAccount(trx, accountId)
    const account = accountNow(stored, now)
    const permitted = await findPermittedPlan(trx, stored)
    const pending = await findPending(trx, accountId)
    const plan = planToRequest({ ...account, permitted }, requested_plan, pending?.requested_plan)
    const months = wanted ?? pending?.months ?? DEFAULT_MONTHS
    assertMonths(months)
    const discount = await findDiscount(trx, accountId)
    const price = prices[plan] * months
    const amount = discountedPrice(price, discount?.discount_value ?? 0)
    const request: UpgradeRequest = {
      ...(pending ?? openRequest(accountId, now)),
      ...definedOf(note),
      current_plan: account.subscription_plan,
      requested_plan: plan,
      months,
      amount,
      discount: price - amount,
    }
    const { numInsertedOrUpdatedRows: written } = await trx
      .insertInto('upgrade_requests')
      .values(request)
      .onConflict((conflict) =>
        conflict.column('id').doUpdateSet(request).where('upgrade_requests.status', '=', 'pending'),
      )
      .executeTakeFirstOrThrow()
    if (!written) throw decided()
    await useDiscount(trx, request.id, discount?.id)
    return request
  })
}

function openRequest(accountId: string, now: Date) {
  return {
    id: randomId(),
    account_id: accountId,
    payment_method: null,
    payment_reference: null,
    notes: null,
    screenshot_name: null,
    status: 'pending',
    requested_at: toInstant(now),
    approved_by: null,
    approved_at: null,
    decision_notes: null,
  } as const
}

/** Fields that were not sent keep their values; those that were sent empty are cleared. */
function definedOf<T extends object>(sent: T): { [K in keyof T]-?: Exclude<T[K], undefined> } {
  const entries = Object.entries(sent).filter(([, value]) => value !== undefined)
  return Object.fromEntries(entries) as ReturnType<typeof definedOf<T>>
}

function findPending(db: DbOrTrx, accountId: string): Promise<UpgradeRequest | undefined> {
  return db
    .selectFrom('upgrade_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .where('status', '=', 'pending')
    .executeTakeFirst()
}

/**
 * Deletes the pending request of an account, and returns its file. Throws not_found without a request, and
 * conflict when the last one is decided.
 */
export async function takeBackUpgrade(
  db: Db,
  accountId: string,
): Promise<{ stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const taken = await trx
      .deleteFrom('upgrade_requests')
      .where('account_id', '=', accountId)
      .where('status', '=', 'pending')
      .returning('screenshot_name')
      .executeTakeFirst()
    if (taken) return { stored_names: taken.screenshot_name ? [taken.screenshot_name] : [] }
    const last = await findLastUpgradeRequest(trx, accountId)
    throw last ? decided() : new DomainError('not_found.upgrade_request')
  })
}

/** Returns the newest request of the account, decided or not. */
export async function findLastUpgradeRequest(
  db: DbOrTrx,
  accountId: string,
): Promise<UpgradeRequest | undefined> {
  return db
    .selectFrom('upgrade_requests')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('requested_at', 'desc')
    .limit(1)
    .executeTakeFirst()
}

/** Throws not_found unless it is the account's request, and conflict when it is decided. */
export async function assertMayShowPayment(
  db: DbOrTrx,
  accountId: string,
  requestId: string,
): Promise<{ screenshot_name: string | null }> {
  const request = await db
    .selectFrom('upgrade_requests')
    .select(['status', 'screenshot_name'])
    .where('id', '=', requestId)
    .where('account_id', '=', accountId)
    .executeTakeFirstOrThrow(() => new DomainError('not_found.upgrade_request'))
  if (request.status === 'pending') return request
  throw decided()
}

function decided(): DomainError {
  return new DomainError('conflict.request_decided')
}

/** Adds a stored screenshot to a pending request, and returns the file that it replaces. */
export async function attachScreenshot(
  db: Db,
  accountId: string,
  requestId: string,
  screenshot_name: string,
): Promise<{ stored_names: string[] }> {
  return inTransaction(db, async (trx) => {
    const { screenshot_name: old } = await assertMayShowPayment(trx, accountId, requestId)
    const { numUpdatedRows } = await trx
      .updateTable('upgrade_requests')
      .set({ screenshot_name })
      .where('id', '=', requestId)
      .where('status', '=', 'pending')
      .executeTakeFirstOrThrow()
    if (!numUpdatedRows) throw decided()
    return { stored_names: old ? [old] : [] }
  })
}
