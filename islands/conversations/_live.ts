import { dropFromAddress } from '#islands/_address.ts'
import { authorization } from '#islands/_api.ts'
import { isGone } from '#islands/_api-problem.ts'
import { RELEASED } from '#islands/_forms.ts'
import { listen as listenTo } from '#islands/_listen.ts'
import { fetchPage, isWriting, keepDrafts, SWAPPED } from '#islands/_refresh.ts'
import { merge } from '#islands/conversations/_merge.ts'
import { announce, showResult } from '#islands/ui/_result.ts'

/** The first one of a stream has no conversation: it says whether the page is out of date already. */
type Arrival = { conversation_id: string | null; unread_count: number; changed_code?: string }

const STREAM = '/api/conversations/events'
/** A browser gives up after an answer that is no stream, as of a proxy whose server restarts. */
const RETRY_MS = 30_000
/** The least time between two notes that somebody types. */
const TYPING_MS = 3_000
const GONE = 'This conversation was deleted, or is no longer shared with you.'
/** The part that is renewed with the panel around it, on pages without tabs. */
const LIVE = '[data-live]'
/** The link to the Messages tab, with the count of unread conversations. */
const TAB = '.tabs-bar a[href$="tab=messages"]'

let stream: EventSource | undefined
let lastTyped = 0
let nobodyWrites: ReturnType<typeof setTimeout> | undefined
let retry: ReturnType<typeof setTimeout> | undefined
/** Whether something may have changed that is not shown. */
let isBehind = false
let isCatchingUp = false
/** The number of changes of the page by forms. */
let swaps = 0

/**
 * Shows on a page of the dashboard what arrives while it is open: the count at the Messages tab, and
 * on that tab the list and the conversation; in Settings, the tickets or one of them; for a new code, its
 * print and first scan. A page in the background has no stream, because a browser opens only six connections to a
 * server; it catches up when it is seen again.
 */
function watchConversations(): void {
  document.addEventListener('visibilitychange', follow)
  document.addEventListener(SWAPPED, () => swaps++)
  listenTo<HTMLButtonElement>('click', '[data-fill]', fill)
  listenTo<HTMLTextAreaElement>('input', '[data-typing]', noteTyping)
  // It does not bubble.
  document.addEventListener(RELEASED, () => isBehind && catchUp(), true)
  showNewest()
  showBadge()
  awaitSilence()
  follow()
}

/** Tells the others on the owner's side that somebody types. The answer does not need it, so a failure says nothing. */
function noteTyping({ dataset }: HTMLTextAreaElement): void {
  if (Date.now() - lastTyped < TYPING_MS) return
  lastTyped = Date.now()
  const path = `/api/conversations/${dataset.typing}/typing`
  fetch(path, { method: 'POST', headers: authorization() }).catch(() => undefined)
}

/** Looks again when the last one who is shown as writing has stopped. */
function awaitSilence(): void {
  clearTimeout(nobodyWrites)
  const shown = document.querySelectorAll<HTMLElement>('[data-writing]')
  const seconds = Math.max(0, ...[...shown].map(({ dataset }) => Number(dataset.writing)))
  if (seconds > 0) nobodyWrites = setTimeout(catchUp, seconds * 1000)
}

/** Puts a quick answer into the box, behind the typed text, and the cursor behind it. */
function fill({ dataset, value }: HTMLButtonElement, event: Event): void {
  const box = document.getElementById(dataset.fill ?? '') as HTMLTextAreaElement | null
  if (!box) return
  event.preventDefault()
  box.value = [box.value.trim(), value].filter(Boolean).join(' ')
  box.dispatchEvent(new Event('input', { bubbles: true }))
  box.focus()
  box.setSelectionRange(box.value.length, box.value.length)
}

/** Answers stand below what may be a long conversation. */
function showNewest(): void {
  const [, ...later] = document.querySelectorAll('.bubble')
  later.at(-1)?.scrollIntoView({ block: 'nearest' })
}

