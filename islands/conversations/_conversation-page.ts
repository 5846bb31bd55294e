/** The script of the finder's conversation: answers appear without asking for the page again. */

const LONGEST_WAIT_MS = 30_000
const LATER_MS = [10_000, 3_601_000]
const live = document.querySelector<HTMLElement>('#live') as HTMLElement
let wait = 1000
let source: EventSource | undefined

function part(id: string, page: Document = document): HTMLElement | null {
  return page.getElementById(id)
}

let lastRefresh = 0

/**
 * Shows the server's present state, unless a newer request has begun. Typed text and the focus
 * stay. Throws when the page cannot be fetched.
 */
async function refresh(): Promise<void> {
  lastRefresh += 1
  const refresh = lastRefresh
  const response = await fetch(location.href)
  if (response.status === 404) return location.reload()
  if (!response.ok) throw new Error(`The page was answered with ${response.status}`)
  const page = parse(await response.text())
  if (refresh === lastRefresh) show(page)
}

function parse(html: string): Document {
  return new DOMParser().parseFromString(html, 'text/html')
}

function show(page: Document): void {
  const list = document.querySelector('ol')
  for (const message of page.querySelectorAll<HTMLElement>('ol > li')) {
    if (!part(message.id)) list?.append(document.adoptNode(message))
  }
  renew('h1', page)
  renew('#read', page)
  renewIcon(page)
  if (part('else')?.textContent !== part('else', page)?.textContent) swap('else', page)
  const { status, read } = part('live', page)?.dataset ?? {}
  live.dataset.read = read ?? ''
  if (!status || status === live.dataset.status) return
  live.dataset.status = status
  const old = field()
  swap('state', page)
  swap('bar', page)
  if (old?.value && status !== 'open') {
    // The typed text can still be read and copied.
    old.readOnly = true
  } else {
    swap('box', page)
    const fresh = field()
    if (fresh && old) fresh.value = old.value
  }
  offerCopy()
}

function renew(selector: string, page: Document): void {
  const [old, fresh] = [document, page].map((of) => of.querySelector(selector))
  const text = fresh?.textContent ?? ''
  if (old && old.textContent !== text) old.textContent = text
}

function renewIcon(page: Document): void {
  const [old, fresh] = [document, page].map((of) => of.querySelector('.find'))
  if (!old || !fresh || old.className === fresh.className) return
  old.className = fresh.className
  old.querySelector('svg')?.replaceWith(...fresh.querySelectorAll('svg'))
}

function swap(id: string, page: Document): void {
  const [old, fresh] = [part(id), part(id, page)]
  if (old && fresh) old.replaceChildren(...fresh.childNodes)
}

function field(): HTMLTextAreaElement | null {
  return document.querySelector('#box textarea')
}

/** Sent from here, an answer is not lost with the network. */
async function answer(form: HTMLFormElement): Promise<void> {
  const text = field()
  const sent = text?.value ?? ''
  const body = new URLSearchParams({ text: sent })
  let said = live.dataset.offline
  try {
    const response = await fetch(form.action, { method: 'POST', body })
    const page = parse(await response.text())
    if (response.status === 404) location.reload()
    // An error page says it in its title; that of a proxy is not for finders.
    const why = page.querySelector('.err') ?? page.querySelector('main h1')
    said = response.ok ? '' : (why?.textContent ?? said)
    // Text that was typed after the sending is the next answer.
    if (response.ok && text?.value.startsWith(sent)) text.value = text.value.slice(sent.length)
    if (response.ok || response.status === 409) show(page)
  } catch {
    // No network: said below, and the text is still there.
  }
  const status = part('said')
  if (status) status.textContent = said ?? ''
  text?.focus()
}

async function copy(label: Element | null): Promise<void> {
  const url = location.origin + location.pathname
  try {
    await navigator.clipboard.writeText(url)
  } catch {
    // A page without TLS has no clipboard.
    const line = document.createElement('textarea')
    line.value = url
    document.body.append(line)
    line.select()
    document.execCommand('copy')
    line.remove()
  }
  if (label) label.textContent = live.dataset.copied ?? ''
}

function offerCopy(): void {
  part('copy')?.removeAttribute('hidden')
}

function listen(): void {
  source?.close()
  // The server says at once when this page is out of date.
  const { status, read } = live.dataset
  const messages = document.querySelectorAll('ol > li').length
  const shown = `messages=${messages}&status=${status}&read=${read}`
  source = new EventSource(`${location.pathname}/events?${shown}`)
  source.onopen = () => {
    wait = 1000
    live.classList.add('on')
  }
  source.onmessage = catchUp
  source.onerror = () => {
    live.classList.remove('on')
    // A browser gives up on a refusal, as when a server starts again.
    if (source?.readyState !== EventSource.CLOSED) return
    listenLater(wait)
    wait = Math.min(wait * 2, LONGEST_WAIT_MS)
  }
}

function catchUp(): void {
  refresh().catch(() => listenLater(LONGEST_WAIT_MS))
}

/** Reports messages that were missed by then at once. Until then the link that looks for an answer stays. */
function listenLater(delay: number): void {
  source?.close()
  live.classList.remove('on')
  setTimeout(listen, delay)
}

let isSending = false

document.addEventListener('submit', async (event) => {
  const form = event.target as HTMLFormElement
  if (form.id !== 'answering' || (event.submitter as HTMLButtonElement | null)?.name) return
  event.preventDefault()
  if (isSending) return
  isSending = true
  await answer(form)
  isSending = false
})
document.addEventListener('click', (event) => {
  const button = (event.target as Element).closest('#copy')
  if (button) void copy(button.querySelector('span'))
})
addEventListener('online', listen)
addEventListener('pageshow', ({ persisted }) => persisted && listen())
offerCopy()
listen()
// By then the owner was told, or nobody has read it.
for (const delay of LATER_MS) setTimeout(catchUp, delay)

export {}
