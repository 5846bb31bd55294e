import { type DragEvent, type KeyboardEvent, type SyntheticEvent, useEffect, useRef } from 'react'
import { FILE_DIALOGS, QR_DIALOGS, tabHref } from '#domain/dashboard.ts'
import { MANAGEMENT_DIALOGS } from '#domain/management.ts'
import { dropFromAddress } from '#islands/_address.ts'
import { refreshPanel, swapIn } from '#islands/_refresh.ts'
import { liftToasts, showToast, type ToastKind } from '#islands/_toast.ts'

const SLOT = 'dialog'

/** Where the focus was: by the time a dialog is modal, somebody may have begun to type in it. */
let opener: Element | null = null

/** Opens the dialog of another page over this one. Throws when it cannot be had. */
export async function openDialog(href: string): Promise<void> {
  // A dialog that leads to another one goes away with what was pressed in it.
  if (!document.activeElement?.closest(`#${SLOT}`)) opener = document.activeElement
  await swapIn(SLOT, `${href}&part=dialog`)
}

/** Takes the dialog away, and its name out of the address; the focus returns to its opener. */
export function closeDialog(): void {
  const slot = document.getElementById(SLOT)
  slot?.querySelector('dialog')?.close()
  slot?.replaceChildren()
  if (opener instanceof HTMLElement) opener.focus()
  dropFromAddress(...QR_DIALOGS, ...FILE_DIALOGS, ...MANAGEMENT_DIALOGS)
}

/** Says what the dialog did, shows the list as it is now, and puts the focus on what changed. */
export async function finishDialog(message: string, focusOn = ''): Promise<void> {
  closeDialog()
  await showChange(message, focusOn)
}

/** Says that the code was deleted meanwhile, for which there is nothing left to do here. */
export async function abandonDialog(message: string): Promise<void> {
  closeDialog()
  await showChange(message, '', 'error')
}

/** New codes stand on the first page of the whole list. */
export function toFirstPage(): void {
  history.replaceState(null, '', tabHref('my-qrs'))
}

export async function showChange(
  message: string,
  focusOn = '',
  kind: ToastKind = 'success',
): Promise<void> {
  showToast(message, kind)
  await reloadList()
  const target = document.getElementById(focusOn) ?? document.querySelector('h1')
  target?.focus()
}

/** What tabs of the dashboard list that do not list codes; other pages say it on their panel. */
const LISTS: Record<string, string> = {
  gallery: 'document gallery',
  'popup-images': 'popup images',
}

/** Shows the list as it is now; what is typed in a dialog over it stays. */
export async function reloadList(): Promise<void> {
  const tab = new URLSearchParams(location.search).get('tab') ?? ''
  const failure = document.getElementById('panel')?.dataset.failure
  const said = failure ?? `Failed to load ${LISTS[tab] ?? 'QR codes'}`
  await refreshPanel().catch(() => showToast(said, 'error'))
}

/**
 * What makes the server's dialog modal. Escape, the close button and a phone's back gesture all
 * ask `leave`, which may say no.
 */
export function useModal(leave: () => void = closeDialog) {
  const ref = useRef<HTMLDialogElement>(null)
  useEffect(() => {
    const dialog = ref.current
    if (!dialog) return
    // One that the server sent open is modal already.
    if (!dialog.matches(':modal')) {
      dialog.removeAttribute('open')
      dialog.showModal()
    }
    liftToasts(dialog)
  }, [])
  function ask(event: SyntheticEvent) {
    event.preventDefault()
    leave()
  }
  return {
    ref,
    open: true,
    onDragOver: keepPage,
    onDrop: keepPage,
    // A file that was not chosen is called off too, inside of the dialog.
    onCancel: (event: SyntheticEvent) => event.target === event.currentTarget && ask(event),
    onKeyDown: (event: KeyboardEvent) => event.key === 'Escape' && ask(event),
    onSubmit: (event: SyntheticEvent) =>
      (event.target as HTMLFormElement).method === 'dialog' && ask(event),
  }
}

/** Browsers open a file that is dropped beside its place, and what was typed would be gone. */
function keepPage(event: DragEvent): void {
  if (event.dataTransfer.types.includes('Files')) event.preventDefault()
}