function follow(): void {
  clearTimeout(retry)
  stream?.close()
  if (document.visibilityState === 'hidden') isBehind = true
  else listen()
}

function listen(): void {
  const awaited = document.querySelector<HTMLElement>('[data-awaited]')?.dataset.awaited
  const opened = new EventSource(awaited ? `${STREAM}?${awaited}` : STREAM)
  stream = opened
  opened.addEventListener('message', ({ data }) => {
    const { conversation_id, unread_count, changed_code }: Arrival = JSON.parse(data)
    if (isBehind || conversation_id || changed_code || isOutdated(unread_count)) catchUp()
  })
  opened.addEventListener('error', () => {
    isBehind = true
    if (opened.readyState !== EventSource.CLOSED) return
    retry = setTimeout(follow, RETRY_MS)
    // The session may have been ended on another device: then it leads to the login.
    if (showsMessages() && !isWriting()) void catchUp()
  })
}

/** Takes over what the server shows now, once at a time, and not while a form is on its way. */
async function catchUp(): Promise<void> {
  isBehind = true
  if (isCatchingUp) return
  isCatchingUp = true
  // A failed update is repeated at the next event, or the next look at the page.
  while (isBehind && !isSending()) if (!(await takeOver())) break
  isCatchingUp = false
}

/** Shows the present page. Returns false if the server does not answer. */
async function takeOver(): Promise<boolean> {
  const isList = showsMessages()
  const before = swaps
  isBehind = false
  try {
    const page = await fetchPage(isList ? location.href : withoutPanel(location.href))
    // A form has shown something newer, or is about to.
    if (swaps !== before || isSending()) isBehind = true
    else if (page) show(page, isList)
    return true
  } catch (error) {
    isBehind = true
    if (!isGone(error) || !queryOf().has('conversation')) return false
    dropFromAddress('conversation')
    showResult(GONE, 'info')
    return true
  }
}

function queryOf(): URLSearchParams {
  return new URLSearchParams(location.search)
}

function showsMessages(): boolean {
  return queryOf().get('tab') === 'messages' || document.querySelector(LIVE) !== null
}

function show(page: Document, isList: boolean): void {
  // The conversation may be closed now, and its form gone.
  keepDrafts(page)
  if (isList) mergeInPlace('#panel', page)
  const before = countUnread()
  mergeInPlace(TAB, page)
  const unread = countUnread()
  if (unread > before) announce(`New message. ${unread} unread.`)
  awaitSilence()
  showBadge()
}

/** Pages without tabs show no count. */
function isOutdated(unread: number): boolean {
  return document.querySelector(TAB) !== null && unread !== countUnread()
}

/** On the icon of the installed app, where a push may have left another count. */
function showBadge(): void {
  if (!document.querySelector(TAB)) return
  if ('setAppBadge' in navigator) void navigator.setAppBadge(countUnread())
}

function isSending(): boolean {
  return document.querySelector('form[aria-busy="true"]') !== null
}

/** The address of the same page for a script that does not need its panel. */
function withoutPanel(href: string): string {
  const url = new URL(href)
  url.searchParams.set('part', 'dialog')
  return url.href
}

/**
 * Merges a part in place. The focused element keeps the focus and its place on the screen, and so
 * does its successor.
 */
function mergeInPlace(selector: string, page: Document): void {
  const [old, fresh] = [document.querySelector(selector), page.querySelector(selector)]
  if (!old || !fresh) return
  const { activeElement: focused } = document
  const top = old.contains(focused) ? focused?.getBoundingClientRect().top : undefined
  merge(old, fresh)
  const shown = focused?.isConnected ? focused : document.getElementById(focused?.id ?? '')
  if (!(shown instanceof HTMLElement)) return
  if (shown !== document.activeElement) shown.focus({ preventScroll: true })
  if (top !== undefined) scrollBy(0, shown.getBoundingClientRect().top - top)
}

/** Returns the count that the page shows. */
function countUnread(): number {
  return Number.parseInt(document.querySelector(`${TAB} .count`)?.textContent ?? '0', 10)
}

watchConversations()
