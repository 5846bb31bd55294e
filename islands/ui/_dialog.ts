import {
  CONVERSATION_DIALOGS,
  FILE_DIALOGS,
  MANAGEMENT_DIALOGS,
  QR_DIALOGS,
  REPORT_DIALOGS,
  SETTINGS_DIALOGS,
} from '#domain/dialogs.ts'
import { dropFromAddress } from '#islands/_address.ts'
import { isGone, movedOn } from '#islands/_api-problem.ts'
import { listen } from '#islands/_listen.ts'
import { fetchPage, ISLAND, refreshPanel, renewProps, swapIn, twinOf } from '#islands/_refresh.ts'
import { noteDialog, watchBack } from '#islands/ui/_back.ts'
import { actOnce } from '#islands/ui/_busy.ts'
import { focusInvalid } from '#islands/ui/_focus-invalid.ts'
import { carryResult, dismissErrors, type ResultKind, showResult } from '#islands/ui/_result.ts'

/** The Upgrade dialog opens above another dialog, which it does not change. */
export type Slot = 'dialog' | 'upgrade'
const SLOTS: Slot[] = ['dialog', 'upgrade']

/** Where the focus was before the request: later it may already be inside the dialog. */
const openers: Partial<Record<Slot, Element | null>> = {}

/**
 * Opens the dialogs that links lead to above the current page, and closes those that are not part
 * of an island. Escape, the close button and a phone's back gesture all close.
 */
export function watchDialogs(): void {
  listen<HTMLAnchorElement>('click', 'a[data-dialog]', (link, event) => {
    // A page without a place for it is left.
    if (!document.getElementById(slotNamed(link))) return
    event.preventDefault()
    // A second answer would replace the dialog, and its typed text.
    actOnce(link, () => follow(link))
  })
  listen<HTMLFormElement>('submit', 'form[method="dialog"]', (form, event) => {
    if (!form.closest('dialog')?.matches(PLAIN)) return
    event.preventDefault()
    leaveDialog(slotOf(form))
  })
  // It does not bubble.
  document.addEventListener('cancel', cancel, true)
  watchBack()
  makePlainModal()
}

/** A dialog that is a server component, or an island without its script; others have handlers of their own. */
const PLAIN = SLOTS.flatMap((slot) => [
  `#${slot} > dialog`,
  `#${slot} > [data-plain] > dialog`,
]).join()

function cancel(event: Event): void {
  const dialog = event.target as Element
  if (!dialog.matches(PLAIN)) return
  event.preventDefault()
  leaveDialog(slotOf(dialog))
}

/** Closes a dialog for its user, who needs its errors no more. */
export function leaveDialog(slot?: Slot): void {
  dismissErrors()
  closeDialog(slot)
}

export function slotOf(within: Element): Slot | undefined {
  return SLOTS.find((slot) => within.closest(`#${slot}`))
}

export function makePlainModal(): void {
  document.querySelectorAll<HTMLDialogElement>(PLAIN).forEach(makeModal)
}

/** Makes a dialog modal that the server sent open. */
export function makeModal(dialog: HTMLDialogElement): void {
  if (dialog.matches(':modal')) return
  dialog.removeAttribute('open')
  dialog.showModal()
  // A refused field gets the focus first; otherwise the title does.
  focusInvalid(dialog)
}

async function follow(link: HTMLAnchorElement): Promise<void> {
  const { dataset, href } = link
  const slot = slotNamed(link)
  await openDialog(href, slot).catch((error) => {
    const changed = isGone(error) ? (dataset.gone ?? 'QR code not found') : movedOn(error)
    return changed
      ? showChange(changed, '', 'error')
      : showResult(dataset.failed ?? NOT_OPENED[slot], 'error')
  })
}

function slotNamed({ dataset }: HTMLAnchorElement): Slot {
  return dataset.dialog === 'upgrade' ? 'upgrade' : 'dialog'
}

/** Returns the text for a dialog whose subject no longer exists, if its opener has one. */
export function goneText(slot: Slot): string | undefined {
  return (openers[slot] as HTMLElement | null | undefined)?.dataset.gone
}

const NOT_OPENED: Record<Slot, string> = {
  dialog: 'This could not be opened. Check your connection and try again.',
  upgrade: 'Failed to load subscription plans',
}

let lastOpening = 0

/**
 * Opens the dialog of another page over this one. Throws when it cannot be fetched. `sent` is
 * posted to it. Of several on their way only the last opens: another would replace it, and its
 * typed text.
 */
export async function openDialog(
  href: string,
  slot: Slot = 'dialog',
  sent?: URLSearchParams,
): Promise<void> {
  const focused = document.activeElement
  // A dialog that leads to another one disappears with the pressed button in it.
  if (!focused?.closest(`#${slot}`)) openers[slot] = focused
  lastOpening += 1
  const opening = lastOpening
  const page = await fetchPage(`${href}&part=dialog`, sent)
  if (!page || opening !== lastOpening) return
  swapIn(slot, page)
  makePlainModal()
  noteDialog()
}

