import { type ExpressionBuilder, type Selectable, sql } from 'kysely'
import { type Actor, recordAct } from '#db/audit-events.ts'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { containsText } from '#db/qr-search.ts'
import type { PromoCodesTable, Tables } from '#db/schema.ts'
import { randomId } from '#db/secrets.ts'
import { isUniqueViolation } from '#db/sqlite.ts'
import { DomainError } from '#domain/error.ts'
import {
  type NewPromoCode,
  newPromoCodeProblem,
  normalizePromoCode,
  type PromoCode,
  type PromoState,
} from '#domain/promo.ts'

type Row = Selectable<PromoCodesTable>

/** Throws invalid, and conflict when there is such a code already, whatever the letter case. */
export async function createPromoCode(
  db: Db,
  typed: NewPromoCode,
  actor: Actor,
  now: Date,
): Promise<PromoCode> {
  const promo = { ...typed, code: normalizePromoCode(typed.code) }
  const problem = newPromoCodeProblem(promo)
  if (problem) throw new DomainError('invalid', problem)
  const row: Row = {
    ...promo,
    id: randomId(),
    discount_type: promo.discount_value > 0 ? 'percentage' : null,
    usage_count: 0,
    requires_approval: toFlag(promo.requires_approval),
    is_active: toFlag(true),
    created_at: toInstant(now),
  }
  return db.transaction().execute(async (trx) => {
    await trx
      .insertInto('promo_codes')
      .values(row)
      .execute()
      .catch((error) => {
        if (!isUniqueViolation(error)) throw error
        throw new DomainError('conflict', 'This promo code already exists')
      })
    const act = { ...actor, ...subjectOf(row), action: 'promo.created', after: { ...promo } }
    await recordAct(trx, act, now)
    return toPromoCode(row)
  })
}

/** Which codes; without a limit all of them. */
export type PromoPage = {
  state?: PromoState | undefined
  search?: string | null
  limit?: number
  offset?: number
}

/** The codes, newest first, and how many there are beyond the page. */
export async function listPromoCodes(
  db: DbOrTrx,
  now: Date,
  { state, search, limit, offset = 0 }: PromoPage = {},
): Promise<{ promo_codes: PromoCode[]; total: number }> {
  let found = db.selectFrom('promo_codes')
  if (state) found = found.where(isInState(state, now))
  if (search) {
    found = found.where(({ or, ref }) =>
      or([containsText(ref('code'), search), containsText(ref('description'), search)]),
    )
  }
  const { total } = await found
    .select(({ fn }) => fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await found
    .selectAll()
    .orderBy('created_at', 'desc')
    .orderBy('code')
    .limit(limit ?? total)
    .offset(offset)
    .execute()
  return { promo_codes: rows.map(toPromoCode), total }
}

function isInState(state: PromoState, now: Date) {
  return ({ eb }: ExpressionBuilder<Tables, 'promo_codes'>) =>
    state === 'expired'
      ? eb('expires_at', '<=', toInstant(now))
      : eb('is_active', '=', toFlag(state === 'active'))
}

/** The code that somebody typed, in any letter case. Throws not_found. */
export async function getPromoCode(db: DbOrTrx, typed: string): Promise<PromoCode> {
  const row = await db
    .selectFrom('promo_codes')
    .selectAll()
    .where('code', '=', normalizePromoCode(typed))
    .executeTakeFirst()
  if (!row) throw new DomainError('not_found', 'Invalid promo code')
  return toPromoCode(row)
}

/** Throws not_found. */
export async function getPromoCodeById(db: DbOrTrx, id: string): Promise<PromoCode> {
  const row = await db.selectFrom('promo_codes').selectAll().where('id', '=', id).executeTakeFirst()
  if (!row) throw noPromoCode()
  return toPromoCode(row)
}

/** Lets a code be redeemed no more, or again. Throws not_found. */
export async function togglePromoCode(
  db: Db,
  id: string,
  actor: Actor,
  now: Date,
): Promise<PromoCode> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .updateTable('promo_codes')
      .set({ is_active: sql`1 - is_active` })
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw noPromoCode()
    const promo = toPromoCode(row)
    const { is_active } = promo
    const change = { before: { is_active: !is_active }, after: { is_active } }
    await recordAct(trx, { ...actor, ...subjectOf(row), action: 'promo.toggled', ...change }, now)
    return promo
  })
}

/** Removes a code; what it gave stays, and so do its redemptions. Throws not_found. */
export async function deletePromoCode(
  db: Db,
  id: string,
  actor: Actor,
  now: Date,
): Promise<PromoCode> {
  return db.transaction().execute(async (trx) => {
    const row = await trx
      .deleteFrom('promo_codes')
      .where('id', '=', id)
      .returningAll()
      .executeTakeFirst()
    if (!row) throw noPromoCode()
    const act = { ...actor, ...subjectOf(row), action: 'promo.deleted', before: { code: row.code } }
    await recordAct(trx, act, now)
    return toPromoCode(row)
  })
}

function subjectOf({ id }: Row) {
  return { subject_type: 'promo_code', subject_id: id }
}

function toPromoCode({ requires_approval, is_active, ...row }: Row): PromoCode {
  return { ...row, requires_approval: fromFlag(requires_approval), is_active: fromFlag(is_active) }
}

function noPromoCode(): DomainError {
  return new DomainError('not_found', 'Promo code not found')
}
