/*
 * An open dialog is an entry of the history: going back closes it as Escape does, before it leaves the page.
 */

/** Whether the present entry was added for a dialog, open or closed since. */
let isAdded = false

/** Adds an entry for a dialog that a press has opened. */
export function noteDialog(): void {
  if (isAdded) return
  history.pushState({ dialog: true }, '')
  isAdded = true
}

export function watchBack(): void {
  isAdded = Boolean(history.state?.dialog)
  addEventListener('popstate', () => {
    const wasAdded = isAdded
    isAdded = Boolean(history.state?.dialog)
    if (!wasAdded || isAdded) return
    const dialog = [...document.querySelectorAll<HTMLDialogElement>('dialog:modal')].at(-1)
    // Its dialog was closed otherwise: the press is meant for the page.
    if (!dialog) return history.back()
    dialog.dispatchEvent(new Event('cancel', { cancelable: true }))
    // It asks about the typed text, or another one is beneath it.
    if (document.querySelector('dialog:modal')) noteDialog()
  })
}
