import { ANSWER } from '#islands/_forms.ts'
import { SWAPPED } from '#islands/_refresh.ts'
import { KEPT_NOTICE } from '#islands/plans/_kept-notice.ts'

/** Loads the script of the notice when there is one. */
export function watchPromoNotice(): void {
  showKept()
  addEventListener('storage', showKept)
  document.addEventListener(SWAPPED, showKept)
  document.addEventListener(ANSWER, (event) => keepMade((event as CustomEvent<Document>).detail))
}

async function showKept(): Promise<void> {
  if (localStorage.getItem(KEPT_NOTICE) === null) return
  const { showNotice } = await import('#islands/plans/_promo-notice.ts')
  showNotice()
}

async function keepMade(page: Document): Promise<void> {
  if (!page.querySelector('#promo-notices[data-made]')) return
  const { keepNotice } = await import('#islands/plans/_promo-notice.ts')
  keepNotice(page)
}
