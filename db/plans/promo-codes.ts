import type { ExpressionBuilder } from 'kysely'
import { fromFlag, toFlag, toInstant } from '#db/cast.ts'
import type { DbOrTrx } from '#db/client.ts'
import { containsText } from '#db/codes/qr-search.ts'
import { type Page, pageOf } from '#db/pages.ts'
import type { RowOf, Tables } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import { normalizePromoCode, type PromoCode, type PromoState } from '#domain/plans/promo.ts'

export type PromoRow = RowOf<'promo_codes'>

/** Filters promo codes. */
export type PromoPage = Page & {
  state?: PromoState | undefined
  search?: string | null
}

/** Returns a page of promo codes, newest first, and the total number. */
export async function listPromoCodes(
  db: DbOrTrx,
  now: Date,
  { state, search, ...page }: PromoPage = {},
): Promise<{ promo_codes: PromoCode[]; total: number }> {
  let found = db.selectFrom('promo_codes')
  if (state) found = found.where(isInState(state, now))
  if (search) {
    found = found.where(({ or, ref }) =>
      or([containsText(ref('code'), search), containsText(ref('description'), search)]),
    )
  }
  const inOrder = found.selectAll().orderBy('created_at', 'desc').orderBy('code')
  const { rows, total } = await pageOf(inOrder, page)
  return { promo_codes: rows.map(toPromoCode), total }
}

function isInState(state: PromoState, now: Date) {
  return ({ eb, and, not }: ExpressionBuilder<Tables, 'promo_codes'>) => {
    const isExpired = and([
      eb('expires_at', 'is not', null),
      eb('expires_at', '<=', toInstant(now)),
    ])
    if (state === 'expired') return isExpired
    return and([not(isExpired), eb('is_active', '=', toFlag(state === 'active'))])
  }
}

/** Returns the promo code that somebody typed, in any letter case. Throws not_found. */
export async function getPromoCode(db: DbOrTrx, typed: string): Promise<PromoCode> {
  const row = await db
    .selectFrom('promo_codes')
    .selectAll()
    .where('code', '=', normalizePromoCode(typed))
    .executeTakeFirstOrThrow(() => new DomainError('not_found.promo_invalid'))
  return toPromoCode(row)
}

/** Throws not_found. */
export async function getPromoCodeById(db: DbOrTrx, id: string): Promise<PromoCode> {
  const row = await db
    .selectFrom('promo_codes')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow(noPromoCode)
  return toPromoCode(row)
}

/** Returns a promo code in the form that the rules take. */
export function toPromoCode({ requires_approval, is_active, ...row }: PromoRow): PromoCode {
  return { ...row, requires_approval: fromFlag(requires_approval), is_active: fromFlag(is_active) }
}

export function noPromoCode(): DomainError {
  return new DomainError('not_found.promo_code')
}