/** Shows the dialog of an answer to `sent`. Typed text in its other forms stays. */
export function showDialog(page: Document, slot: Slot = 'dialog', sent?: HTMLFormElement): void {
  const [fresh, old] = [page, document].map((of) => of.getElementById(slot))
  if (!fresh || !old) return
  const island = old.querySelector(`:scope > ${ISLAND}`)
  const twin = island && twinOf(island, page)
  if (twin) {
    renewProps(island, twin)
    return
  }
  if (!old.querySelector('dialog')) openers[slot] = document.activeElement
  keepTyped(old, fresh, sent)
  carryResult(() => {
    old.replaceWith(document.adoptNode(fresh))
    makePlainModal()
  })
  noteDialog()
  const link = document.querySelector<HTMLAnchorElement>(`#${slot} a[data-follow]`)
  if (link) followSoon(link)
}

/** Opens a link that a form has made, where the link says. */
export function followSoon(link: HTMLAnchorElement): void {
  setTimeout(() => link.click(), FOLLOW_UP_MS)
}

/** The time for reading the text of the next dialog's opener. */
const FOLLOW_UP_MS = 500

/** Fetches an open dialog again, after `sent` has changed it. */
export async function renewDialog(slot: Slot, href: string, sent: HTMLFormElement): Promise<void> {
  const page = await fetchPage(`${href}&part=dialog`).catch(() => undefined)
  if (page) showDialog(page, slot, sent)
  else showResult(NOT_OPENED[slot], 'error')
}

type Control = HTMLInputElement | HTMLSelectElement | HTMLTextAreaElement
const CONTROLS = 'input:not([type="hidden"]), select, textarea'

/** Every form but the one that was sent is filled in, chosen and opened as it was. */
function keepTyped(old: Element, fresh: Element, sent: HTMLFormElement | undefined): void {
  const twins = [...fresh.querySelectorAll<Control>(CONTROLS)]
  for (const control of old.querySelectorAll<Control>(CONTROLS)) {
    if (sent && control.form === sent) continue
    const twin = twins.find((each) => nameOf(each) === nameOf(control))
    if (twin instanceof HTMLInputElement && control instanceof HTMLInputElement) {
      twin.checked = control.checked
      if (control.type === 'file') twin.files = control.files
    }
    if (twin && control.type !== 'file') twin.value = control.value
  }
}

/** Returns the name of a dialog's field; radios differ by their values alone. */
function nameOf(control: Control): string {
  const { form, name, type, value } = control
  return [form?.getAttribute('action'), name, type === 'radio' && value].join(' ')
}

/** Takes the dialog away, and its name out of the address; the focus returns to its opener. */
export function closeDialog(name: Slot = 'dialog'): void {
  const slot = document.getElementById(name)
  carryResult(() => {
    slot?.querySelector('dialog')?.close()
    slot?.replaceChildren()
  })
  asItIsNow(openers[name])?.focus()
  const names = [
    ...QR_DIALOGS,
    ...FILE_DIALOGS,
    ...CONVERSATION_DIALOGS,
    ...MANAGEMENT_DIALOGS,
    ...SETTINGS_DIALOGS,
    ...Object.values(REPORT_DIALOGS),
    'forgot',
  ]
  dropFromAddress(...(name === 'upgrade' ? ['upgrade'] : names))
}

/** Returns the opener's successor: the page under a dialog may be replaced while it is open. */
function asItIsNow(opener: Element | null | undefined): HTMLElement | null {
  if (!(opener instanceof HTMLElement)) return null
  if (opener.isConnected) return opener
  const link = `a[href="${CSS.escape(opener.getAttribute('href') ?? '')}"]`
  return document.getElementById(opener.id) ?? document.querySelector<HTMLElement>(link)
}

/** Shows the outcome of the dialog and the new list, and moves the focus to the changed row. */
export async function finishDialog(message: string, focusOn = ''): Promise<void> {
  closeDialog()
  await showChange(message, focusOn)
}

export async function showChange(
  message: string,
  focusOn = '',
  kind: ResultKind = 'success',
): Promise<void> {
  showResult(message, kind)
  await reloadList()
  const target = document.getElementById(focusOn) ?? document.querySelector('h1')
  target?.focus()
}

/** Shows the new list; typed text in a dialog over it stays. */
export async function reloadList(): Promise<void> {
  const { failure } = document.getElementById('panel')?.dataset ?? {}
  // A page without a list, such as a claim, has no text for it: the last one stays.
  await refreshPanel().catch(() => failure && showResult(failure, 'error'))
}
