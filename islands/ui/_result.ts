export type ResultKind = 'success' | 'error' | 'info'
type Result = { message: string; kind: ResultKind; act?: Element | undefined }

const KEPT = 'driveqr_result'
const SHOWN_MS = 6000
const LOOKS = {
  success: { tone: 'go', icon: 'check' },
  error: { tone: 'stop', icon: 'alert' },
  info: { tone: 'info', icon: 'info' },
}

/** The open dialog on top: the page under it is neither heard nor pressed. React draws over one that is not ready. */
const IN_DIALOG = [
  ':not(drive-island) > dialog:modal > .said',
  'drive-island:is([ready], [data-plain]) dialog:modal > .said',
].join()

function placeOf(): HTMLElement | null {
  const inDialogs = document.querySelectorAll<HTMLElement>(IN_DIALOG)
  return [...inDialogs].at(-1) ?? document.querySelector<HTMLElement>('.said')
}

let last: (Result & { shown: HTMLElement }) | undefined

/**
 * Says the result of an act in place of the one before: in the page's bar, under the head of the open dialog, or above
 * the first field of a public form. A success leaves by itself, unless something in it can be pressed. `act` leads on
 * from it.
 */
export function showResult(message: string, kind: ResultKind = 'success', act?: Element): void {
  const place = placeOf()
  if (!place) return
  last?.shown.remove()
  const shown = draw({ message, kind, act }, place.closest('.topbar') ? 'say' : 'note')
  place.replaceChildren(shown)
  last = { message, kind, act, shown }
  setEnd(shown)
}

function draw({ message, kind, act }: Result, name: 'say' | 'note'): HTMLElement {
  const { tone, icon } = LOOKS[kind]
  const shown = document.createElement('div')
  shown.className = `${name} ${name}-${tone}`
  const text = document.createElement('span')
  text.textContent = message
  shown.append(drawIcon(icon), text)
  if (act) shown.append(act)
  return shown
}

function drawIcon(name: string): SVGElement {
  const template = document.createElement('template')
  template.innerHTML = `<svg class="icon" aria-hidden="true"><use href="#i-${name}"/></svg>`
  return template.content.firstElementChild as SVGElement
}

/** Gives an error in the bar its Close, and has a success leave. In a form, an error leaves with the next try. */
function setEnd(shown: HTMLElement): void {
  if (shown.matches('.say-stop')) shown.append(closeOf(shown))
  else if (!shown.matches('.note-stop, :has(a, button)')) leaveLater(shown)
}

function closeOf(shown: HTMLElement): HTMLButtonElement {
  const close = document.createElement('button')
  close.type = 'button'
  close.className = 'btn btn-quiet btn-icon btn-sm'
  close.ariaLabel = 'Close this message'
  close.append(drawIcon('close'))
  close.addEventListener('click', () => shown.remove())
  return close
}

/** It stays while the pointer or the focus is on it. */
function leaveLater(shown: HTMLElement): void {
  setTimeout(() => {
    if (shown.matches(':hover, :focus-within')) leaveLater(shown)
    else shown.remove()
  }, SHOWN_MS)
}

/** Shows the last result again where it belongs after `change`, which opens or closes a dialog or takes another step. */
export function carryResult(change: () => void): void {
  const carried = last?.shown.isConnected ? last : undefined
  const before = countAlerts()
  change()
  if (!carried || carried.shown.parentElement === placeOf()) return
  // A dialog that was answered says why itself.
  if (countAlerts() > before) return
  showResult(carried.message, carried.kind, carried.act)
}

function countAlerts(): number {
  return document.querySelectorAll('dialog:modal [role="alert"]').length
}

/** Announces a text to screen readers, for others see it in its place. */
export function announce(message: string): void {
  const said = document.createElement('p')
  said.className = 'vh'
  said.textContent = message
  placeOf()?.append(said)
  setTimeout(() => said.remove(), SHOWN_MS)
}

/** Removes the error of an earlier try. */
export function dismissErrors(): void {
  if (last?.kind === 'error') last.shown.remove()
}

/** Keeps a result for the page that is opened next. */
export function keepResult(message: string, kind: ResultKind = 'success'): void {
  sessionStorage.setItem(KEPT, JSON.stringify({ message, kind }))
}

/** Keeps an error that is shown for the next page. */
export function keepError(): void {
  if (last?.kind === 'error' && last.shown.isConnected) keepResult(last.message, 'error')
}

/** Takes over the result that the server drew, or one that was kept for this page. */
export function watchResults(): void {
  const drawn = document.querySelector<HTMLElement>('.said > .say')
  if (drawn) setEnd(drawn)
  const kept = sessionStorage.getItem(KEPT)
  if (!kept) return
  sessionStorage.removeItem(KEPT)
  const { message, kind } = JSON.parse(kept) as Result
  showResult(message, kind)
}
