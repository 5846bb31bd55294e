/** Where the browser keeps the notice of a redeemed code. */
export const KEPT_NOTICE = 'driveqr_promo_notice'
