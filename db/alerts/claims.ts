import type { Transaction } from 'kysely'
import type { DeliveryContent } from '#db/alerts/alerting.ts'
import { openTarget } from '#db/alerts/channels.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Instant, OutboxTable, Tables } from '#db/schema.ts'
import { randomId, type SecretKey, unseal } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { type ConnectedKind, UNREACHABLE_AFTER_SECONDS } from '#domain/alerts/alert.ts'
import { waitAfterFailures } from '#domain/alerts/retry.ts'

type Trx = Transaction<Tables>

/** Longer than a sender is at the deliveries that it claimed, so that no other sender claims them meanwhile. */
const CLAIM_SECONDS = 60
/** Deliveries of a channel that are claimed at once. */
const BATCH = 16

export type DueDelivery = {
  id: string
  attempts: number
  event: OutboxTable['event']
  isLate: boolean
  /** undefined when it was sealed with another key */
  content: DeliveryContent | undefined
}

/** A channel that something is due for, claimed for a minute by one sender. */
export type ClaimedChannel = {
  id: string
  claim: string
  kind: ConnectedKind
  account_id: string
  /** in a row, until now */
  failures: number
  /** undefined when it was sealed with another key */
  target: object | undefined
  deliveries: DueDelivery[]
}

export type Failure = { why: string; status?: number; retryAfter?: number }

/** What became of what was claimed. `untried` were not sent, because another failed before. */
export type Settled = {
  channel: ClaimedChannel
  /** with what came back */
  delivered: { id: string; answer: string }[]
  /** not sent, because they are too old */
  late: string[]
  untried: string[]
  failure?: Failure & { id: string }
  gone?: string
}

/** A channel that now counts as not reachable. */
export type Unreachable = {
  accountId: string
  kind: ConnectedKind
  name: string | null
  since: Instant
}

/**
 * Claims up to `most` channels with something due, those that waited longest first, and some of their due
 * deliveries. Those that failed last are left out unless `withFailing`.
 */
export async function claimChannels(
  db: Db,
  key: SecretKey,
  { most, withFailing }: { most: number; withFailing: boolean },
  now: Date,
): Promise<ClaimedChannel[]> {
  const at = toInstant(now)
  const claim = randomId()
  const find = (from: Db | Trx) =>
    from
      .selectFrom('alert_channels')
      .select('id')
      .where('due_at', '<=', at)
      .where(({ eb, or }) => or([eb('rests_until', 'is', null), eb('rests_until', '<=', at)]))
      .$if(!withFailing, (query) => query.where('failures', '=', 0))
      .orderBy('due_at')
      .limit(most)
  // Nothing is locked while nothing is due.
  if (!(await find(db).executeTakeFirst())) return []
  return inTransaction(db, async (trx) => {
    const ids = (await find(trx).execute()).map(({ id }) => id)
    if (ids.length === 0) return []
    const channels = await trx
      .updateTable('alert_channels')
      .set({ claim, rests_until: toInstant(secondsAfter(now, CLAIM_SECONDS)) })
      .where('id', 'in', ids)
      .returningAll()
      .execute()
    const claimed: ClaimedChannel[] = []
    for (const { id, kind, account_id, failures, ...channel } of channels) {
      const target = openTarget(key, { id, ...channel })?.target
      const deliveries = await takeDue(trx, key, id, at)
      const connected = kind as ConnectedKind
      claimed.push({ id, claim, kind: connected, account_id, failures, target, deliveries })
    }
    return claimed
  })
}

async function takeDue(
  trx: Trx,
  key: SecretKey,
  channelId: string,
  at: Instant,
): Promise<DueDelivery[]> {
  const rows = await trx
    .selectFrom('outbox')
    .select(['id', 'event', 'attempts', 'text', 'expires_at'])
    .where('channel_id', '=', channelId)
    .where('next_attempt_at', '<=', at)
    .orderBy('next_attempt_at')
    .limit(BATCH)
    .execute()
  if (rows.length === 0) return []
  const ids = rows.map(({ id }) => id)
  await trx
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '+', 1) }))
    .where('id', 'in', ids)
    .execute()
  return rows.map(({ id, event, attempts, text, expires_at }) => {
    const opened = unseal(key, id, text)
    const content = opened === undefined ? undefined : (JSON.parse(opened) as DeliveryContent)
    return { id, event, attempts: attempts + 1, isLate: expires_at <= at, content }
  })
}

