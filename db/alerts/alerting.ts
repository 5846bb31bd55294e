import type { Selectable } from 'kysely'
import { noteDue } from '#db/alerts/channel-state.ts'
import { NO_MAIL, noteDelivery } from '#db/alerts/deliveries.ts'
import { getAlertSettings } from '#db/alerts/settings.ts'
import { nameAlert } from '#db/brands/child-mails.ts'
import { fromFlag, secondsAfter, toInstant } from '#db/cast.ts'
import type { Trx } from '#db/client.ts'
import type { Instant, Tables } from '#db/schema.ts'
import { sealMail } from '#db/sealed-mail.ts'
import { randomId, type SecretKey, seal } from '#db/secrets.ts'
import {
  type Alert,
  type AlertEvent,
  type ChannelKind,
  type Choice,
  lifeOf,
} from '#domain/alerts/alert.ts'
import { endOfQuiet, waitsInQuietHours } from '#domain/alerts/quiet-hours.ts'
import type { MailText } from '#domain/mail.ts'
import { hasWebhooks } from '#domain/plans/plan.ts'
import { planNow } from '#domain/plans/term.ts'

/** An alert for an account, and the mail that says the same. */
export type NewAlert = {
  accountId: string
  alert: Alert
  mail: MailText
  /** when it happened; now, if that is not said */
  at?: Date
  /** until when it waits on a channel (null for e-mail), quiet hours apart */
  dueAt?: (channelId: string | null) => Instant
  /** the share by which a person hears of a code of another */
  shareId?: string
  /** whether it comes by e-mail where the account chose no channel */
  isAlwaysMailed?: boolean
  /** of an alert that told another account of the same */
  causeId?: string | undefined
}

/** A queued alert: its last row is due at `dueAt`. */
export type QueuedAlert = { causeId: string; dueAt: Instant }

export type AlertRules = {
  key: SecretKey
  now: Date
  timezone: string
  /** whether there is a mail server */
  canMail: boolean
  /** whether other channels have had enough of such alerts */
  isByMailAlone?: boolean
}

/** The content of a delivery to a channel, as JSON in a row of the outbox. */
export type DeliveryContent = { at: Instant; alert: Alert }

/**
 * Puts an alert into the outbox as a step of the transaction of its cause: a row for each channel of the
 * account that is to get it, held back until the end of quiet hours if it has to wait. Returns undefined when
 * no channel is to get it.
 */
export async function alertAccount(
  trx: Trx,
  { accountId, at, dueAt, shareId, isAlwaysMailed, causeId = randomId(), ...written }: NewAlert,
  rules: AlertRules,
): Promise<QueuedAlert | undefined> {
  const { key, now, timezone, canMail, isByMailAlone } = rules
  const { alert, mail } = await nameAlert(trx, written, accountId, now)
  const { choices, sharedChoices, quietHours } = await getAlertSettings(trx, accountId)
  const kinds = (shareId ? sharedChoices : choices)[alert.event]
  const to = await listTargets(trx, accountId, { event: alert.event, kinds, isAlwaysMailed, now })
  const address = canMail ? to.address : undefined
  const timesOf = (channelId: string | null) => {
    const wanted = new Date(dueAt ? Math.max(Date.parse(dueAt(channelId)), now.getTime()) : now)
    const quiet = waitsInQuietHours(alert) ? endOfQuiet(wanted, quietHours, timezone) : undefined
    const due = quiet ?? wanted
    const expires_at = toInstant(secondsAfter(due, lifeOf(alert.event)))
    return { created_at: toInstant(now), next_attempt_at: toInstant(due), expires_at }
  }
  const about = {
    cause_id: causeId,
    event: alert.event,
    account_id: accountId,
    qr_id: alert.qr_id,
    share_id: shareId ?? null,
    attempts: 0,
  }
  const content: DeliveryContent = { at: toInstant(at ?? now), alert }
  const dues: Instant[] = []
  if (address) {
    const times = timesOf(null)
    dues.push(times.next_attempt_at)
    await putMail(trx, { ...about, ...times, ...mail, recipient: address }, key)
  }
  for (const channel of isByMailAlone ? [] : to.channels) {
    const times = timesOf(channel.id)
    dues.push(times.next_attempt_at)
    await putDelivery(trx, { ...about, ...times, channel, content }, key)
  }
  const last = dues.sort().at(-1)
  return last ? { causeId, dueAt: last } : undefined
}

type To = { address: string | undefined; channels: Pick<Tables['alert_channels'], 'id' | 'kind'>[] }

/**
 * Returns the targets of an event: the verified address of an account and its channels, as they are wanted. A blocked
 * account hears of its security alone, and by e-mail: it may be blocked because somebody took it over.
 */
