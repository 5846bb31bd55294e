import { formatCount } from '#domain/number.ts'
import { listen } from '#islands/_listen.ts'
import { SWAPPED } from '#islands/_refresh.ts'
import { sayStarted } from '#islands/codes/_downloads.ts'
import { actOnce } from '#islands/ui/_busy.ts'
import { openDialog } from '#islands/ui/_dialog.ts'
import { showResult } from '#islands/ui/_result.ts'

/** Counts the ticks of the selection, and opens what its buttons lead to above the list, whose ticks stay. */
const FORM = 'form[data-script="selection"]'
const NOT_OPENED = 'This could not be opened. Check your connection and try again.'

listen('change', `${FORM} .choose input`, showCount)
document.addEventListener(SWAPPED, showCount)
listen<HTMLFormElement>('submit', FORM, (form, event) => {
  const { submitter } = event as SubmitEvent
  if (!(submitter instanceof HTMLButtonElement) || submitter.name !== 'chosen') return
  // A file: the page stays.
  if (submitter.value === 'zip' && countTicks() !== 0) return sayStarted()
  event.preventDefault()
  const fields = new FormData(form, submitter) as unknown as Iterable<[string, string]>
  const sent = new URLSearchParams([...fields])
  const href = form.getAttribute('action') ?? ''
  const opening = () =>
    form.method === 'get' ? openDialog(`${href}?${sent}`) : openDialog(href, 'dialog', sent)
  actOnce(submitter, () => opening().catch(() => showResult(NOT_OPENED, 'error')))
})
showCount()

/** On this page and on others; undefined where all that the list finds are selected. */
function countTicks(): number | undefined {
  const elsewhere = status()?.dataset.selected
  if (elsewhere === undefined) return undefined
  return Number(elsewhere) + document.querySelectorAll(`${FORM} .choose input:checked`).length
}

function showCount(): void {
  const [shown, count] = [status(), countTicks()]
  if (shown && count !== undefined) shown.textContent = `${formatCount(count)} selected`
}

function status(): HTMLElement | null {
  return document.querySelector<HTMLElement>('.selbar [role="status"]')
}
