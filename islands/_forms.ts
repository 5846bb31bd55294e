import { listen } from '#islands/_listen.ts'
import {
  countSwaps,
  fetchNewest,
  ISLAND,
  isProxys,
  noteSent,
  readPage,
  refusalOn,
  renewProps,
  swapRegions,
  twinOf,
} from '#islands/_refresh.ts'
import {
  closeDialog,
  followSoon,
  goneText,
  reloadList,
  type Slot,
  showDialog,
  slotOf,
} from '#islands/ui/_dialog.ts'
import { focusInvalid } from '#islands/ui/_focus-invalid.ts'
import { announce, dismissErrors, keepResult, showResult } from '#islands/ui/_result.ts'
import type { Answer } from '#islands/ui/_send.ts'

/**
 * Sends each `form[data-enhance]`, which works without script too, by `fetch`, and takes the changed
 * parts over from the answered page, so that users keep their place, their focus and their typed
 * text. All texts come from the server.
 *
 * On the form, or on the pressed button:
 * - `data-progress` shows the sent share of a file, in the form's `[data-sending]`.
 * - `data-failed` is the text for a missing answer. `data-refused` replaces it where an error page
 *   must differ from a missing answer, and `data-unsaid` where that page has no text. `data-quiet`
 *   leaves a problem to its field; around a field it has the problem only read out. `data-busy` is
 *   the button's text while the form is sent.
 * - A link of the answered dialog with `data-done` is followed instead of the dialog.
 * - `data-next` is the address of the next page, or its end. `data-done` is shown before the browser goes there,
 *   `data-after` milliseconds later.
 */
export function watchForms(): void {
  listen<HTMLFormElement>('submit', 'form[data-enhance]', (form, event) => {
    if (isSentAsItIs(event as SubmitEvent)) return
    event.preventDefault()
    if (form.ariaBusy !== 'true') void send(form, (event as SubmitEvent).submitter)
  })
  listen<Choice>('change', SUBMIT_ON_CHANGE, (choice) => {
    const { form } = choice
    if (form?.method === 'get') void narrow(form, choice)
    else form?.requestSubmit()
  })
  listen<HTMLInputElement>('keydown', SWITCH, (each, event) => {
    if ((event as KeyboardEvent).key !== 'Enter') return
    // It would send the form as it is.
    event.preventDefault()
    each.click()
  })
}

/** Returns whether the form only asks for the page in another way, such as in another language. */
export function isSentAsItIs({ submitter }: SubmitEvent): boolean {
  return Boolean((submitter as HTMLButtonElement | null)?.formNoValidate)
}

type Choice = HTMLSelectElement | HTMLInputElement

let lastChoice = 0

/**
 * Shows the list as a choice narrows it. The choice keeps the focus, so that arrow keys go on to the
 * next one; only the answer to the last choice is shown.
 */
async function narrow(form: HTMLFormElement, { name }: Choice): Promise<void> {
  lastChoice += 1
  const choice = lastChoice
  const fields = new FormData(form) as unknown as Iterable<[string, string]>
  const url = `${form.getAttribute('action')}?${new URLSearchParams([...fields])}`
  const page = await fetchNewest(url).catch(() => location.assign(url))
  if (!page || choice !== lastChoice) return
  swapRegions(page)
  history.replaceState(history.state, '', url)
  document.querySelector<HTMLElement>(`${SUBMIT_ON_CHANGE}[name="${name}"]`)?.focus()
}

