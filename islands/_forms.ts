import { closeDialog, reloadList, showDialog } from '#islands/_dialog.ts'
import { listen } from '#islands/_listen.ts'
import { readPage, swapRegions } from '#islands/_refresh.ts'
import { dismissErrors, keepToast, showToast } from '#islands/_toast.ts'

/**
 * Makes forms smooth that work without script: `form[data-enhance]` is sent by `fetch`, and the page
 * that the server answers with is taken over in its parts, so that nobody loses their place, their
 * focus or what they typed. The server stays the only author of what is shown and said.
 *
 * `data-failed`, on the pressed button or the form, is said when there is no answer that says it;
 * `data-refused` instead, where an error page is to be told from no answer at all.
 */
export function watchForms(): void {
  listen<HTMLFormElement>('submit', 'form[data-enhance]', (form, event) => {
    event.preventDefault()
    if (form.ariaBusy !== 'true') void send(form, (event as SubmitEvent).submitter)
  })
  listen<HTMLSelectElement>('change', SUBMIT_ON_CHANGE, ({ form }) => form?.requestSubmit())
}

/** A choice that narrows a list at once; without script a button does it. */
const SUBMIT_ON_CHANGE = '[data-action="submit-on-change"]'
const NO_ANSWER = 'The server cannot be reached. What you typed is still here: try again.'

async function send(form: HTMLFormElement, submitter: HTMLElement | null): Promise<void> {
  dismissErrors()
  const failed = submitter?.dataset.failed ?? form.dataset.failed
  // Before the buttons are disabled: a disabled button sends no value.
  const request = toRequest(form, submitter)
  const release = markBusy(form, submitter)
  const response = await fetch(request).catch(() => undefined)
  const page = response && (await readPage(response))
  if (!page) return fail(form, failed ?? NO_ANSWER, release)
  if (leadsAway(response)) {
    // A form that stays on its page when it is done did not get what it wanted.
    if (failed) keepToast(failed, 'error')
    return location.assign(response.url)
  }
  if (!page.getElementById('panel')) {
    const detail = page.querySelector('h1')?.textContent ?? ''
    const refused = form.dataset.refused?.replace('{status}', String(response.status))
    const text = refused?.replace('{detail}', detail) ?? failed ?? (detail || NO_ANSWER)
    return failWith(form, response.status, text, release)
  }
  release()
  const outcome = takeOutcome(page)
  const problem = response.ok ? undefined : page.querySelector('#dialog .error')?.textContent
  const text = outcome?.text ?? problem
  if (text) showToast(text, response.ok ? 'success' : 'error')
  if (response.ok) showDone(form, response, page, outcome?.at ?? submitter?.id)
  else await showRefused(form, page)
}

function showDone(form: HTMLFormElement, response: Response, page: Document, at?: string): void {
  if (response.redirected) history.replaceState(null, '', withoutOutcome(response.url))
  if (form.closest('#dialog')) closeDialog()
  swapRegions(page)
  if (page.querySelector('#dialog dialog')) showDialog(page)
  else (document.getElementById(at ?? '') ?? document.querySelector('h1'))?.focus()
}

/** A dialog says what is wrong in it. Elsewhere the list has moved on: it is shown as it is now. */
async function showRefused(form: HTMLFormElement, page: Document): Promise<void> {
  const isInDialog = form.closest('#dialog') !== null
  const hasDialog = page.querySelector('#dialog dialog') !== null
  if (isInDialog && !hasDialog) closeDialog()
  if (!isInDialog || !hasDialog) return reloadList()
  showDialog(page)
  document.querySelector<HTMLElement>('#dialog [aria-invalid="true"]')?.focus()
}

function toRequest(form: HTMLFormElement, submitter: HTMLElement | null): Request {
  // As an attribute: a field may be named `action` too.
  const action = submitter?.getAttribute('formaction') ?? form.getAttribute('action') ?? ''
  const fields = new FormData(form, submitter) as unknown as Iterable<[string, string]>
  const body = new URLSearchParams([...fields])
  return new Request(action, { method: 'POST', body, headers: { Accept: 'text/html' } })
}

/** To another page: its text says what became of the form, and the browser goes there. */
function leadsAway({ redirected, url }: Response): boolean {
  return redirected && new URL(url).pathname !== location.pathname
}

function withoutOutcome(url: string): string {
  const { pathname, searchParams } = new URL(url)
  for (const name of ['done', 'count', 'at']) searchParams.delete(name)
  return searchParams.size > 0 ? `${pathname}?${searchParams}` : pathname
}

function fail(form: HTMLFormElement, text: string, release: () => void): void {
  release()
  showToast(text, 'error')
  form.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus()
}

/** An error page has no panel. What is gone or moved on is shown as it is now. */
async function failWith(
  form: HTMLFormElement,
  status: number,
  text: string,
  release: () => void,
): Promise<void> {
  const isOutdated = [403, 404, 409].includes(status)
  if (isOutdated && form.closest('#dialog')) closeDialog()
  fail(form, text, release)
  if (isOutdated) await reloadList()
}

/** Taken out of the page: a toast says it instead. A refusal in a dialog stays there as well. */
function takeOutcome(page: Document) {
  const note = page.querySelector<HTMLElement>('[data-outcome]')
  if (!note) return undefined
  note.querySelector('small')?.remove()
  if (!note.closest('dialog')) note.remove()
  return { text: note.textContent ?? '', at: note.dataset.at }
}

/** One answer at a time. What stands in a menu has closed with it: its own button shows that. */
function markBusy(form: HTMLFormElement, submitter: HTMLElement | null): () => void {
  const pressed = form.closest('details.menu')?.querySelector('summary') ?? submitter
  const buttons = [...form.querySelectorAll('button')].filter(({ disabled }) => !disabled)
  form.ariaBusy = 'true'
  if (pressed) pressed.ariaBusy = 'true'
  for (const button of buttons) button.disabled = true
  return () => {
    form.ariaBusy = null
    if (pressed) pressed.ariaBusy = null
    for (const button of buttons) button.disabled = false
  }
}
