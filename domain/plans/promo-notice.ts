import type { DecisionStatus } from '#domain/decision.ts'

/** Shown to the account about its redemption, by status. */
export const REDEMPTION_TEXTS: Record<DecisionStatus, string> = {
  approved: 'Promo code redeemed successfully!',
  pending: 'Your promo code is waiting for approval, about 24-48 hours.',
  rejected: 'Your promo code was not approved.',
}

/** The result of a redemption, kept in the browser and shown on the dashboard for a day. */
export type PromoNotice = {
  promo_code: string
  benefit: string
  message: string
  timestamp: string
  /** the account it belongs to: several people may use one browser */
  account_id: string
}

export const SHOWN_HOURS = 24
const FIELDS = ['promo_code', 'benefit', 'message', 'timestamp', 'account_id'] as const

/** Returns the notice to show; undefined for one that is malformed, too old or of another account. */
export function readPromoNotice(
  stored: string | null,
  accountId: string,
  now: Date,
): PromoNotice | undefined {
  const notice = parse(stored)
  if (notice?.account_id !== accountId) return undefined
  const age = now.getTime() - Date.parse(notice.timestamp)
  return age >= 0 && age < SHOWN_HOURS * 3_600_000 ? notice : undefined
}

function parse(stored: string | null): PromoNotice | undefined {
  try {
    const notice = JSON.parse(stored ?? 'null')
    const isWhole = FIELDS.every((field) => typeof notice?.[field] === 'string')
    return isWhole ? notice : undefined
  } catch {
    return undefined
  }
}
