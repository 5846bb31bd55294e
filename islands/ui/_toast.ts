export type ToastKind = 'success' | 'error' | 'info'

const KEPT = 'driveqr_toast'
const SHOWN_MS = 6000

let region: HTMLElement | null = null
let dialogs: HTMLDialogElement[] = []

/** Lets toasts be seen, heard and pressed over a modal dialog, which they could not be beneath it. */
export function liftToasts(dialog: HTMLDialogElement): void {
  if (!dialogs.includes(dialog)) dialogs.push(dialog)
  dialog.addEventListener('close', placeRegion, { once: true })
  placeRegion()
}

/** Puts the page's one live region into the dialog that was opened last. */
function placeRegion(): HTMLElement | null {
  region ??= document.getElementById('toasts')
  dialogs = dialogs.filter(({ open, isConnected }) => open && isConnected)
  const home = dialogs.at(-1) ?? document.body
  if (region && region.parentElement !== home) home.append(region)
  return region
}

/** Shows the outcome of an act. Errors stay until they are dismissed, or the next act has a result. */
export function showToast(message: string, kind: ToastKind = 'success'): void {
  const region = placeRegion()
  if (!region) return
  if (kind !== 'info') dismissErrors()
  const toast = document.createElement('div')
  toast.className = `toast toast-${kind}`
  const text = document.createElement('span')
  text.textContent = message
  const dismiss = document.createElement('button')
  dismiss.type = 'button'
  dismiss.className = 'btn btn-quiet btn-icon btn-sm'
  dismiss.setAttribute('aria-label', region.dataset.dismiss ?? '')
  dismiss.textContent = '×'
  dismiss.addEventListener('click', () => toast.remove())
  toast.append(text, dismiss)
  region.append(toast)
  if (kind !== 'error') setTimeout(() => toast.remove(), SHOWN_MS)
}

/** Announces a text to screen readers, for others see it in its place. */
export function announce(message: string): void {
  const said = document.createElement('p')
  said.className = 'vh'
  said.textContent = message
  placeRegion()?.append(said)
  setTimeout(() => said.remove(), SHOWN_MS)
}

const PRESSABLE = 'a[href], button, input, select, textarea, summary, label'

/** Lets the text of toasts be selected where the pointer is, unless something to press is beneath. */
export function watchToasts(): void {
  function look({ clientX: x, clientY: y }: PointerEvent) {
    const toasts = document.getElementById('toasts')
    if (!toasts?.firstChild) return
    const beneath = document.elementsFromPoint(x, y).find((each) => !toasts.contains(each))
    toasts.toggleAttribute('data-selectable', !beneath?.closest(PRESSABLE))
  }
  addEventListener('pointermove', look)
  addEventListener('pointerdown', look)
}

/** Removes the errors of an earlier try, which would cover the fields to correct. */
export function dismissErrors(): void {
  for (const toast of document.querySelectorAll('#toasts > .toast-error')) toast.remove()
}

/** Keeps a toast for the page that is opened next. */
export function keepToast(message: string, kind: ToastKind = 'success'): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ message, kind }))
}

/** Keeps the last error for the next page. */
export function keepError(): void {
  const said = document.querySelector('#toasts > .toast-error:last-child > span')?.textContent
  if (said) keepToast(said, 'error')
}

export function showKeptToast(): void {
  const kept = sessionStorage.getItem(KEPT)
  if (!kept) return
  sessionStorage.removeItem(KEPT)
  const { message, kind } = JSON.parse(kept) as { message: string; kind: ToastKind }
  showToast(message, kind)
}
