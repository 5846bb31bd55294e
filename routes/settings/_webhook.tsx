import type { ReactElement } from 'react'
import { ABOUT_ADDRESS } from '#components/alerts/channel-dialogs.tsx'
import { type AddressView, type DeliveryRow, Webhook } from '#components/alerts/webhook-page.tsx'
import { placeBy } from '#components/forms/place-problem.ts'
import { type ChannelView, getTarget } from '#db/alerts/channels.ts'
import { type ListedDelivery, listDeliveries } from '#db/alerts/deliveries.ts'
import type { DomainError } from '#domain/error.ts'
import { formatDateTime } from '#domain/time.ts'
import type { WebhookTarget } from '#mail/channels/channel.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { getOwnChannel } from '#routes/settings/_channel-dialogs.tsx'
import { toRow } from '#routes/settings/_channel-rows.tsx'
import { renderSettings } from '#routes/settings/_page.tsx'

export type State = {
  dialog?: ReactElement | undefined
  refusal?: DomainError
  /** the address that was typed */
  typed?: string
  at?: string
}

/** Renders the page of a webhook, with a refusal or a dialog. Throws not_found. */
export async function renderWebhook(c: AppContext, id: string, state: State): Promise<Response> {
  const { refusal, typed, ...rest } = state
  const channel = await getOwnChannel(c, id)
  const { at, elsewhere } = placeBy(typed === undefined ? {} : ABOUT_ADDRESS, refusal)
  const frame = { page: 'notifications', title: 'Webhook', isBelow: true } as const
  return renderSettings(c, { ...frame, refusal: elsewhere, ...rest }, async () => {
    const url = typed ?? (await urlOf(c, channel))
    return renderPanel(c, channel, { url, problem: at.url })
  })
}

/** Returns the whole address, which lists shorten; empty when it cannot be read any more. */
async function urlOf(c: AppContext, { id, name }: ChannelView): Promise<string> {
  if (name === null) return ''
  const { db, secretKey } = c.var.deps
  const { target } = await getTarget(db, secretKey, requireAccount(c).id, id)
  return (target as WebhookTarget).url
}

async function renderPanel(c: AppContext, channel: ChannelView, address: AddressView) {
  const account = requireAccount(c)
  const deliveries = await listDeliveries(c.var.deps.db, account.id, channel.id)
  return (
    <Webhook
      row={toRow(c, account, channel)}
      address={address}
      deliveries={deliveries.map((each) => toDeliveryRow(c, each))}
    />
  )
}

function toDeliveryRow(c: AppContext, delivery: ListedDelivery): DeliveryRow {
  const { id, type, created_at, attempts } = delivery
  const time = formatDateTime(created_at, c.var.deps.config.timezone)
  return { id, type, time, attempts, answer: answerOf(c, delivery) }
}

function answerOf(
  c: AppContext,
  { status, answer, next_try_at }: ListedDelivery,
): DeliveryRow['answer'] {
  if (status === 'delivered') return { tone: 'go', text: answer ?? 'Delivered' }
  if (status === 'failed') return { tone: 'stop', text: answer ?? 'Given up' }
  const again = next_try_at && formatDateTime(next_try_at, c.var.deps.config.timezone)
  const next = again ? `Waiting, next try ${again}` : 'Waiting'
  return { tone: 'warn', text: answer ? `${answer}. ${next}` : next }
}
