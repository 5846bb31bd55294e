import { hasten, IS_WELL } from '#db/alerts/channel-state.ts'
import { openTarget } from '#db/alerts/channels.ts'
import type { ClaimedChannel } from '#db/alerts/claims.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Db, Trx } from '#db/client.ts'
import { noteTold } from '#db/conversations/notices.ts'
import type { Instant, Tables } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { type ConnectedKind, UNREACHABLE_AFTER_SECONDS } from '#domain/alerts/alert.ts'
import { waitAfterFailures } from '#domain/alerts/retry.ts'

/** The outcome of claimed deliveries. `untried` were not sent, because another failed before. */
export type Settled = {
  channel: ClaimedChannel
  /** with the answers */
  delivered: { id: string; answer: string }[]
  /** `retryAfter` is in seconds; 0 if the channel did not ask for it */
  failed: { id: string; why: string; retryAfter: number }[]
  /** not sent, because they are too old */
  late: string[]
  untried: string[]
  /** why the channel is never used again */
  gone?: string
}

/** A channel that counts as not reachable from now on. */
export type Unreachable = {
  accountId: string
  kind: ConnectedKind
  /** null when it was sealed with another key */
  name: string | null
  since: Instant
}

/** Tells an owner in the same transaction. */
export type TellUnreachable = (trx: Trx, unreachable: Unreachable) => Promise<unknown>

/**
 * Removes deliveries that were made or are too old. A failed channel rests, and counts as not
 * reachable once it has failed for a day; one that is gone is removed, unless it was connected
 * again meanwhile.
 */
export async function settleChannels(
  db: Db,
  key: SecretKey,
  settled: readonly Settled[],
  now: Date,
  tell: TellUnreachable,
): Promise<void> {
  await inTransaction(db, async (trx) => {
    for (const { channel, gone } of settled) if (gone !== undefined) await removeGone(trx, channel)
    await noteTold(trx, deliveredIds(settled), now)
    await removeDeliveries(trx, settled)
    await uncountTries(trx, settled)
    await noteAnswers(trx, settled)
    await endClaims(
      trx,
      settled.filter(({ failed }) => failed.length === 0),
      now,
    )
    for (const each of settled) if (each.failed.length > 0) await letRest(trx, each, now)
    for (const each of await markUnreachable(trx, key, settled, now)) await tell(trx, each)
  })
}

/** Not one that its owner has connected again meanwhile. */
type StoredChannel = Pick<ClaimedChannel, 'id' | 'sealed'>

async function removeGone(trx: Trx, { id, sealed }: StoredChannel): Promise<void> {
  await trx
    .deleteFrom('alert_channels')
    .where('id', '=', id)
    .where('target', 'is not distinct from', sealed)
    .execute()
}

/** Removes a channel that a test found to be gone, unless it was connected again meanwhile. */
export async function removeGoneChannel(db: Db, channel: StoredChannel): Promise<void> {
  await inTransaction(db, (trx) => removeGone(trx, channel))
}

function deliveredIds(settled: readonly Settled[]): string[] {
  return settled.flatMap(({ delivered }) => delivered.map(({ id }) => id))
}

async function removeDeliveries(trx: Trx, settled: readonly Settled[]): Promise<void> {
  const ids = [...deliveredIds(settled), ...settled.flatMap(({ late }) => late)]
  if (ids.length === 0) return
  await trx.deleteFrom('outbox').where('id', 'in', ids).execute()
}

async function uncountTries(trx: Trx, settled: readonly Settled[]): Promise<void> {
  const ids = settled.flatMap(({ untried }) => untried)
  if (ids.length === 0) return
  await trx
    .updateTable('outbox')
    .set((eb) => ({ attempts: eb('attempts', '-', 1) }))
    .where('id', 'in', ids)
    // Idempotent: the same outcome is settled again if the database's answer to the commit was
    // lost.
    .where('channel_id', 'in', ({ selectFrom }) =>
      selectFrom('alert_channels').select('id').where('claim', 'in', claimsOf(settled)),
    )
    .execute()
}

type Answer = Pick<Tables['webhook_deliveries'], 'attempts' | 'status' | 'answer'>

/** In the log of webhooks; those with the same answer at once. */
async function noteAnswers(trx: Trx, settled: readonly Settled[]): Promise<void> {
  const byAnswer = new Map<string, string[]>()
  for (const { channel, delivered, failed, late } of settled) {
    if (channel.kind !== 'webhook') continue
    const attempts = new Map(channel.deliveries.map((each) => [each.id, each.attempts]))
    const add = (id: string, { status, answer }: Omit<Answer, 'attempts'>) => {
      const key = JSON.stringify({ status, answer, attempts: attempts.get(id) })
      byAnswer.set(key, [...(byAnswer.get(key) ?? []), id])
    }
    for (const { id, answer } of delivered) add(id, { status: 'delivered', answer })
    for (const { id, why } of failed) add(id, { status: 'waiting', answer: why })
    await giveUpListed(trx, late)
  }
  for (const [answer, ids] of byAnswer) {
    await trx
      .updateTable('webhook_deliveries')
      .set(JSON.parse(answer) as Answer)
      .where('id', 'in', ids)
      .execute()
  }
}

