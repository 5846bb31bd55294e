import { userNotFound } from '#db/accounts/accounts.ts'
import {
  assertLiveCaller,
  type Caller,
  type Credential,
  inTransactionOf,
} from '#db/accounts/credentials.ts'
import { IS_WELL, tryAgainSoon } from '#db/alerts/channel-state.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { countRows } from '#db/pages.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { hashToken, keyedHash, randomId, type SecretKey, seal, unseal } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import {
  type ChannelKind,
  CONNECTED_KINDS,
  type ConnectedKind,
  MOST_CHANNELS,
} from '#domain/alerts/alert.ts'
import { DomainError } from '#domain/error.ts'

/** The id of the e-mail among an account's channels. */
export const EMAIL_CHANNEL = 'email'

/** A channel as its owner sees it. */
export type ChannelView = {
  id: string
  kind: ChannelKind
  /** null when it was sealed with another key, or there is no address */
  name: string | null
  /** SHA-256 of a push subscription's endpoint, by which its browser knows it */
  endpoint_hash: string | null
  /** false for an address that is not verified: nothing is sent to it */
  isVerified: boolean
  created_at: Instant
  /** when it last took an alert; not noted for e-mail */
  delivered_at: Instant | null
  unreachable_since: Instant | null
}

/** `address` identifies the target, such as the endpoint of a push subscription. */
export type NewChannel = { kind: ConnectedKind; name: string; address: string; target: object }

/** Where a channel sends to, and how it is called. */
type Sealed = { name: string; target: object }

export function openTarget(
  key: SecretKey,
  { id, target }: Pick<Tables['alert_channels'], 'id' | 'target'>,
): Sealed | undefined {
  const text = target === null ? undefined : unseal(key, id, target)
  return text === undefined ? undefined : (JSON.parse(text) as Sealed)
}

/**
 * Returns the channels of an account: its e-mail first, then the others in the order in which they came.
 * Throws not_found when the account has just been deleted.
 */
export async function listChannels(
  db: DbOrTrx,
  key: SecretKey,
  accountId: string,
): Promise<ChannelView[]> {
  const account = await db
    .selectFrom('accounts')
    .select(['email', 'email_verified_at', 'created_at'])
    .where('id', '=', accountId)
    .executeTakeFirstOrThrow(userNotFound)
  const rows = await db
    .selectFrom('alert_channels')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  const email = rows.find(({ kind }) => kind === 'email')
  return [
    {
      id: EMAIL_CHANNEL,
      kind: 'email',
      name: account.email,
      endpoint_hash: null,
      isVerified: account.email_verified_at !== null,
      created_at: account.created_at,
      delivered_at: null,
      unreachable_since: email?.unreachable_since ?? null,
    },
    ...rows.filter((row) => row !== email).map((row) => toView(key, row)),
  ]
}

/** Returns whether an account has connected anything besides its e-mail. */
export async function hasConnectedChannel(db: DbOrTrx, accountId: string): Promise<boolean> {
  const found = await db
    .selectFrom('alert_channels')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'email')
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

function toView(key: SecretKey, row: AlertChannelsRow): ChannelView {
  const { id, kind, created_at, delivered_at, unreachable_since } = row
  const { name = null, target = {} } = openTarget(key, row) ?? {}
  const endpoint_hash = 'endpoint' in target ? hashToken(String(target.endpoint)) : null
  const reached = { delivered_at, unreachable_since }
  return { id, kind, name, endpoint_hash, isVerified: true, created_at, ...reached }
}

type AlertChannelsRow = Omit<Tables['alert_channels'], 'failures'>

/**
 * Connects a channel. The same address again replaces its target; it counts as reachable then, and
 * failed alerts are due at once. Throws conflict for more than 20, and unauthenticated when the
 * caller's session has ended.
 */
export async function addChannel(
  db: Db,
  key: SecretKey,
  accountId: string,
  channel: NewChannel,
  now: Date,
  credential?: Credential,
): Promise<ChannelView> {
  return inTransaction(db, async (trx) => {
    if (credential) await assertLiveCaller(trx, { accountId, credential })
    return connect(trx, key, accountId, channel, now)
  })
}

/** Connects a channel like `addChannel`, as a step of a transaction. */
export async function connect(
  trx: Trx,
  key: SecretKey,
  accountId: string,
  { kind, name, address, target }: NewChannel,
  now: Date,
): Promise<ChannelView> {
  const address_hash = hashOf(key, kind, address)
  if (kind === 'push') await takeFromOthers(trx, accountId, address_hash)
  const known = await findByAddress(trx, accountId, { kind, address_hash })
  const id = known?.id ?? randomId()
  const sealed = seal(key, id, JSON.stringify({ name, target }))
  if (!known) await assertRoom(trx, accountId)
  const row = { id, account_id: accountId, kind, address_hash, created_at: toInstant(now) }
  const reached = { target: sealed, ...IS_WELL }
  const added = await trx
    .insertInto('alert_channels')
    .values({ ...row, ...reached })
    .onConflict((each) => each.column('id').doUpdateSet(reached))
    .returningAll()
    .executeTakeFirstOrThrow()
  if (known) await tryAgainSoon(trx, id, now)
  return toView(key, added)
}

