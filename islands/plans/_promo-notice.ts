import type { PromoNotice } from '#domain/plans/promo-notice.ts'

const KEY = 'driveqr_promo_notice'
const CHANGED = 'promo-notice'

export function keepPromoNotice(notice: Omit<PromoNotice, 'timestamp'>): void {
  const timestamp = new Date().toISOString()
  localStorage.setItem(KEY, JSON.stringify({ ...notice, timestamp }))
  dispatchEvent(new Event(CHANGED))
}

export function dropPromoNotice(): void {
  localStorage.removeItem(KEY)
  dispatchEvent(new Event(CHANGED))
}

/** What is kept, as it was written. */
export function keptPromoNotice(): string | null {
  return localStorage.getItem(KEY)
}

/** Tells when it changes, in this window or in another one. Answers what ends the telling. */
export function watchPromoNotice(tell: () => void): () => void {
  const names = [CHANGED, 'storage']
  for (const name of names) addEventListener(name, tell)
  return () => {
    for (const name of names) removeEventListener(name, tell)
  }
}