/** Keeps the last answer listed. */
async function giveUpListed(trx: Trx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  await trx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed' })
    .where('id', 'in', ids)
    .execute()
}

/**
 * Gives back channels that did not fail. Those with a delivery are reachable, so that failed alerts
 * are due. The rest of one that had its turn is due from now on, after others that wait.
 */
async function endClaims(trx: Trx, settled: readonly Settled[], now: Date): Promise<void> {
  if (settled.length === 0) return
  const at = toInstant(now)
  const free = { claim: null, rests_until: null }
  const parts = [
    { change: { ...free, ...IS_WELL, delivered_at: at }, hasDelivered: true },
    { change: free, hasDelivered: false },
  ]
  for (const { change, hasDelivered } of parts) {
    const some = settled.filter(({ delivered }) => delivered.length > 0 === hasDelivered)
    if (some.length === 0) continue
    if (hasDelivered) await hasten(trx, idsOf(some), now)
    await trx
      .updateTable('alert_channels')
      .set(change)
      .set(({ selectFrom }) => ({
        due_at: selectFrom('outbox')
          .select(({ fn }) => fn.min<Instant | null>('next_attempt_at').as('due'))
          .whereRef('channel_id', '=', 'alert_channels.id'),
      }))
      .where('id', 'in', idsOf(some))
      // Otherwise another sender has claimed it meanwhile.
      .where('claim', 'in', claimsOf(some))
      .execute()
  }
  await trx
    .updateTable('alert_channels')
    .set({ due_at: at })
    .where('id', 'in', idsOf(settled))
    .where('claim', 'is', null)
    .where('due_at', '<', at)
    .execute()
}

function idsOf(settled: readonly Settled[]): string[] {
  return settled.map(({ channel }) => channel.id)
}

function claimsOf(settled: readonly Settled[]): string[] {
  return [...new Set(settled.map(({ channel }) => channel.claim))]
}

async function letRest(
  trx: Trx,
  { channel, delivered, failed }: Settled,
  now: Date,
): Promise<void> {
  const { id, claim } = channel
  // A test that arrived meanwhile, or another address, has ended the failures of before.
  const present = await trx
    .selectFrom('alert_channels')
    .select('failures')
    .where('id', '=', id)
    .where('claim', '=', claim)
    .executeTakeFirst()
  if (!present) return
  const wasWell = delivered.length > 0 || present.failures === 0
  const failures = (wasWell ? 0 : present.failures) + 1
  const retryAfter = Math.max(...failed.map((each) => each.retryAfter))
  const again = toInstant(secondsAfter(now, waitAfterFailures(failures, retryAfter)))
  await trx
    .updateTable('alert_channels')
    .set({ claim: null, rests_until: again, due_at: again, failures })
    .$if(wasWell, (query) => query.set({ failing_since: toInstant(now), unreachable_since: null }))
    .$if(delivered.length > 0, (query) => query.set({ delivered_at: toInstant(now) }))
    .where('id', '=', id)
    .where('claim', '=', claim)
    .execute()
  // They come after the others then, so that one that is never accepted holds up none.
  const ids = failed.map((each) => each.id)
  const later = { next_attempt_at: again }
  await trx.updateTable('outbox').set(later).where('id', 'in', ids).execute()
}

/** Those among channels that gave up or failed which have failed for a day now. */
async function markUnreachable(
  trx: Trx,
  key: SecretKey,
  settled: readonly Settled[],
  now: Date,
): Promise<Unreachable[]> {
  const ids = idsOf(settled.filter(({ failed, late }) => failed.length + late.length > 0))
  if (ids.length === 0) return []
  const rows = await trx
    .updateTable('alert_channels')
    .set(({ ref }) => ({ unreachable_since: ref('failing_since') }))
    .where('id', 'in', ids)
    .where('failing_since', '<=', toInstant(secondsAfter(now, -UNREACHABLE_AFTER_SECONDS)))
    .where('unreachable_since', 'is', null)
    .returningAll()
    .execute()
  return rows.map(({ account_id, kind, failing_since, ...row }) => ({
    accountId: account_id,
    kind: kind as ConnectedKind,
    name: openTarget(key, row)?.name ?? null,
    since: failing_since ?? toInstant(now),
  }))
}