/**
 * Removes what was delivered, has a channel that failed rest, and removes one that is gone. Returns the
 * channels that count as not reachable from now on.
 */
export async function settleChannels(
  db: Db,
  key: SecretKey,
  settled: readonly Settled[],
  now: Date,
  tell: (trx: Trx, unreachable: Unreachable) => Promise<unknown>,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const each of settled) await settle(trx, key, each, now, tell)
  })
}

async function settle(
  trx: Trx,
  key: SecretKey,
  { channel, delivered, late, untried, failure, gone }: Settled,
  now: Date,
  tell: (trx: Trx, unreachable: Unreachable) => Promise<unknown>,
): Promise<void> {
  const { id, kind } = channel
  if (gone) {
    await trx.deleteFrom('alert_channels').where('id', '=', id).execute()
    return
  }
  const over = [...delivered.map((each) => each.id), ...late]
  if (over.length > 0) await trx.deleteFrom('outbox').where('id', 'in', over).execute()
  if (untried.length > 0) {
    await trx
      .updateTable('outbox')
      .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
      .where('id', 'in', untried)
      .execute()
  }
  if (kind === 'webhook') await noteAnswers(trx, { channel, delivered, late, failure })
  const { due } = await trx
    .selectFrom('outbox')
    .select(({ fn }) => fn.min<Instant | null>('next_attempt_at').as('due'))
    .where('channel_id', '=', id)
    .executeTakeFirstOrThrow()
  const mine = trx
    .updateTable('alert_channels')
    .set({ claim: null })
    .where('id', '=', id)
    .where('claim', '=', channel.claim)
  const delivered_at = delivered.length > 0 ? { delivered_at: toInstant(now) } : {}
  if (!failure) {
    const well = { failures: 0, failing_since: null, unreachable_since: null }
    const isWell = delivered.length > 0 ? well : {}
    await mine.set({ rests_until: null, due_at: due, ...isWell, ...delivered_at }).execute()
    return
  }
  const failures = (delivered.length > 0 ? 0 : channel.failures) + 1
  const rests = toInstant(secondsAfter(now, waitAfterFailures(failures, failure.retryAfter)))
  const before = await trx
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (!before) return
  const isNew = delivered.length > 0 || before.failing_since === null
  const failing_since = isNew ? toInstant(now) : (before.failing_since as Instant)
  const known = delivered.length > 0 ? null : before.unreachable_since
  const isOver = secondsAfter(new Date(failing_since), UNREACHABLE_AFTER_SECONDS) <= now
  const unreachable_since = known ?? (isOver ? failing_since : null)
  const state = { failures, failing_since, unreachable_since }
  const times = { rests_until: rests, due_at: due === null ? null : rests }
  await mine.set({ ...state, ...times, ...delivered_at }).execute()
  if (known === null && unreachable_since !== null) {
    const name = openTarget(key, before)?.name ?? null
    await tell(trx, { accountId: channel.account_id, kind, name, since: unreachable_since })
  }
}

async function noteAnswers(
  trx: Trx,
  { channel, delivered, late, failure }: Omit<Settled, 'untried' | 'gone'>,
): Promise<void> {
  const attempts = new Map(channel.deliveries.map((each) => [each.id, each.attempts]))
  const note = (id: string, change: { status: 'waiting' | 'delivered' | 'failed'; answer?: string }) =>
    trx
      .updateTable('webhook_deliveries')
      .set({ ...change, attempts: attempts.get(id) ?? 0 })
      .where('id', '=', id)
      .execute()
  for (const { id, answer } of delivered) await note(id, { status: 'delivered', answer })
  for (const id of late) await note(id, { status: 'failed' })
  if (failure) await note(failure.id, { status: 'waiting', answer: failure.why })
}
