export type ToastKind = 'success' | 'error' | 'info'

const KEPT = 'driveqr_toast'
const SHOWN_MS = 6000

/** Says what came of an act, in the page's one live region. Errors stay until they are dismissed. */
export function showToast(message: string, kind: ToastKind = 'success'): void {
  const region = document.getElementById('toasts')
  if (!region) return
  const toast = document.createElement('div')
  toast.className = `toast toast-${kind}`
  const text = document.createElement('span')
  text.textContent = message
  const dismiss = document.createElement('button')
  dismiss.type = 'button'
  dismiss.className = 'btn btn-quiet btn-icon btn-sm'
  dismiss.setAttribute('aria-label', 'Dismiss')
  dismiss.textContent = '×'
  dismiss.addEventListener('click', () => toast.remove())
  toast.append(text, dismiss)
  region.append(toast)
  if (kind !== 'error') setTimeout(() => toast.remove(), SHOWN_MS)
}

/** Takes away the errors of an earlier try, which would pile up over what is to be corrected. */
export function dismissErrors(): void {
  for (const toast of document.querySelectorAll('#toasts > .toast-error')) toast.remove()
}

/** Keeps a toast for the page that is opened next. */
export function keepToast(message: string, kind: ToastKind = 'success'): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ message, kind }))
}

export function showKeptToast(): void {
  const kept = sessionStorage.getItem(KEPT)
  if (!kept) return
  sessionStorage.removeItem(KEPT)
  const { message, kind } = JSON.parse(kept) as { message: string; kind: ToastKind }
  showToast(message, kind)
}
