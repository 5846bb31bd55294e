import { ApiProblem } from '#islands/_api-problem.ts'
import { keepError } from '#islands/ui/_toast.ts'

/** What a change can alter on a page. The dialog is not among it: drafts outlive a swap. */
const REGIONS = ['#panel', '.tabs']

/**
 * Asks the server for the page again and swaps its regions in, so that the server stays the only
 * truth after a change. Throws when it cannot be had; the old regions stay.
 */
export async function refreshPanel(): Promise<void> {
  const page = await fetchNewest(location.href)
  if (!page) return
  if (!page.querySelector('#panel')) throw new Error('The page could not be loaded again')
  swapRegions(page)
}

/** A page as it is after all that was shown while it was on its way, which may be newer than it. */
export async function fetchNewest(url: string): Promise<Document | undefined> {
  const before = swaps
  const page = await fetchPage(url)
  return page && swaps !== before ? fetchNewest(url) : page
}

/** Something else is shown in the page's regions. */
export const SWAPPED = 'swapped'

/** How often that was so. */
let swaps = 0

export function countSwaps(): number {
  return swaps
}

/** A region without a change keeps its place and focus; drafts stay, unless they were `sent`. */
export function swapRegions(page: Document, sent?: HTMLFormElement): void {
  document.title = page.title
  keepDrafts(page, sent)
  for (const region of REGIONS) {
    const [fresh, old] = [page.querySelector(region), document.querySelector(region)]
    if (fresh && old && fresh.innerHTML !== old.innerHTML) {
      const { scrollLeft } = old
      old.replaceWith(document.adoptNode(fresh))
      // On a phone the bar of tabs is longer than the screen.
      fresh.scrollLeft = scrollLeft
    }
  }
  swaps += 1
  document.dispatchEvent(new Event(SWAPPED))
}

type Draft = HTMLTextAreaElement | HTMLInputElement

/** Whether there is an answer that would be lost with the page. */
export function isWriting(): boolean {
  const drafts = document.querySelectorAll<HTMLTextAreaElement>('textarea[data-draft]')
  return [...drafts].some(({ value, defaultValue }) => value !== defaultValue)
}

/** What is being written or was ticked outlives a change of the page around it. */
export function keepDrafts(page: Document, sent?: HTMLFormElement): void {
  for (const draft of document.querySelectorAll<Draft>('[data-draft]')) {
    const twin = page.getElementById(draft.id) as Draft | null
    if (!twin) {
      if (!sent || draft.form !== sent) keepUnsent(draft, page)
    } else if (draft.form === sent) keepTypedSince(draft, twin)
    else if (isTick(draft) && isTick(twin)) {
      if (draft.checked !== draft.defaultChecked) twin.checked = draft.checked
    } else twin.value = draft.value
  }
}

/** What was typed in a field that is gone can still be read and copied, where the page has a place for it. */
function keepUnsent(draft: Draft, page: Document): void {
  const place = page.getElementById(`unsent-${draft.id}`)
  const field = draft.value.trim() && draft.closest('.field')
  if (!place || !field) return
  const copy = page.importNode(field, true)
  const [label, control] = [copy.querySelector('label'), copy.querySelector('textarea')]
  if (!label || !control) return
  label.textContent = place.dataset.label ?? ''
  control.readOnly = true
  control.value = draft.value
  place.replaceChildren(copy)
}

/** Notes what a form sends: what is typed until its answer is there is kept. */
export function noteSent(form: HTMLFormElement): void {
  for (const draft of form.querySelectorAll<Draft>('[data-draft]')) draft.dataset.sent = draft.value
}

function keepTypedSince({ value, dataset: { sent = value } }: Draft, twin: Draft): void {
  if (value.startsWith(sent)) twin.value += value.slice(sent.length)
  else twin.value = value
}

function isTick(control: Draft): control is HTMLInputElement {
  return control.type === 'checkbox'
}

/** Takes one element of another page in place of the same one of this page. Throws when there is none. */
export function swapIn(id: string, page: Document): void {
  const [fresh, old] = [page.getElementById(id), document.getElementById(id)]
  if (!fresh || !old) throw new Error('The page could not be loaded again')
  old.replaceWith(document.adoptNode(fresh))
}

/** One that takes new props. Without its script it is replaced as any other part of a page. */
export const ISLAND = 'drive-island:not([data-plain])'

/** The same island on another page. */
export function twinOf(island: Element, page: Document): Element | null {
  return page.querySelector(`drive-island[name="${island.getAttribute('name')}"]`)
}

/** Shows an island as another page has it: its state stays. */
export function renewProps(island: Element, fresh: Element): void {
  island.setAttribute('props', fresh.getAttribute('props') ?? '{}')
}

export async function readPage(response: Pick<Response, 'text'>): Promise<Document> {
  return new DOMParser().parseFromString(await response.text(), 'text/html')
}

/** What an error page says went wrong. */
export function refusalOn(page: Document): string {
  return (page.querySelector('[data-detail]') ?? page.querySelector('h1'))?.textContent ?? ''
}

/** Nothing when the page led elsewhere, where the browser is now on its way to. */
export async function fetchPage(
  url: string,
  sent?: URLSearchParams,
): Promise<Document | undefined> {
  const headers = { Accept: 'text/html' }
  const response = await fetch(url, sent ? { method: 'POST', headers, body: sent } : { headers })
  if (
    response.redirected &&
    new URL(response.url).pathname !== new URL(url, location.href).pathname
  ) {
    keepError()
    location.assign(response.url)
    return undefined
  }
  if (!response.ok) throw new ApiProblem(response.status, refusalOn(await readPage(response)))
  return readPage(response)
}
