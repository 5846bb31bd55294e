import type { Logger } from 'pino'
import { type EventStream, openEventStream } from '#actions/conversations/event-stream.ts'
import {
  announceFirstSteps,
  createChangeReader,
  endWithShares,
  writeTo,
} from '#actions/conversations/watch-changes.ts'
import {
  createWatchers,
  type Watcher,
  type Watchers,
  type Watching,
} from '#actions/conversations/watchers.ts'
import { listLiveSessions } from '#db/accounts/sessions.ts'
import type { Db } from '#db/client.ts'
import { DomainError } from '#domain/error.ts'

const POLL_INTERVAL_MS = 1_000
/** The polls between two heartbeats of a stream, and between two checks for ended sessions. */
const POLLS_PER_HEARTBEAT = 15
/** The requests of fewer new streams leave little garbage in memory. */
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
 * Notifies the open event streams of this process of changed conversations. Polls the database once a second for
 * all of them. An event never contains the change itself.
 */
export function watchConversations({ db, clock, log, isLimited, collect }: Tools) {
  const watchers = createWatchers()
  const changes = createChangeReader(db, watchers)
  let polls = 0
  let opened = 0
  let timer: NodeJS.Timeout | undefined
  let beginning: Promise<void> | undefined
  let isPolling = false
  let hasFailed = false
  let isStopped = false

  async function begin(): Promise<void> {
    await changes.skip()
    clearInterval(timer)
    if (!isStopped) timer = setInterval(poll, POLL_INTERVAL_MS).unref()
  }

  /** Polls unless a poll is running, because a slow database would get more and more queries. */
  async function poll(): Promise<void> {
    if (watchers.all.size === 0) clearInterval(timer)
    if (isPolling || watchers.all.size === 0) return
    isPolling = true
    try {
      await pollOnce()
      hasFailed = false
    } catch (error) {
      if (!hasFailed) log.error({ err: error }, 'changed conversations could not be read')
      hasFailed = true
    } finally {
      isPolling = false
    }
  }

  async function pollOnce(): Promise<void> {
    const slot = ++polls % POLLS_PER_HEARTBEAT
    const due = [...watchers.all].filter((_, n) => n % POLLS_PER_HEARTBEAT === slot)
    await writeTo(due, (stream) => stream.beat())
    if (slot === 0) await endWithSessions(db, watchers, clock())
    if (slot === 0 && opened >= MANY_OPENED) {
      opened = 0
      collect?.()
    }
    await endWithShares(db, watchers, clock())
    await changes.announce()
    await announceFirstSteps(db, watchers)
  }

  function remove(watching: Watching): void {
    watchers.remove(watching)
    if (watchers.all.size > 0) return
    clearInterval(timer)
    beginning = undefined
  }

  return {
    /** Opens a stream. Throws too_many as `assertMayWatch`, and unavailable while the server stops. */
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
