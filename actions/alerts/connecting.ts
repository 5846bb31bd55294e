import { randomBytes } from 'node:crypto'
import type { ActionDeps } from '#actions/deps.ts'
import type { Caller, Credential } from '#db/accounts/credentials.ts'
import {
  addChannel,
  type ChannelView,
  channelNotFound,
  getTarget,
  type NewChannel,
} from '#db/alerts/channels.ts'
import { makeTelegramCode } from '#db/alerts/telegram-codes.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Account, Instant } from '#db/schema.ts'
import { type ConnectedKind, TELEGRAM_CODE_SECONDS } from '#domain/alerts/alert.ts'
import {
  addressName,
  assertWebhooks,
  CONNECT_TEXTS,
  requireAddress,
  requireTopic,
  SECRET_BYTES,
  SECRET_PREFIX,
  webhookSecretProblem,
} from '#domain/alerts/connecting.ts'
import { deviceName } from '#domain/alerts/device-name.ts'
import { type Subscription, toPushTarget } from '#domain/alerts/push.ts'
import { DomainError } from '#domain/error.ts'
import type { WebhookTarget } from '#mail/channels/channel.ts'
import { createGuard } from '#mail/guarded-request.ts'

/** What somebody says of a channel; which of it counts depends on the type. */
export type WantedChannel = {
  type: Exclude<ConnectedKind, 'telegram'>
  url: string | null
  token: string | null
  secret: string | null
  subscription?: Subscription | null | undefined
  /** names the device of a push subscription */
  userAgent: string | undefined
}

type Owner = Pick<Account, 'id' | 'subscription_plan'> & { credential: Credential }
/** `secret` is one that was made, in this answer alone. */
export type Connected = { channel: ChannelView; secret?: string }

/**
 * Connects a channel, or changes what is known of the one with the same address. Throws invalid for an
 * address that cannot be used, forbidden for a plan without webhooks, conflict for too many channels,
 * unavailable for a channel that this installation does not have, and unauthenticated when the caller's
 * session has ended meanwhile.
 */
export async function connectChannel(
  deps: ActionDeps,
  owner: Owner,
  wanted: WantedChannel,
): Promise<Connected> {
  if (wanted.type === 'webhook') {
    return connectWebhook(deps, owner, requireAddress(wanted.url), wanted.secret)
  }
  assertAvailable(deps, wanted.type)
  const channel = wanted.type === 'push' ? await toPush(deps, wanted) : await toNtfy(deps, wanted)
  return { channel: await add(deps, owner, channel) }
}

async function toPush(
  { config }: ActionDeps,
  { subscription, userAgent }: WantedChannel,
): Promise<NewChannel> {
  if (!subscription) throw new DomainError('invalid', CONNECT_TEXTS.noSubscription)
  const target = toPushTarget(subscription)
  const address = await createGuard(config).check(target.endpoint, { httpsOnly: true })
  return { kind: 'push', name: deviceName(userAgent), address, target }
}

async function toNtfy(
  { config }: ActionDeps,
  { url: typed, token }: WantedChannel,
): Promise<NewChannel> {
  const url = requireTopic(await createGuard(config).check(requireAddress(typed)))
  return { kind: 'ntfy', name: addressName(url), address: url, target: { url, token } }
}

/** Gives a webhook of the account a new secret. Throws as `connectChannel`, and not_found. */
export async function renewSecret(
  deps: ActionDeps,
  owner: Owner,
  channelId: string,
): Promise<Connected> {
  const { kind, target } = await getTarget(deps.db, deps.secretKey, owner.id, channelId)
  if (kind !== 'webhook') throw channelNotFound()
  assertWebhooks(owner)
  const { url } = target as WebhookTarget
  return addWebhook(deps, owner, url, null)
}

async function connectWebhook(
  deps: ActionDeps,
  owner: Owner,
  typed: string,
  own: string | null,
): Promise<Connected> {
  assertWebhooks(owner)
  assertAvailable(deps, 'webhook')
  const problem = own === null ? undefined : webhookSecretProblem(own)
  if (problem) throw new DomainError('invalid', problem)
  return addWebhook(deps, owner, await createGuard(deps.config).check(typed), own)
}

async function addWebhook(
  deps: ActionDeps,
  owner: Owner,
  url: string,
  own: string | null,
): Promise<Connected> {
  const secret = own ?? SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
  const target = { url, secret }
  const added = { kind: 'webhook', name: addressName(url), address: url, target } as const
  const channel = await add(deps, owner, added)
  return own === null ? { channel, secret } : { channel }
}

function add({ db, secretKey, clock }: ActionDeps, { id, credential }: Owner, channel: NewChannel) {
  return addChannel(db, secretKey, id, channel, clock(), credential)
}

function assertAvailable({ channels }: ActionDeps, kind: ConnectedKind): void {
  if (channels[kind]?.isAvailable) return
  throw new DomainError('unavailable', CONNECT_TEXTS.notAvailable)
}

export type Invitation = { connect_url: string; expires_at: Instant }

/**
 * The link by which a chat of Telegram is connected to an account, once. Throws unavailable, and
 * unauthenticated when the caller's session has ended.
 */
export async function inviteTelegram(
  deps: ActionDeps,
  { accountId, credential }: Caller,
): Promise<Invitation> {
  const { db, clock, telegram } = deps
  if (!telegram) throw new DomainError('unavailable', CONNECT_TEXTS.notAvailable)
  const bot = await telegram.botName()
  if (!bot) throw new DomainError('unavailable', CONNECT_TEXTS.noTelegram)
  const now = clock()
  const code = await makeTelegramCode(db, accountId, now, credential)
  const expires_at = toInstant(secondsAfter(now, TELEGRAM_CODE_SECONDS))
  return { connect_url: `https://t.me/${bot}?start=${code}`, expires_at }
}