/** Dispatched on the document after each answer; the detail is the answered page. */
export const ANSWER = 'answer'
/** Dispatched on a form whose request got no answer. */
export const UNSENT = 'unsent'
/** Dispatched on a form, and bubbles, when its typed text is stored or discarded. */
export const SETTLED = 'settled'
/** Dispatched on a form when its request has ended and its buttons are enabled again. */
export const RELEASED = 'released'
export const NO_ANSWER = 'No connection. What you typed is still here: try again.'
/** For a form without fields: it may have been done, and only its answer lost. */
const UNKNOWN = 'No connection. Look whether it was done before you try again.'
const TYPED_IN = 'textarea, input:not([type="hidden"])'
/** A choice that narrows a list at once, or a switch; without script a button does it. */
const SUBMIT_ON_CHANGE = '[data-action="submit-on-change"]'
const SWITCH = `[role="switch"]${SUBMIT_ON_CHANGE}`
const FOLLOW_UP_MS = 1000

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  dismissErrors()
  const failed = submitter?.dataset.failed ?? form.dataset.failed
  const noAnswer = form.querySelector(TYPED_IN) ? NO_ANSWER : UNKNOWN
  const slot = slotOf(form)
  // Before the buttons are disabled: a disabled button has no focus and sends no value.
  const { id: from } = submitter ?? document.activeElement ?? form
  const request = toRequest(form, submitter)
  noteSent(form)
  const release = markBusy(form, submitter)
  const before = countSwaps()
  const response = await ask(form, request).catch(() => undefined)
  if (response && leadsAway(response)) return leave(form, response, failed, release)
  // The network may be lost in the middle of an answer too.
  const page = response && (await readPage(response).catch(() => undefined))
  if (!page) {
    form.dispatchEvent(new Event(UNSENT))
    return fail(form, failed ?? noAnswer, release)
  }
  if (!page.getElementById('panel')) {
    const detail = refusalOn(page, response.status) || form.dataset.unsaid || ''
    const proxied = isProxys(page) ? detail : ''
    const refused = form.dataset.refused?.replace('{status}', String(response.status))
    // An earlier request whose answer was lost may have removed the thing already.
    const gone = slot && response.status === 404 ? goneText(slot) : undefined
    const text =
      refused?.replace('{detail}', detail) || gone || proxied || failed || detail || noAnswer
    return failWith(form, response.status, text, release)
  }
  release()
  if (page.querySelector(QUESTION)) return askFirst(form, submitter, page)
  if (response.ok) settle(form)
  const outcome = takeOutcome(page)
  if (form.matches(QUESTION)) return showHeld(page, response, outcome)
  // The user has closed the dialog, so it cannot show the problem.
  const isClosed = slot !== undefined && !form.isConnected
  const isQuiet = response.ok || (form.dataset.quiet !== undefined && !isClosed)
  const problem = isQuiet ? undefined : problemOf(form, page, slot)
  const isAtField = !isClosed && problem?.closest('[data-quiet]')
  if (isAtField) announce(problem?.textContent ?? '')
  const text = outcome?.text ?? (isAtField ? undefined : problem?.textContent)
  if (text) showResult(text, response.ok ? 'success' : 'error', outcome?.act)
  const later = outcome?.later
  if (later) setTimeout(() => showResult(`${text} ${later}`), FOLLOW_UP_MS)
  const isOvertaken = countSwaps() !== before
  const at = outcome?.at ?? from
  if (response.ok) await showDone(form, response, page, { slot, at, isOvertaken })
  else if (!isClosed) await showRefused(form, page, outcome?.at)
  document.dispatchEvent(new CustomEvent<Document>(ANSWER, { detail: page }))
}

/** Has the browser keep the typed text of a form no longer. */
export function settle(form: HTMLFormElement | null): void {
  form?.dispatchEvent(new Event(SETTLED, { bubbles: true }))
}

/** The form of the dialog that asks for a proof of identity; the held request waits in it. */
const QUESTION = '#dialog form[data-confirm]'

/** Asks in a dialog over the page, and then leads where the form leads. A wrong answer is said there too. */
function askFirst(form: HTMLFormElement, submitter: HTMLElement | null, page: Document): void {
  const problem = page.querySelector('#dialog :is(.error, .note-stop)')
  submitter?.focus()
  showDialog(page, 'dialog', form)
  const question = document.querySelector<HTMLFormElement>(QUESTION)
  for (const name of ['next', 'done', 'after']) {
    const wanted = form.dataset[name]
    if (question && wanted) question.dataset[name] = wanted
  }
  focusInvalid(document.getElementById('dialog'))
  if (problem?.matches('.error')) announce(problem.textContent)
}

/** Shows the outcome of the held form: the form itself is gone, so the answered page is shown. */
function showHeld(
  page: Document,
  { ok, url }: Answer,
  outcome: ReturnType<typeof takeOutcome>,
): void {
  const problem = page.querySelector(':is(#dialog, #panel) :is(.error, .note-stop)')?.textContent
  const said = outcome?.text ?? (ok ? undefined : problem)
  if (said) showResult(said, ok ? 'success' : 'error')
  closeDialog('dialog')
  if (new URL(url).pathname === location.pathname) {
    history.replaceState(history.state, '', withoutOutcome(url))
  }
  swapRegions(page)
  const changed = document.getElementById(outcome?.at ?? '')
  const told = changed ?? document.querySelector<HTMLElement>('[aria-invalid="true"], h1')
  told?.focus()
  if (hasDialog(page, 'dialog')) showDialog(page)
}

