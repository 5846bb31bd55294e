import { Hono } from 'hono'
import { moveWebhook, renewSecret } from '#actions/alerts/connecting.ts'
import { NewSecret, WebhookSecret } from '#components/alerts/channel-dialogs.tsx'
import { webhookHref } from '#domain/settings.ts'
import { cleanLine } from '#domain/text.ts'
import { sendDeliveryAgain, sendTest } from '#routes/_http/alerts/channels.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderWebhook, type State } from '#routes/settings/_webhook.tsx'

/** The page of each webhook, with its address and its deliveries. */
export const webhookPages = new Hono<AppEnv>()

webhookPages.get('/:id', (c) => {
  const id = c.req.param('id')
  return renderWebhook(c, id, { dialog: c.req.query('secret') ? <NewSecret id={id} /> : undefined })
})

/** The secret is in this answer alone, so it is no redirect. */
webhookPages.post('/:id/secret', (c) => {
  const id = c.req.param('id')
  return perform(c, {
    act: () => {
      limit(c, 'alert-connect')
      return renewSecret(loggedDeps(c), ownerOf(c), id)
    },
    done: ({ secret = '' }) => renderWebhook(c, id, { dialog: <WebhookSecret secret={secret} /> }),
    refused: (refusal) => renderWebhook(c, id, { refusal }),
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
    refused: (refusal) => renderWebhook(c, id, { refusal, ...about }),
  })
}
