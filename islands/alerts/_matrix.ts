import { SWAPPED } from '#islands/_refresh.ts'

const narrow = matchMedia('(max-width: 47.99rem)')
/** The events that are open on a phone; at first only the first one. */
let opened: Set<string | undefined> | undefined

function events(): HTMLDetailsElement[] {
  return [...document.querySelectorAll<HTMLDetailsElement>('.matrix details')]
}

/** Folds the events on a phone. Elsewhere nothing folds, and a summary is no button. */
function fold(): void {
  for (const [n, event] of events().entries()) {
    const isOpen = opened ? opened.has(event.dataset.event) : n === 0
    event.open = isOpen || !narrow.matches
    event.querySelector('summary')?.setAttribute('tabindex', narrow.matches ? '0' : '-1')
  }
}

function noteOpened(): void {
  if (!narrow.matches) return
  opened = new Set(events().flatMap(({ open, dataset }) => (open ? [dataset.event] : [])))
}

/** Names the ticked channels in the summary, saved or not. */
function namePicked({ target }: Event): void {
  const event = (target as Element).closest('.matrix details')
  const picked = event?.querySelector('.picked')
  if (!event || !picked) return
  const labels = [...event.querySelectorAll(':checked + span')].map(
    ({ firstChild }) => firstChild?.textContent,
  )
  picked.textContent = labels.join(', ') || 'Off'
}

fold()
narrow.addEventListener('change', fold)
document.addEventListener(SWAPPED, fold)
document.addEventListener('change', namePicked)
// It does not bubble.
document.addEventListener('toggle', noteOpened, true)