/**
 * The dialog that sent it, where the focus goes, unless somebody types on, and whether the answer to a later form
 * may have been shown before.
 */
type Shown = { slot: Slot | undefined; at: string; isOvertaken: boolean }

/**
 * Replaces the changed parts of the page. The Upgrade dialog stands over any page, and its answer
 * is of the front page, so only the dialog is taken from it.
 */
async function showDone(
  form: HTMLFormElement,
  response: Answer,
  page: Document,
  { slot, at, isOvertaken }: Shown,
) {
  if (slot === 'upgrade') {
    if (hasDialog(page, slot)) return showDialog(page, slot, form)
    closeDialog(slot)
    return reloadList()
  }
  const link = page.querySelector<HTMLAnchorElement>('#dialog a[data-follow][data-done]')
  if (link) {
    if (slotOf(form)) closeDialog(slot)
    showResult(link.dataset.done ?? '')
    followSoon(document.adoptNode(link))
    await reloadList()
    return document.getElementById(at)?.focus()
  }
  if (response.redirected) history.replaceState(history.state, '', withoutOutcome(response.url))
  if (slotOf(form)) closeDialog(slot)
  const { activeElement: typed } = document
  const focusOn = typed?.matches('textarea[data-draft]') ? typed.id : at
  if (isOvertaken) await reloadList()
  else swapRegions(page, form)
  const changed = document.getElementById(focusOn) ?? document.querySelector('h1')
  changed?.focus()
  if (hasDialog(page, 'dialog')) showDialog(page)
}

/**
 * Shows a refusal: an island, a dialog and a field show it in them, and may offer a larger plan.
 * Elsewhere the list has changed, and is shown as it is now.
 */
async function showRefused(form: HTMLFormElement, page: Document, at?: string): Promise<void> {
  const slot = slotOf(form)
  const island = form.closest(ISLAND)
  const twin = island && twinOf(island, page)
  if (twin) renewProps(island, twin)
  else if (slot && hasDialog(page, slot)) showDialog(page, slot, form)
  else if (!slot && refusedTwin(form, page)) swapRegions(page, form)
  else {
    if (slot) closeDialog(slot)
    await reloadList()
    if (island?.isConnected && !slot) return showInstead(page)
    const isLost = document.activeElement === document.body
    const place = document.getElementById(at ?? '') ?? (isLost && document.querySelector('h1'))
    return place ? place.focus() : undefined
  }
  focusInvalid(slot ? document.getElementById(slot) : document)
  // An earlier request may have done it: the page beneath shows it.
  if (slot === 'upgrade') return reloadList()
  if (!hasDialog(page, 'upgrade')) return
  swapRegions(page)
  showDialog(page, 'upgrade')
}

/** A page for one form, which it has no more, is another one now, and says what can be done. */
function showInstead(page: Document): void {
  document.title = page.title
  document.querySelector('main')?.replaceWith(page.querySelector('main') ?? '')
  const title = document.querySelector('h1')
  title?.setAttribute('tabindex', '-1')
  title?.focus()
}

function hasDialog(page: Document, slot: Slot): boolean {
  return page.querySelector(`#${slot} dialog`) !== null
}

/** The first error message at a field, or the one above the fields. */
function problemOf(
  form: HTMLFormElement,
  page: Document,
  slot: Slot | undefined,
): Element | null | undefined {
  const island = form.closest(ISLAND)
  const twin = island ? twinOf(island, page) : refusedTwin(form, page)
  // A page that has the form no more says in its title why.
  if (island && !twin) return page.querySelector('h1')
  const answered = slot ? page.getElementById(slot) : twin
  return answered?.querySelector('.error, .note-stop')
}

/** Returns the same form of the panel, if a field of it in the answer shows the problem. */
function refusedTwin(form: HTMLFormElement, page: Document): Element | undefined {
  const action = form.getAttribute('action')
  const forms = [...page.querySelectorAll('#panel form')]
  return forms.find(
    (each) => each.getAttribute('action') === action && each.querySelector('[aria-invalid="true"]'),
  )
}

type Sent = Pick<RequestInit, 'redirect'> & { action: string; body: FormData | URLSearchParams }

