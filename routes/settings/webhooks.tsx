import { Hono } from 'hono'
import type { ReactElement } from 'react'
import { moveWebhook, renewSecret } from '#actions/alerts/connecting.ts'
import { NewSecret, WebhookSecret } from '#components/alerts/channel-dialogs.tsx'
import { type AddressView, type DeliveryRow, Webhook } from '#components/alerts/webhook-page.tsx'
import { type About, placeBy } from '#components/forms/place-problem.ts'
import { type ChannelView, getTarget } from '#db/alerts/channels.ts'
import { type ListedDelivery, listDeliveries } from '#db/alerts/deliveries.ts'
import type { DomainError } from '#domain/error.ts'
import { webhookHref } from '#domain/settings.ts'
import { cleanLine } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import type { WebhookTarget } from '#mail/channels/channel.ts'
import { sendDeliveryAgain, sendTest } from '#routes/_http/alerts/channels.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { getOwnChannel } from '#routes/settings/_channel-dialogs.tsx'
import { toRow } from '#routes/settings/_channel-rows.tsx'
import type { Done } from '#routes/settings/_done.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The page of each webhook, with its address and its deliveries. */
export const webhookPages = new Hono<AppEnv>()

webhookPages.get('/:id', (c) => {
  const id = c.req.param('id')
  return render(c, id, { dialog: c.req.query('secret') ? <NewSecret id={id} /> : undefined })
})

/** The secret is in this answer alone, so it is no redirect. */
webhookPages.post('/:id/secret', (c) => {
  const id = c.req.param('id')
  return perform(c, {
    act: () => {
      limit(c, 'alert-connect')
      return renewSecret(loggedDeps(c), ownerOf(c), id)
    },
    done: ({ secret = '' }) => render(c, id, { dialog: <WebhookSecret secret={secret} /> }),
    refused: (refusal) => render(c, id, { refusal }),
  })
})

function ownerOf(c: AppContext) {
  return { ...requireAccount(c), ...requireCaller(c) }
}

/** Gives the webhook another address. */
webhookPages.post('/:id', async (c) => {
  const typed = (await readForm(c)).form.url ?? ''
  return performOn(c, 'moved', (id) => move(c, id, typed), { typed })
})

async function move(c: AppContext, id: string, typed: string): Promise<void> {
  // Each may ask a name server.
  limit(c, 'alert-connect')
  await moveWebhook(loggedDeps(c), ownerOf(c), id, cleanLine(typed))
}

webhookPages.post('/:id/test', (c) => performOn(c, 'tested', (id) => sendTest(c, id)))

webhookPages.post('/:id/deliveries/:delivery_id/again', (c) => {
  const deliveryId = c.req.param('delivery_id')
  return performOn(c, 'again', (channelId) => sendDeliveryAgain(c, { channelId, deliveryId }), {
    at: deliveryId,
  })
})

/** Performs a form of the webhook in the path. */
function performOn(
  c: AppContext,
  done: Done,
  act: (id: string) => Promise<void>,
  about: Pick<State, 'at' | 'typed'> = {},
): Promise<Response> {
  const id = c.req.param('id') ?? ''
  return perform(c, {
    act: () => act(id),
    done: () => webhookHref(id, { done, ...(about.at && { at: about.at }) }),
    refused: (refusal) => render(c, id, { refusal, ...about }),
  })
}

type State = {
  dialog?: ReactElement | undefined
  refusal?: DomainError
  /** the address that was typed */
  typed?: string
  at?: string
}

const ABOUT: About<'url'> = [[/address|url/i, 'url']]

async function render(c: AppContext, id: string, state: State): Promise<Response> {
  const { refusal, typed, ...rest } = state
  const channel = await getOwnChannel(c, id)
  const { at, elsewhere } = placeBy(typed === undefined ? [] : ABOUT, refusal?.message)
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
