import type { Logger } from 'pino'
import { type EventStream, openEventStream } from '#actions/conversations/event-stream.ts'
import { createChangeReader, writeTo } from '#actions/conversations/watch-changes.ts'
import {
  createWatchers,
  type Watcher,
  type Watchers,
  type Watching,
} from '#actions/conversations/watchers.ts'
import { listLiveSessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import { DomainError } from '#domain/error.ts'

const LOOK_MS = 1_000
/** Each stream gets a heartbeat in one of so many looks; a look for ended sessions is as rare. */
const LOOKS_PER_HEARTBEAT = 15
/** Fewer requests leave little garbage. */
const MANY_OPENED = 500

type Tools = {
  db: Db
  clock: () => Date
  log: Logger
  isLimited: boolean
  /** frees the memory of the requests for many streams */
  collect?: () => void
}

export type ConversationWatch = ReturnType<typeof watchConversations>

/**
 * Notifies the open event streams of this process of changed conversations, by one look at the database a
 * second for all of them. An event never contains the change itself.
 */
export function watchConversations({ db, clock, log, isLimited, collect }: Tools) {
  const watchers = createWatchers()
  const changes = createChangeReader(db, watchers)
  let looks = 0
  let opened = 0
  let timer: NodeJS.Timeout | undefined
  let beginning: Promise<void> | undefined
  let isLooking = false
  let hasFailed = false
  let isStopped = false

  async function begin(): Promise<void> {
    await changes.skip()
    clearInterval(timer)
    if (!isStopped) timer = setInterval(look, LOOK_MS).unref()
  }

  /** One look at a time, so that a slow database is not asked twice. */
  async function look(): Promise<void> {
    if (watchers.all.size === 0) clearInterval(timer)
    if (isLooking || watchers.all.size === 0) return
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
    const slot = ++looks % LOOKS_PER_HEARTBEAT
    const due = [...watchers.all].filter((_, n) => n % LOOKS_PER_HEARTBEAT === slot)
    await writeTo(due, (stream) => stream.beat())
    if (slot === 0) await endWithSessions(db, watchers, clock())
    if (slot === 0 && opened >= MANY_OPENED) {
      opened = 0
      collect?.()
    }
    await changes.announce()
  }

  function remove(watching: Watching): void {
    watchers.remove(watching)
    if (watchers.all.size > 0) return
    clearInterval(timer)
    beginning = undefined
  }

  return {
    /** Throws too_many when the account, the conversation or the address has too many streams. */
    async open(watcher: Watcher): Promise<EventStream> {
      if (isStopped) throw new DomainError('unavailable.stopping', { retryAfter: 1 })
      if (isLimited) watchers.assertMayWatch(watcher)
      const watching: Watching = { watcher, stream: openEventStream(() => remove(watching)) }
      watchers.add(watching)
      opened++
      beginning ??= begin()
      await beginning.catch((error) => {
        watching.stream.end()
        throw error
      })
      return watching.stream
    },
    /** Returns the number of open streams. */
    count: () => watchers.all.size,
    /** Ends all streams, and opens no other. */
    stop(): void {
      isStopped = true
      for (const { stream } of [...watchers.all]) stream.end()
    },
  }
}

/** Ends the streams of sessions that have ended. */
async function endWithSessions(db: Db, { all }: Watchers, now: Date): Promise<void> {
  const sessions = new Map<Watching, string>()
  for (const each of all) {
    if ('sessionId' in each.watcher) sessions.set(each, each.watcher.sessionId)
  }
  const live = await listLiveSessions(db, [...new Set(sessions.values())], now)
  for (const [{ stream }, id] of sessions) if (!live.has(id)) stream.end()
}
