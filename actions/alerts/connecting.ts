import { randomBytes } from 'node:crypto'
import type { ActionDeps } from '#actions/deps.ts'
import type { Caller, Credential } from '#db/accounts/credentials.ts'
import {
  addChannel,
  type ChannelView,
  changeChannel,
  channelNotFound,
  getTarget,
  type NewChannel,
} from '#db/alerts/channels.ts'
import { makeTelegramCode } from '#db/alerts/telegram-codes.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { Account, Instant } from '#db/schema.ts'
import { browserName } from '#domain/accounts/browser-name.ts'
import { type ConnectedKind, TELEGRAM_CODE_SECONDS } from '#domain/alerts/alert.ts'
import {
  addressName,
  assertWebhooks,
  requireAddress,
  requireTopic,
  SECRET_BYTES,
  SECRET_PREFIX,
  webhookSecretProblem,
} from '#domain/alerts/connecting.ts'
import { type Subscription, toPushTarget } from '#domain/alerts/push.ts'
import { DomainError } from '#domain/error.ts'
import type { WebhookTarget } from '#mail/channels/channel.ts'
import { createGuard } from '#mail/guarded-request.ts'

/** A channel as its owner describes it; the type determines which fields count. */
type WantedChannel = {
  type: Exclude<ConnectedKind, 'telegram'>
  url: string | null
  token: string | null
  secret: string | null
  subscription?: Subscription | null | undefined
  /** names the device of a push subscription */
  userAgent: string | undefined
}

type Owner = Pick<Account, 'id' | 'subscription_plan'> & { credential: Credential }
/** `secret` is one that this call generated. No other answer contains it. */
export type Connected = { channel: ChannelView; secret?: string }

/**
 * Connects a channel, or updates the one with the same address. Throws invalid for an
 * address that cannot be used, forbidden for a plan without webhooks, conflict for too many channels,
 * unavailable for a channel that this installation does not have, and unauthenticated when the caller's
 * session has ended.
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
  if (!subscription) throw new DomainError('invalid.subscription_missing')
  const target = toPushTarget(subscription)
  const address = await createGuard(config).check(target.endpoint, { httpsOnly: true })
  return { kind: 'push', name: browserName(userAgent) ?? 'A browser', address, target }
}

async function toNtfy(
  { config }: ActionDeps,
  { url: typed, token }: WantedChannel,
): Promise<NewChannel> {
  const url = requireTopic(await createGuard(config).check(requireAddress(typed)))
  return { kind: 'ntfy', name: addressName(url), address: url, target: { url, token } }
}

/** Replaces the secret of an owner's webhook. Only this answer contains the new one. Throws not_found, and the errors of `connectChannel`. */
export async function renewSecret(
  deps: ActionDeps,
  owner: Owner,
  channelId: string,
): Promise<{ secret: string }> {
  await assertOwnWebhook(deps, owner, channelId)
  const secret = newSecret()
  await changeWebhook(deps, owner, channelId, { secret })
  return { secret }
}

/** Changes the URL of an owner's webhook. Throws not_found, and the errors of `connectChannel`. */
export async function moveWebhook(
  deps: ActionDeps,
  owner: Owner,
  channelId: string,
  typed: string | null,
): Promise<void> {
  await assertOwnWebhook(deps, owner, channelId)
  const url = await createGuard(deps.config).check(requireAddress(typed))
  await changeWebhook(deps, owner, channelId, { url })
}

async function assertOwnWebhook(
  { db, secretKey }: ActionDeps,
  owner: Owner,
  channelId: string,
): Promise<void> {
  const { kind } = await getTarget(db, secretKey, owner.id, channelId)
  if (kind !== 'webhook') throw channelNotFound()
  assertWebhooks(owner)
}

async function changeWebhook(
  { db, secretKey, clock, outbox }: ActionDeps,
  { id: accountId, credential }: Owner,
  channelId: string,
  change: Partial<WebhookTarget>,
): Promise<void> {
  const changed = (target: object) => toWebhook({ ...(target as WebhookTarget), ...change })
  await changeChannel(db, secretKey, { accountId, credential }, channelId, changed, clock())
  outbox.wake()
}

async function connectWebhook(
  deps: ActionDeps,
  owner: Owner,
  typedUrl: string,
  typedSecret: string | null,
): Promise<Connected> {
  assertWebhooks(owner)
  assertAvailable(deps, 'webhook')
  const problem = typedSecret === null ? undefined : webhookSecretProblem(typedSecret)
  if (problem) throw new DomainError(problem)
  const url = await createGuard(deps.config).check(typedUrl)
  const secret = typedSecret ?? newSecret()
  const channel = await add(deps, owner, toWebhook({ url, secret }))
  return typedSecret === null ? { channel, secret } : { channel }
}

function newSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64')
}

function toWebhook(target: WebhookTarget): NewChannel {
  return { kind: 'webhook', name: addressName(target.url), address: target.url, target }
}

function add({ db, secretKey, clock }: ActionDeps, { id, credential }: Owner, channel: NewChannel) {
  return addChannel(db, secretKey, id, channel, clock(), credential)
}

function assertAvailable({ channels }: ActionDeps, kind: ConnectedKind): void {
  if (channels[kind]?.isAvailable) return
  throw new DomainError('unavailable.channel_kind')
}

export type Invitation = { connect_url: string; expires_at: Instant }

/**
 * Creates a link that works once and connects a chat of Telegram to the caller's account. Throws unavailable
 * without a bot or when Telegram does not answer, and unauthenticated when the caller's session has ended.
 */
export async function inviteTelegram(
  deps: ActionDeps,
  { accountId, credential }: Caller,
): Promise<Invitation> {
  const { db, clock, telegram } = deps
  if (!telegram) throw new DomainError('unavailable.channel_kind')
  const bot = await telegram.botName()
  if (!bot) throw new DomainError('unavailable.telegram')
  const now = clock()
  const code = await makeTelegramCode(db, accountId, now, credential)
  const expires_at = toInstant(secondsAfter(now, TELEGRAM_CODE_SECONDS))
  return { connect_url: `https://t.me/${bot}?start=${code}`, expires_at }
}