/** Takes a browser's address from other accounts: alerts of an earlier user must not reach the present one. */
async function takeFromOthers(trx: Trx, accountId: string, address_hash: string): Promise<void> {
  await trx
    .deleteFrom('alert_channels')
    .where('kind', '=', 'push')
    .where('address_hash', '=', address_hash)
    .where('account_id', '!=', accountId)
    .execute()
}

/**
 * Changes the target of a channel of the caller; it counts as reachable then, and failed alerts are
 * due at once. `change` makes the new target of the present one. Throws not_found, unavailable for
 * one that another key sealed, conflict for an address that the account has connected already, and
 * unauthenticated when the caller's session has ended.
 */
export async function changeChannel(
  db: Db,
  key: SecretKey,
  caller: Caller,
  id: string,
  change: (target: object) => NewChannel,
  now: Date,
): Promise<void> {
  const { accountId } = caller
  await inTransactionOf(db, caller, async (trx) => {
    const present = await getTarget(trx, key, accountId, id)
    const { kind, name, address, target } = change(present.target)
    const address_hash = hashOf(key, kind, address)
    const twin = await findByAddress(trx, accountId, { kind, address_hash })
    if (twin && twin.id !== id) throw new DomainError('conflict.channel_connected')
    await trx
      .updateTable('alert_channels')
      .set({ ...IS_WELL, address_hash, target: seal(key, id, JSON.stringify({ name, target })) })
      .where('id', '=', id)
      .execute()
    await tryAgainSoon(trx, id, now)
  })
}

async function findByAddress(
  trx: Trx,
  accountId: string,
  { kind, address_hash }: Pick<Tables['alert_channels'], 'kind' | 'address_hash'>,
): Promise<{ id: string } | undefined> {
  return trx
    .selectFrom('alert_channels')
    .select('id')
    .where('account_id', '=', accountId)
    .where('kind', '=', kind)
    .where('address_hash', '=', address_hash)
    .executeTakeFirst()
}

async function assertRoom(trx: Trx, accountId: string): Promise<void> {
  const count = await countRows(
    trx
      .selectFrom('alert_channels')
      .where('account_id', '=', accountId)
      .where('kind', '!=', 'email'),
  )
  if (count >= MOST_CHANNELS)
    throw new DomainError({ code: 'conflict.too_many_channels', values: { most: MOST_CHANNELS } })
}

function hashOf(key: SecretKey, kind: ConnectedKind, address: string): string {
  return keyedHash(key, 'alert channel', kind, address)
}

/** Removes a channel with its waiting alerts. Throws not_found. */
export async function removeChannel(db: Db, accountId: string, id: string): Promise<void> {
  await inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('alert_channels')
      .where('id', '=', id)
      .where('account_id', '=', accountId)
      .where('kind', '!=', 'email')
      .executeTakeFirst()
    if (!numDeletedRows) throw channelNotFound()
  })
}

/**
 * Removes the channels that an account connected, and its code for Telegram. An intruder may have
 * connected them, and would go on reading finders' messages. Returns their kinds.
 */
export async function endChannels(db: DbOrTrx, accountId: string): Promise<ConnectedKind[]> {
  await db.deleteFrom('telegram_codes').where('account_id', '=', accountId).execute()
  const rows = await db
    .deleteFrom('alert_channels')
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'email')
    .returning('kind')
    .execute()
  const ended = new Set<ChannelKind>(rows.map(({ kind }) => kind))
  return CONNECTED_KINDS.filter((kind) => ended.has(kind))
}

/** Removes all channels of a kind with an address, of any account. Returns their number. */
export async function removeAddress(
  db: Db,
  key: SecretKey,
  { kind, address }: Pick<NewChannel, 'kind' | 'address'>,
): Promise<number> {
  return inTransaction(db, async (trx) => {
    const { numDeletedRows } = await trx
      .deleteFrom('alert_channels')
      .where('kind', '=', kind)
      .where('address_hash', '=', hashOf(key, kind, address))
      .executeTakeFirst()
    return Number(numDeletedRows)
  })
}

/** Lists the targets of the channels of a kind with an address, of any account. */
export async function listTargets(
  db: DbOrTrx,
  key: SecretKey,
  { kind, address }: Pick<NewChannel, 'kind' | 'address'>,
): Promise<object[]> {
  const rows = await db
    .selectFrom('alert_channels')
    .select(['id', 'target'])
    .where('kind', '=', kind)
    .where('address_hash', '=', hashOf(key, kind, address))
    .execute()
  return rows.flatMap((row) => openTarget(key, row)?.target ?? [])
}

/** Returns the target of an account's channel. Throws not_found, and unavailable for one that another key sealed. */
export async function getTarget(
  db: DbOrTrx,
  key: SecretKey,
  accountId: string,
  id: string,
): Promise<{ kind: ConnectedKind; target: object; sealed: string | null }> {
  const row = await db
    .selectFrom('alert_channels')
    .selectAll()
    .where('id', '=', id)
    .where('account_id', '=', accountId)
    .executeTakeFirst()
  if (!row || row.kind === 'email') throw channelNotFound()
  const opened = openTarget(key, row)
  if (!opened) throw new DomainError('unavailable.channel_key')
  return { kind: row.kind, target: opened.target, sealed: row.target }
}

export function channelNotFound(): DomainError {
  return new DomainError('not_found.channel')
}
