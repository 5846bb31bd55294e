import type { RedeemedCode } from '#components/plans/promo-notice.tsx'
import { type PromoNotice, REDEMPTION_TEXTS, readPromoNotice } from '#domain/plans/promo-notice.ts'
import { listen } from '#islands/_listen.ts'
import { isWriting } from '#islands/_refresh.ts'
import { KEPT_NOTICE } from '#islands/plans/_kept-notice.ts'

const RELOAD_MS = 2000

listen('click', '[data-action="drop-promo-notice"]', () => {
  localStorage.removeItem(KEPT_NOTICE)
  showNotice()
})
// Another window may have dropped it.
addEventListener('storage', showNotice)

/** Shows the notice of a redeemed code for a day, on the page that has it. */
export function showNotice(): void {
  const notices = document.getElementById('promo-notices')
  if (!notices) return
  const stored = localStorage.getItem(KEPT_NOTICE)
  const kept = readPromoNotice(stored, notices.dataset.account ?? '', new Date())
  if (stored !== null && !kept) localStorage.removeItem(KEPT_NOTICE)
  notices.querySelector(':scope > .note')?.remove()
  const note = [...notices.querySelectorAll('template')].find(
    ({ dataset }) => dataset.code === kept?.promo_code,
  )
  if (note) notices.append(note.content.cloneNode(true))
  notices.hidden = !note
}

/**
 * Keeps the outcome of a redeeming form. A new plan changes the whole page, which is loaded after
 * the result was read, unless an open form or a begun answer would lose typed text.
 */
export function keepNotice(page: Document): void {
  const { account, made } = page.getElementById('promo-notices')?.dataset ?? {}
  if (!account || !made) return
  const { code, status, benefit } = JSON.parse(made) as RedeemedCode
  const message = REDEMPTION_TEXTS[status]
  const timestamp = new Date().toISOString()
  const notice: PromoNotice = { promo_code: code, benefit, message, timestamp, account_id: account }
  localStorage.setItem(KEPT_NOTICE, JSON.stringify(notice))
  showNotice()
  if (status === 'approved') setTimeout(reloadUnlessTyping, RELOAD_MS)
}

function reloadUnlessTyping(): void {
  if (!document.querySelector('#dialog dialog') && !isWriting()) location.reload()
}
