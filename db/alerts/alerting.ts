import type { Transaction } from 'kysely'
import { noteDue } from '#db/alerts/channels.ts'
import { noteDelivery } from '#db/alerts/deliveries.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { secondsAfter, toInstant } from '#db/cast.ts'
import type { AlertChannelsTable, Instant, OutboxTable, Tables } from '#db/schema.ts'
import { randomId, type SecretKey, seal } from '#db/secrets.ts'
import { type Alert, type ChannelKind, lifeOf } from '#domain/alerts/alert.ts'
import { endOfQuiet, waitsInQuietHours } from '#domain/alerts/quiet-hours.ts'
import type { MailText } from '#domain/mail.ts'

/** An alert for an account, and the mail that says the same. */
export type NewAlert = {
  accountId: string
  alert: Alert
  mail: MailText
  /** when it happened; now, if that is not said */
  at?: Date
  /** until when it waits, quiet hours apart */
  dueAt?: Instant
}

export type AlertRules = {
  key: SecretKey
  now: Date
  timezone: string
  /** whether there is a mail server */
  canMail: boolean
}

/** What is delivered to a channel, as JSON in a row of the outbox. */
export type DeliveryContent = { at: Instant; alert: Alert }

export const NO_MAIL = { recipient: null, subject: null, html: null }

/**
 * Puts an alert into the outbox as a step of the transaction of its cause: a row for each channel of the
 * account that is to get it, held back until the end of quiet hours if it has to wait. Returns the
 * `cause_id` of the rows; undefined when nobody is to be told.
 */
export async function alertAccount(
  trx: Transaction<Tables>,
  { accountId, alert, mail, at, dueAt }: NewAlert,
  rules: AlertRules,
): Promise<string | undefined> {
  const { now, timezone } = rules
  const { choices, quietHours } = await getAlertSettings(trx, accountId)
  const kinds = choices[alert.event]
  const to = await listTargets(trx, accountId, (kind) => kinds[kind])
  const address = kinds.email && rules.canMail ? to.address : undefined
  if (!address && to.channels.length === 0) return undefined
  const asked = dueAt && dueAt > toInstant(now) ? new Date(dueAt) : now
  const quiet = waitsInQuietHours(alert) ? endOfQuiet(asked, quietHours, timezone) : undefined
  const due = quiet ?? asked
  const cause_id = randomId()
  const row = {
    cause_id,
    event: alert.event,
    account_id: accountId,
    qr_id: alert.qr_id,
    attempts: 0,
    created_at: toInstant(now),
    next_attempt_at: toInstant(due),
    expires_at: toInstant(secondsAfter(due, lifeOf(alert.event))),
  }
  if (address) await putMail(trx, { ...row, ...mail, recipient: address }, rules.key)
  const content: DeliveryContent = { at: toInstant(at ?? now), alert }
  for (const channel of to.channels) await putDelivery(trx, { ...row, channel, content }, rules.key)
  const ids = to.channels.map(({ id }) => id)
  if (ids.length > 0) await noteDue(trx, ids, row.next_attempt_at)
  return cause_id
}

type To = { address: string | undefined; channels: Pick<AlertChannelsTable, 'id' | 'kind'>[] }

/** The verified address of an account, and those of its channels that are wanted. */
async function listTargets(
  trx: Transaction<Tables>,
  accountId: string,
  isWanted: (kind: ChannelKind) => boolean,
): Promise<To> {
  const account = await trx
    .selectFrom('accounts')
    .select(['email', 'email_verified_at', 'subscription_plan'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  const channels = await trx
    .selectFrom('alert_channels')
    .select(['id', 'kind'])
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'email')
    .execute()
  const canHook = account?.subscription_plan === 'enterprise'
  return {
    address: (account?.email_verified_at && account.email) || undefined,
    channels: channels.filter(({ kind }) => isWanted(kind) && (kind !== 'webhook' || canHook)),
  }
}

type Row = Omit<OutboxTable, 'id' | 'kind' | 'channel_id' | 'text' | 'html' | 'subject' | 'recipient'>

async function putMail(
  trx: Transaction<Tables>,
  { subject, text, html, recipient, ...row }: Row & MailText & { recipient: string },
  key: SecretKey,
): Promise<void> {
  const id = randomId()
  const sealed = { text: seal(key, id, text), html: seal(key, id, html) }
  const to = { kind: 'email', channel_id: null, recipient } as const
  await trx
    .insertInto('outbox')
    .values({ ...row, ...to, ...sealed, subject, id })
    .execute()
}

async function putDelivery(
  trx: Transaction<Tables>,
  { channel, content, ...row }: Row & { channel: To['channels'][number]; content: DeliveryContent },
  key: SecretKey,
): Promise<void> {
  const id = randomId()
  const text = seal(key, id, JSON.stringify(content))
  const to = { kind: channel.kind, channel_id: channel.id }
  await trx
    .insertInto('outbox')
    .values({ ...row, ...to, ...NO_MAIL, id, text })
    .execute()
  if (channel.kind !== 'webhook') return
  const { qr_id, created_at } = row
  const event = content.alert.event
  await noteDelivery(trx, { id, channel_id: channel.id, qr_id, event, created_at, content: text })
}
