import { ApiProblem } from '#islands/_api-problem.ts'
import { proxyProblem } from '#islands/_proxy-problem.ts'
import { keepError } from '#islands/ui/_result.ts'

/** The parts of a page that a change can alter. The dialog is not one of them: drafts outlive a swap. */
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

/** Fetches a page again if the shown page has changed while it was on its way. */
export async function fetchNewest(url: string): Promise<Document | undefined> {
  const before = swaps
  const page = await fetchPage(url)
  return page && swaps !== before ? fetchNewest(url) : page
}

/** Something else is shown in the page's regions. */
export const SWAPPED = 'swapped'

/** The number of swaps. */
let swaps = 0

export function countSwaps(): number {
  return swaps
}

/**
 * Swaps the changed regions. A region without a change keeps its place and focus; drafts stay,
 * unless they were `sent`.
 */
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

/** Returns whether leaving the page would lose an answer. */
export function isWriting(): boolean {
  const drafts = document.querySelectorAll<HTMLTextAreaElement>('textarea[data-draft]')
  return [...drafts].some(({ value, defaultValue }) => value !== defaultValue)
}

/** Carries typed text and ticks over to the new page. */
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

/** Keeps the text of a field that is gone readable and copyable, if the page has a place for it. */
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

/** Notes the sent values of a form: text that is typed until the answer comes is kept. */
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

/** Returns the same island on another page. */
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

/** Returns the text of an error page, or the meaning of that of a proxy. */
export function refusalOn(page: Document, status: number): string {
  const meaning = isProxys(page) && proxyProblem(status)
  if (meaning) return meaning
  return (page.querySelector('[data-detail]') ?? page.querySelector('h1'))?.textContent ?? ''
}

/** Returns whether a page is not of this site: each page of it has a main part. */
export function isProxys(page: Document): boolean {
  return page.querySelector('main') === null
}

/** Fetches a page. Returns undefined when the answer leads elsewhere and the browser has gone there. */
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
  if (!response.ok)
    throw new ApiProblem(response.status, refusalOn(await readPage(response), response.status))
  return readPage(response)
}
