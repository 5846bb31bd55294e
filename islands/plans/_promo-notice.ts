import type { RedeemedCode } from '#components/plans/promo-notice.tsx'
import { REDEMPTION_TEXTS } from '#domain/plans/promo.ts'
import { type PromoNotice, readPromoNotice } from '#domain/plans/promo-notice.ts'
import { ANSWER } from '#islands/_forms.ts'
import { listen } from '#islands/_listen.ts'
import { SWAPPED } from '#islands/_refresh.ts'

const KEY = 'driveqr_promo_notice'
const RELOAD_MS = 2000

/** Shows the notice of a redeemed code for a day, on the page that has it. */
export function watchPromoNotice(): void {
  show()
  addEventListener('storage', show)
  document.addEventListener(SWAPPED, show)
  document.addEventListener(ANSWER, (event) => takeAnswer((event as CustomEvent<Document>).detail))
  listen('click', '[data-action="drop-promo-notice"]', () => {
    localStorage.removeItem(KEY)
    show()
  })
}

function show(): void {
  const notices = document.getElementById('promo-notices')
  if (!notices) return
  const stored = localStorage.getItem(KEY)
  const kept = readPromoNotice(stored, notices.dataset.account ?? '', new Date())
  if (stored !== null && !kept) localStorage.removeItem(KEY)
  notices.querySelector(':scope > .note')?.remove()
  const note = [...notices.querySelectorAll('template')].find(
    ({ dataset }) => dataset.code === kept?.promo_code,
  )
  if (note) notices.append(note.content.cloneNode(true))
  notices.hidden = !note
}

/**
 * Keeps what a form has redeemed. With its new plan the whole page is another one: it comes when
 * the toast has been read, unless a form is open that would lose what is typed.
 */
function takeAnswer(page: Document): void {
  const { account, made } = page.getElementById('promo-notices')?.dataset ?? {}
  if (!account || !made) return
  const { code, status, benefit } = JSON.parse(made) as RedeemedCode
  const message = REDEMPTION_TEXTS[status]
  const timestamp = new Date().toISOString()
  const notice: PromoNotice = { promo_code: code, benefit, message, timestamp, account_id: account }
  localStorage.setItem(KEY, JSON.stringify(notice))
  show()
  const isFormOpen = document.querySelector('#dialog dialog') !== null
  if (status === 'approved' && !isFormOpen) setTimeout(() => location.reload(), RELOAD_MS)
}