async function listTargets(
  trx: Trx,
  accountId: string,
  {
    event,
    kinds: isWanted,
    isAlwaysMailed,
    now,
  }: {
    event: AlertEvent
    kinds: Record<ChannelKind, boolean>
    isAlwaysMailed: boolean | undefined
    now: Date
  },
): Promise<To> {
  const account = await trx
    .selectFrom('accounts')
    .select(['email', 'email_verified_at', 'is_active'])
    .select(['subscription_plan', 'term_plan', 'term_ends_at'])
    .where('id', '=', accountId)
    .executeTakeFirst()
  // It was deleted meanwhile.
  if (!account) return { address: undefined, channels: [] }
  const isActive = fromFlag(account.is_active)
  const canMail = account.email_verified_at && (isActive || event === 'security')
  const address = (canMail && account.email) || undefined
  const chosen = isWanted.email ? address : undefined
  if (!isActive) return { address: chosen, channels: [] }
  const channels = await trx
    .selectFrom('alert_channels')
    .select(['id', 'kind'])
    .where('account_id', '=', accountId)
    .where('kind', '!=', 'email')
    .execute()
  const canHook = hasWebhooks(planNow(account, now))
  const wanted = channels.filter(({ kind }) => isWanted[kind] && (kind !== 'webhook' || canHook))
  return {
    address: isAlwaysMailed && wanted.length === 0 ? address : chosen,
    channels: wanted,
  }
}

type Row = Omit<
  Selectable<Tables['outbox']>,
  'id' | 'kind' | 'channel_id' | 'text' | 'html' | 'subject' | 'recipient' | 'sender_name'
>

async function putMail(
  trx: Trx,
  {
    subject,
    text,
    html,
    sender: sender_name = null,
    recipient,
    ...row
  }: Row & MailText & { recipient: string },
  key: SecretKey,
): Promise<void> {
  const id = randomId()
  const sealed = sealMail(key, id, { subject, text, html })
  const to = { kind: 'email', channel_id: null, recipient } as const
  await trx
    .insertInto('outbox')
    .values({ ...row, ...to, ...sealed, sender_name, id })
    .execute()
}

async function putDelivery(
  trx: Trx,
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
  await noteDue(trx, channel.id, row.next_attempt_at)
  if (channel.kind !== 'webhook') return
  const { qr_id, created_at, share_id } = row
  const event = content.alert.event
  const about = { qr_id, event, created_at, share_id, content: text }
  await noteDelivery(trx, { id, channel_id: channel.id, ...about })
}

/** Takes back waiting alerts of a blocked account, except mails about its security. */
export async function withdrawFromBlocked(trx: Trx, accountId: string): Promise<void> {
  const rows = await trx
    .deleteFrom('outbox')
    .where('account_id', '=', accountId)
    .where(({ eb, or }) => or([eb('event', '!=', 'security'), eb('kind', '!=', 'email')]))
    .returning('id')
    .execute()
  await forgetDeliveries(trx, rows)
}

/** Takes back waiting alerts that the account has switched off. */
export async function withdrawUnwanted(
  trx: Trx,
  accountId: string,
  choices: readonly Choice[],
): Promise<void> {
  const off = choices.filter(({ isOn }) => !isOn)
  if (off.length === 0) return
  const rows = await trx
    .deleteFrom('outbox')
    .where('account_id', '=', accountId)
    .where(({ eb, or, and }) =>
      or(
        off.map(({ event, kind, isShared }) =>
          and([
            eb('event', '=', event),
            eb('kind', '=', kind),
            eb('share_id', isShared ? 'is not' : 'is', null),
          ]),
        ),
      ),
    )
    .returning('id')
    .execute()
  await forgetDeliveries(trx, rows)
}

/** Takes back the waiting alerts of some causes. */
export async function withdraw(trx: Trx, causeIds: string[]): Promise<void> {
  if (causeIds.length === 0) return
  const rows = await trx
    .deleteFrom('outbox')
    .where('cause_id', 'in', causeIds)
    .returning('id')
    .execute()
  await forgetDeliveries(trx, rows)
}

/** Takes back some waiting alerts, except those that a sender has claimed. */
export async function withdrawUntried(trx: Trx, ids: string[]): Promise<void> {
  if (ids.length === 0) return
  const rows = await trx
    .deleteFrom('outbox')
    .where('id', 'in', ids)
    .where('attempts', '=', 0)
    .returning('id')
    .execute()
  await forgetDeliveries(trx, rows)
}

/** Removes alerts that are taken back from the lists of webhooks. */
async function forgetDeliveries(trx: Trx, rows: { id: string }[]): Promise<void> {
  if (rows.length === 0) return
  const ids = rows.map(({ id }) => id)
  await trx.deleteFrom('webhook_deliveries').where('id', 'in', ids).execute()
}
