import type { EventStream } from '#actions/conversations/event-stream.ts'
import { DomainError } from '#domain/error.ts'
import type { HeldShare } from '#domain/people/share.ts'

const STREAMS_PER_ACCOUNT = 20
const STREAMS_PER_CONVERSATION = 10
const STREAMS_PER_ADDRESS = 50
const RETRY_AFTER_SECONDS = 30

/** A code, and how many of its first steps its page shows as done. */
type AwaitedCode = { qr_id: string; done: number }

/** The page of an account with the shares of its session, which may wait for the first steps with a code. */
export type AccountWatcher = {
  accountId: string
  shares: readonly HeldShare[]
  sessionId: string
  awaited?: AwaitedCode | undefined
}

export type Watcher = AccountWatcher | { conversationId: string; address: string }

export type Watching = { watcher: Watcher; stream: EventStream }
export type Watchers = ReturnType<typeof createWatchers>

/** Holds the open event streams of this process, by account, conversation and address. */
export function createWatchers() {
  /** The keys of accounts, conversations and addresses are random and never equal. */
  const byKey = new Map<string, Set<Watching>>()
  const all = new Set<Watching>()

  const listOf = (key: string): Watching[] => [...(byKey.get(key) ?? [])]

  return {
    all,
    has: (key: string) => byKey.has(key),
    listOf,

    add(watching: Watching): void {
      all.add(watching)
      for (const [key] of keysOf(watching.watcher)) {
        const others = byKey.get(key)
        if (others) others.add(watching)
        else byKey.set(key, new Set([watching]))
      }
    },

    remove(watching: Watching): void {
      all.delete(watching)
      for (const [key] of keysOf(watching.watcher)) {
        const others = byKey.get(key)
        others?.delete(watching)
        if (others?.size === 0) byKey.delete(key)
      }
    },

    /**
     * Throws too_many when the account, the conversation or the address has too many streams. May end a stream of the
     * address instead: see `makeRoom`.
     */
    assertMayWatch(watcher: Watcher): void {
      for (const [key, most] of keysOf(watcher)) {
        const streams = listOf(key)
        if (streams.length < most || (isAddress(key, watcher) && makeRoom(streams, watcher)))
          continue
        throw new DomainError('too_many.streams', { retryAfter: RETRY_AFTER_SECONDS })
      }
    },
  }
}

function isAddress(key: string, watcher: Watcher): boolean {
  return 'address' in watcher && key === watcher.address
}

/**
 * Ends the oldest stream of the conversation with the most streams at an address, to admit the first stream of
 * another conversation. Many finders may share an address, and one of them may have all its streams. Returns false
 * when no stream may be ended.
 */
function makeRoom(streams: readonly Watching[], watcher: Watcher): boolean {
  const pages = new Map<string, number>()
  const keys = streams.map((each) => firstKeyOf(each.watcher))
  for (const key of keys) pages.set(key, (pages.get(key) ?? 0) + 1)
  const most = Math.max(...pages.values())
  if (pages.has(firstKeyOf(watcher)) || most === 1) return false
  streams[keys.findIndex((key) => pages.get(key) === most)]?.stream.end()
  return true
}

/** Returns the account or the conversation. */
function firstKeyOf(watcher: Watcher): string {
  return 'accountId' in watcher ? watcher.accountId : watcher.conversationId
}

/** Returns the key of the people of an owner. Their streams do not count against the owner's. */
export function peopleKey(ownerId: string): string {
  return `people of ${ownerId}`
}

/** Returns the keys of a watcher, each with its limit. */
function keysOf(watcher: Watcher): [string, number][] {
  if ('accountId' in watcher) {
    const others = watcher.shares.map(({ owner_id }) => peopleKey(owner_id))
    return [
      [watcher.accountId, STREAMS_PER_ACCOUNT],
      ...others.map((key): [string, number] => [key, Number.POSITIVE_INFINITY]),
    ]
  }
  return [
    [watcher.conversationId, STREAMS_PER_CONVERSATION],
    [watcher.address, STREAMS_PER_ADDRESS],
  ]
}
