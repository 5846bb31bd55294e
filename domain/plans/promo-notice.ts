/** What a redemption brought, kept in the browser to be shown on the dashboard for a day. */
export type PromoNotice = {
  promo_code: string
  benefit: string
  message: string
  timestamp: string
  /** whose it is: a browser may be used by more than one */
  account_id: string
}

export const SHOWN_HOURS = 24
const FIELDS = ['promo_code', 'benefit', 'message', 'timestamp', 'account_id'] as const

/** The notice to show an account; undefined for one that is broken, too old or somebody else's. */
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
