import { setTimeout as pause } from 'node:timers/promises'
import type { Logger } from 'pino'
import { listLiveSessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import {
  type Change,
  findLastChange,
  isWithinLookBack,
  listChanges,
} from '#db/conversations/changes.ts'
import { countUnreadOf } from '#db/conversations/conversations.ts'
import { listLiveConversations } from '#db/conversations/finder-conversations.ts'
import { DomainError } from '#domain/error.ts'
import { type EventStream, openEventStream } from '#routes/_http/conversations/event-stream.ts'

const LOOK_MS = 1_000
/** Each stream gets a heartbeat in one of so many looks; a look for ended sessions is as rare. */
const LOOKS_PER_HEARTBEAT = 15
/** So many streams are written to, and then none for a moment, in which requests are answered undisturbed. */
const WRITES_A_TURN = 5
const PAUSE_MS = 1
const STREAMS_PER_ACCOUNT = 20
const STREAMS_PER_CONVERSATION = 10
const STREAMS_PER_ADDRESS = 50
const RETRY_AFTER = 30
/** Fewer leave little garbage. */
const MANY_OPENED = 500

export type Watcher =
  | { accountId: string; sessionId: string }
  | { conversationId: string; address: string }

type Watching = { watcher: Watcher; stream: EventStream }
type Tools = {
  db: Db
  clock: () => Date
  log: Logger
  isLimited: boolean
  /** frees the memory that the requests for many streams took */
  collect?: () => void
}

export type ConversationWatch = ReturnType<typeof watchConversations>

/**
 * Tells the open event streams of this process which conversations changed, by one look at the
 * database a second for all of them. An event says that something is new, and never what.
 */
export function watchConversations({ db, clock, log, isLimited, collect }: Tools) {
  /** By the account, the conversation and the finder's address, which are random and differ. */
  const byKey = new Map<string, Set<Watching>>()
  const all = new Set<Watching>()
  const seen = new Set<number>()
  let last = 0
  let looks = 0
  let opened = 0
  let timer: NodeJS.Timeout | undefined
  let beginning: Promise<void> | undefined
  let isLooking = false
  let hasFailed = false
  let isStopped = false

  /** Throws too_many when the account, the conversation or the address has too many streams. */
  async function open(watcher: Watcher): Promise<EventStream> {
    if (isStopped) throw new DomainError('unavailable', 'The server stops', { retryAfter: 1 })
    if (isLimited) assertMayWatch(watcher)
    const watching: Watching = { watcher, stream: openEventStream(() => remove(watching)) }
    add(watching)
    opened++
    beginning ??= begin()
    try {
      await beginning
    } catch (error) {
      watching.stream.end()
      throw error
    }
    return watching.stream
  }

  function assertMayWatch(watcher: Watcher): void {
    for (const [key, most] of keysOf(watcher)) {
      if ((byKey.get(key)?.size ?? 0) < most || makeRoom(key, watcher)) continue
      throw new DomainError('too_many', 'Too many pages wait for messages. Close some of them.', {
        retryAfter: RETRY_AFTER,
      })
    }
  }

  /**
   * Many finders may share an address, and one of them may have all its streams. Who opens the first
   * page of a conversation gets the place of the oldest page of the conversation with the most.
   */
  function makeRoom(key: string, watcher: Watcher): boolean {
    if (!('address' in watcher) || key !== watcher.address) return false
    const here = [...(byKey.get(key) ?? [])]
    const pages = new Map<string, number>()
    for (const each of here) pages.set(firstKeyOf(each), (pages.get(firstKeyOf(each)) ?? 0) + 1)
    const most = Math.max(...pages.values())
    if (pages.has(watcher.conversationId) || most === 1) return false
    here.find((each) => pages.get(firstKeyOf(each)) === most)?.stream.end()
    return true
  }

  function add(watching: Watching): void {
    all.add(watching)
    for (const [key] of keysOf(watching.watcher)) {
      const others = byKey.get(key)
      if (others) others.add(watching)
      else byKey.set(key, new Set([watching]))
    }
  }

  function remove(watching: Watching): void {
    all.delete(watching)
    for (const [key] of keysOf(watching.watcher)) {
      const others = byKey.get(key)
      others?.delete(watching)
      if (others?.size === 0) byKey.delete(key)
    }
    if (all.size > 0) return
    clearInterval(timer)
    beginning = undefined
  }

  /** Changes of before are on the pages that the watchers have. */
  async function begin(): Promise<void> {
    const newest = await findLastChange(db)
    seen.clear()
    for (const { n } of await listChanges(db, newest)) seen.add(n)
    last = newest
    clearInterval(timer)
    if (!isStopped) timer = setInterval(look, LOOK_MS).unref()
  }

  /** One at a time: a slow database is not asked twice. What failed is looked for the next time. */
  async function look(): Promise<void> {
    if (all.size === 0) clearInterval(timer)
    if (isLooking || all.size === 0) return
    isLooking = true
    try {
      await lookOnce()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.error({ err: error }, 'changed conversations could not be looked for')
      hasFailed = true
    } finally {
      isLooking = false
    }
  }

  async function lookOnce(): Promise<void> {
    looks++
    const slot = looks % LOOKS_PER_HEARTBEAT
    const due = [...all].filter((_, n) => n % LOOKS_PER_HEARTBEAT === slot)
    await inTurns(due, (stream) => stream.beat())
    if (slot === 0) await endWithSessions()
    if (slot === 0 && opened >= MANY_OPENED) {
      opened = 0
      collect?.()
    }
    const changes = (await listChanges(db, last)).filter((change) => !seen.has(change.n))
    await tellOwners(changes)
    await tellFinders(changes)
    // Only now: what could not be told is found again.
    for (const { n } of changes) {
      seen.add(n)
      last = Math.max(last, n)
    }
    for (const n of seen) if (!isWithinLookBack(n, last)) seen.delete(n)
  }

  async function tellOwners(changes: Change[]): Promise<void> {
    const watched = changes.filter(({ account_id }) => byKey.has(account_id))
    if (watched.length === 0) return
    const counts = await countUnreadOf(db, [...new Set(watched.map((each) => each.account_id))])
    const told = new Set<string>()
    for (const { account_id, conversation_id } of watched) {
      if (told.has(conversation_id)) continue
      told.add(conversation_id)
      const event = ownersEvent(conversation_id, counts.get(account_id) ?? 0)
      await inTurns([...(byKey.get(account_id) ?? [])], (stream) => stream.send(event))
    }
  }

  async function tellFinders(changes: Change[]): Promise<void> {
    const ids = changes
      .filter((each) => each.concerns_finder && byKey.has(each.conversation_id))
      .map((each) => each.conversation_id)
    if (ids.length === 0) return
    const changed = [...new Set(ids)]
    const live = await listLiveConversations(db, changed)
    for (const id of changed) {
      await inTurns([...(byKey.get(id) ?? [])], (stream) => {
        stream.send(FINDERS_EVENT)
        if (!live.has(id)) stream.end()
      })
    }
  }

  async function endWithSessions(): Promise<void> {
    const sessions = new Map<Watching, string>()
    for (const each of all) {
      if ('sessionId' in each.watcher) sessions.set(each, each.watcher.sessionId)
    }
    const live = await listLiveSessions(db, [...new Set(sessions.values())], clock())
    for (const [{ stream }, id] of sessions) if (!live.has(id)) stream.end()
  }

  return {
    open,
    /** how many streams are open */
    count: () => all.size,
    /** Ends all streams, and opens no other. */
    stop(): void {
      isStopped = true
      for (const { stream } of [...all]) stream.end()
    },
  }
}

async function inTurns(watching: Watching[], act: (stream: EventStream) => void): Promise<void> {
  for (const [i, { stream }] of watching.entries()) {
    if (i > 0 && i % WRITES_A_TURN === 0) await pause(PAUSE_MS)
    act(stream)
  }
}

/** For the pages of the code's user; without a conversation, the count alone. */
export function ownersEvent(conversation_id: string | null, unread_count: number): string {
  return JSON.stringify({ conversation_id, unread_count })
}

/** For a finder's page, which asks for what is new. */
export const FINDERS_EVENT = 'changed'

/** The account or the conversation. */
function firstKeyOf({ watcher }: Watching): string {
  return 'accountId' in watcher ? watcher.accountId : watcher.conversationId
}

function keysOf(watcher: Watcher): [string, number][] {
  if ('accountId' in watcher) return [[watcher.accountId, STREAMS_PER_ACCOUNT]]
  return [
    [watcher.conversationId, STREAMS_PER_CONVERSATION],
    [watcher.address, STREAMS_PER_ADDRESS],
  ]
}
