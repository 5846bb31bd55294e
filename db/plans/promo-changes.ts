import { sql } from 'kysely'
import { type Actor, recordAdminAct } from '#db/admin/audit-events.ts'
import { toFlag, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { getPromoCodeById, noPromoCode, type PromoRow, toPromoCode } from '#db/plans/promo-codes.ts'
import { randomId } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { DomainError } from '#domain/error.ts'
import {
  type NewPromoCode,
  newPromoCodeProblem,
  normalizePromoCode,
  type PromoCode,
} from '#domain/plans/promo.ts'

/** Throws invalid, and conflict when the code already exists in any letter case. */
export async function createPromoCode(
  db: Db,
  typed: NewPromoCode,
  actor: Actor,
  now: Date,
): Promise<PromoCode> {
  const promo = { ...typed, code: normalizePromoCode(typed.code) }
  const problem = newPromoCodeProblem(promo)
  if (problem) throw new DomainError(problem)
  const row: PromoRow = {
    ...promo,
    id: randomId(),
    plan_months: promo.plan_months ?? null,
    discount_type: promo.discount_value > 0 ? 'percentage' : null,
    usage_count: 0,
    requires_approval: toFlag(promo.requires_approval),
    is_active: toFlag(true),
    created_at: toInstant(now),
  }
  return inTransaction(db, async (trx) => {
    const { numInsertedOrUpdatedRows: inserted } = await trx
      .insertInto('promo_codes')
      .values(row)
      .onConflict((conflict) => conflict.doNothing())
      .executeTakeFirstOrThrow()
    if (!inserted) throw new DomainError('conflict.promo_exists')
    const act = { ...actor, ...subjectOf(row), action: 'promo.created', after: { ...promo } }
    await recordAdminAct(trx, act, now)
    return toPromoCode(row)
  })
}

/** Deactivates a code, or activates it again; `to` names the new state explicitly. Throws not_found. */
export async function togglePromoCode(
  db: Db,
  id: string,
  actor: Actor,
  now: Date,
  to?: boolean,
): Promise<PromoCode> {
  return inTransaction(db, async (trx) => {
    const found = await getPromoCodeById(trx, id)
    if (found.is_active === to) return found
    const row = await trx
      .updateTable('promo_codes')
      .set({ is_active: sql`1 - is_active` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow()
    const promo = toPromoCode(row)
    const { is_active } = promo
    const change = { before: { is_active: !is_active }, after: { is_active } }
    await recordAdminAct(
      trx,
      { ...actor, ...subjectOf(row), action: 'promo.toggled', ...change },
      now,
    )
    return promo
  })
}

/** Deletes a code. Its redemptions and their benefits stay. Throws not_found. */
export async function deletePromoCode(
  db: Db,
  id: string,
  actor: Actor,
  now: Date,
): Promise<PromoCode> {
  return inTransaction(db, async (trx) => {
    const row = await trx
      .deleteFrom('promo_codes')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirstOrThrow(noPromoCode)
    const act = { ...actor, ...subjectOf(row), action: 'promo.deleted', before: { code: row.code } }
    await recordAdminAct(trx, act, now)
    return toPromoCode(row)
  })
}

function subjectOf({ id }: PromoRow) {
  return { subject_type: 'promo_code', subject_id: id }
}
