import { DomainError } from '#domain/error.ts'

/** Kept low, because finders must dismiss the images. */
const POPUP_IMAGES_PER_ACCOUNT = 20

export function assertPopupImageQuota(count: number): void {
  if (count < POPUP_IMAGES_PER_ACCOUNT) return
  const message = `Popup image limit reached (${count}/${POPUP_IMAGES_PER_ACCOUNT})`
  const planLimit = { current_count: count, limit: POPUP_IMAGES_PER_ACCOUNT }
  throw new DomainError('plan_limit', message, { planLimit })
}