async function ask(form: HTMLFormElement, { action, body, redirect }: Sent): Promise<Answer> {
  if (form.dataset.progress !== undefined && body instanceof FormData) {
    const { sendWithProgress } = await import('#islands/ui/_send.ts')
    return sendWithProgress(form, action, body)
  }
  return fetch(action, { method: 'POST', body, redirect, headers: { Accept: 'text/html' } })
}

function toRequest(form: HTMLFormElement, submitter: HTMLElement | null): Sent {
  // By the attribute, because a field may be named `action` too.
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
  const sent = new FormData(form, submitter)
  const fields = sent as unknown as Iterable<[string, string]>
  const hasFiles = form.enctype === 'multipart/form-data'
  const body = hasFiles ? sent : new URLSearchParams([...fields])
  // To follow to a scan page would count as a scan.
  const redirect = form.dataset.next?.startsWith('/scan/') ? 'manual' : 'follow'
  return { action, body, redirect }
}

function leadsAway({ type, redirected, url }: Answer): boolean {
  if (type === 'opaqueredirect') return true
  return redirected && new URL(url).pathname !== location.pathname
}

/** To another page: its text says what became of the form, and the browser goes there. */
function leave(
  form: HTMLFormElement,
  response: Answer,
  failed: string | undefined,
  release: () => void,
): void {
  // The user may stay all the same, to save typed text elsewhere on the page.
  addEventListener('beforeunload', (event) => event.defaultPrevented && release(), { once: true })
  const { next, done, after = '0' } = form.dataset
  const isUnseen = response.type === 'opaqueredirect'
  if (next && (isUnseen || response.url.endsWith(next))) {
    settle(form)
    if (done) showResult(done)
    setTimeout(() => location.replace(isUnseen ? next : response.url), Number(after))
    return
  }
  // A form that stays on its page was refused.
  if (failed) keepResult(failed, 'error')
  location.assign(response.url)
}

function withoutOutcome(url: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const name of ['done', 'count', 'updated', 'at', 'sent']) searchParams.delete(name)
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

function fail(form: HTMLFormElement, text: string, release: () => void): void {
  release()
  showResult(text, 'error')
  focusInvalid(form)
}

/** Shows a failure. An error page has no panel: a thing that is gone or has changed is shown as it is now. */
async function failWith(
  form: HTMLFormElement,
  status: number,
  text: string,
  release: () => void,
): Promise<void> {
  const isOutdated = [403, 404, 409].includes(status) && document.getElementById('panel') !== null
  const slot = slotOf(form)
  if (isOutdated && slot) closeDialog(slot)
  fail(form, text, release)
  if (!isOutdated) return
  await reloadList()
  if (document.activeElement === document.body) document.querySelector('h1')?.focus()
}

/** Taken out of the answered page, because the bar or the page's form says it. */
function takeOutcome(page: Document) {
  const note = page.querySelector<HTMLElement>('[data-outcome]')
  if (!note) return undefined
  note.remove()
  const { at, later } = note.dataset
  const said = note.querySelector('span')?.firstChild?.textContent ?? ''
  const text = later ? said.replace(` ${later}`, '') : said
  return { text, at, later, act: note.querySelector(':scope > :is(a, form)') ?? undefined }
}

/**
 * Allows one request at a time; call the result when it has ended. A menu closes on a click, so that
 * its own button shows that a form inside it is busy.
 */
export function markBusy(form: HTMLElement, submitter: HTMLElement | null): () => void {
  const pressed = form.closest('details.menu')?.querySelector('summary') ?? submitter
  const switches = [...form.querySelectorAll<HTMLInputElement>(SWITCH)]
  const buttons = [...switches, ...form.querySelectorAll('button')].filter(
    ({ disabled }) => !disabled,
  )
  const label = [...(pressed?.childNodes ?? [])]
  const { activeElement: focused } = document
  const busyLabel = pressed?.dataset.busy
  form.ariaBusy = 'true'
  if (pressed) pressed.ariaBusy = 'true'
  if (pressed && busyLabel) pressed.textContent = busyLabel
  for (const button of buttons) button.disabled = true
  return () => {
    form.ariaBusy = null
    if (pressed) pressed.ariaBusy = null
    // A switch that was refused goes back.
    for (const each of switches) each.checked = each.defaultChecked
    if (pressed && busyLabel) pressed.replaceChildren(...label)
    for (const button of buttons) button.disabled = false
    // A disabled element loses the focus.
    if (focused instanceof HTMLElement && document.activeElement === document.body) {
      focused.focus({ preventScroll: true })
    }
    form.dispatchEvent(new Event(RELEASED))
  }
}
