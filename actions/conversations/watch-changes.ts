import { setTimeout as pause } from 'node:timers/promises'
import type { EventStream } from '#actions/conversations/event-stream.ts'
import {
  type AccountWatcher,
  peopleKey,
  type Watchers,
  type Watching,
} from '#actions/conversations/watchers.ts'
import type { Db } from '#db/client.ts'
import { countFirstSteps } from '#db/codes/first-steps.ts'
import {
  type Change,
  findLastChange,
  isWithinLookBack,
  listChanges,
} from '#db/conversations/changes.ts'
import { listLiveConversations } from '#db/conversations/finder-conversations.ts'
import { holdsShares, listSeen } from '#db/conversations/seen-conversations.ts'
import { countUnread, countUnreadOf } from '#db/conversations/unread.ts'
import { listSharesHeldBy } from '#db/people/held-shares.ts'
import { type Holder, isSameAccess } from '#domain/people/share.ts'

/** The writes between two pauses, in which the server answers requests. */
const WRITES_PER_TURN = 5
const PAUSE_MS = 1

/** Reads which conversations changed, and sends an event to the streams that watch them. */
export function createChangeReader(db: Db, watchers: Watchers) {
  const seen = new Set<number>()
  let last = 0
  return {
    /** Skips the changes until now, which the pages of the watchers already show. */
    async skip(): Promise<void> {
      const newest = await findLastChange(db)
      seen.clear()
      for (const { n } of await listChanges(db, newest)) seen.add(n)
      last = newest
    },

    /** Sends an event for each conversation that changed since the last call. */
    async announce(): Promise<void> {
      const changes = (await listChanges(db, last)).filter((change) => !seen.has(change.n))
      await notifyAccounts(db, watchers, changes)
      await notifyFinders(db, watchers, changes)
      // Only now, so that the next call reads a change again when its event failed.
      for (const { n } of changes) {
        seen.add(n)
        last = Math.max(last, n)
      }
      for (const n of seen) if (!isWithinLookBack(n, last)) seen.delete(n)
    },
  }
}

/** An account whose pages are told of changed conversations: its own, and those that may be shared with it. */
type Told = { viewer: Holder; streams: Set<Watching>; own: Set<string>; others: Set<string> }

async function notifyAccounts(db: Db, watchers: Watchers, changes: Change[]): Promise<void> {
  const told = listTold(watchers, changes)
  const alone = told.filter(({ viewer }) => !holdsShares(viewer)).map(({ viewer }) => viewer.id)
  const counts = alone.length > 0 ? await countUnreadOf(db, alone) : new Map<string, number>()
  for (const { viewer, streams, own, others } of told) {
    const shared = others.size > 0 ? await listSeen(db, viewer, [...others]) : []
    const ids = [...own, ...shared]
    if (ids.length === 0) continue
    const isAlone = !holdsShares(viewer)
    const count = isAlone ? (counts.get(viewer.id) ?? 0) : await countUnread(db, viewer)
    for (const id of ids) {
      const event = ownersEvent(id, count)
      await writeTo([...streams], (stream) => stream.send(event))
    }
  }
}

/** Lists the accounts with open pages that may see a change: its owner, and the people of the owner. */
function listTold(watchers: Watchers, changes: Change[]): Told[] {
  const told = new Map<string, Told>()
  for (const { account_id, conversation_id } of changes) {
    for (const each of [account_id, peopleKey(account_id)].flatMap(watchers.listOf)) {
      if (!('accountId' in each.watcher)) continue
      const { accountId: id, shares } = each.watcher
      const one = told.get(id) ?? {
        viewer: { id, shares },
        streams: new Set(),
        own: new Set(),
        others: new Set(),
      }
      told.set(id, one)
      one.streams.add(each)
      const ids = id === account_id ? one.own : one.others
      ids.add(conversation_id)
    }
  }
  return [...told.values()]
}

/** Ends the streams of accounts whose shares are others than when their pages were opened. */
export async function endWithShares(db: Db, { all }: Watchers, now: Date): Promise<void> {
  const helping = [...all].filter(
    (each): each is Watching & { watcher: AccountWatcher } =>
      'accountId' in each.watcher && each.watcher.shares.length > 0,
  )
  if (helping.length === 0) return
  const ids = [...new Set(helping.map(({ watcher }) => watcher.accountId))]
  const held = await listSharesHeldBy(db, ids, now)
  for (const { watcher, stream } of helping) {
    const shares = held.filter(({ person_id }) => person_id === watcher.accountId)
    if (!isSameAccess(shares, watcher.shares)) stream.end()
  }
}

async function notifyFinders(db: Db, watchers: Watchers, changes: Change[]): Promise<void> {
  const changed = changes
    .filter((each) => each.concerns_finder && watchers.has(each.conversation_id))
    .map((each) => each.conversation_id)
  if (changed.length === 0) return
  const ids = [...new Set(changed)]
  const live = await listLiveConversations(db, ids)
  for (const id of ids) {
    await writeTo(watchers.listOf(id), (stream) => {
      stream.send(FINDERS_EVENT)
      if (!live.has(id)) stream.end()
    })
  }
}

/** Writes to streams in several turns of the event loop. */
export async function writeTo(
  watching: Watching[],
  write: (stream: EventStream) => void,
): Promise<void> {
  for (const [i, { stream }] of watching.entries()) {
    if (i > 0 && i % WRITES_PER_TURN === 0) await pause(PAUSE_MS)
    write(stream)
  }
}

/**
 * Tells the pages that wait for the first steps with a code of a step that is done. Asks the database only
 * while there are such pages.
 */
export async function announceFirstSteps(db: Db, watchers: Watchers): Promise<void> {
  const waiting = [...watchers.all].flatMap(({ watcher, stream }) =>
    'awaited' in watcher && watcher.awaited
      ? [{ ...watcher, ...watcher.awaited, watcher, stream }]
      : [],
  )
  if (waiting.length === 0) return
  const counts = await countFirstSteps(db, [...new Set(waiting.map(({ qr_id }) => qr_id))])
  for (const { watcher, accountId: id, shares, qr_id, done: shown, stream } of waiting) {
    const done = counts.get(qr_id) ?? shown
    if (done === shown) continue
    watcher.awaited = { qr_id, done }
    stream.send(ownersEvent(null, await countUnread(db, { id, shares }), qr_id))
  }
}

/**
 * Returns the event for the owner's pages. Without a conversation it has the count alone, or the awaited code
 * with a step that is done.
 */
export function ownersEvent(
  conversation_id: string | null,
  unread_count: number,
  changed_code?: string,
): string {
  return JSON.stringify({ conversation_id, unread_count, changed_code })
}

/** The event for a finder's page, which then requests the news. */
export const FINDERS_EVENT = 'changed'
