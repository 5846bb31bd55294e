import { Hono } from 'hono'
import { saveAlertSettings } from '#actions/alerts/settings.ts'
import { ConnectTelegram, WebhookSecret } from '#components/alerts/channel-dialogs.tsx'
import { rowId } from '#components/alerts/channel-rows.tsx'
import { removeChannel } from '#db/alerts/channels.ts'
import type { QuietHours } from '#domain/alerts/quiet-hours.ts'
import { settingsHref } from '#domain/settings.ts'
import { connect, newChannel, sendTest } from '#routes/_http/alerts/channels.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { connectDialog } from '#routes/settings/_channel-dialogs.tsx'
import type { Done } from '#routes/settings/_done.ts'
import { readAllChoices, renderNotifications } from '#routes/settings/_notifications.tsx'

/** The alerts of an account: which events, which channels, and the quiet hours. */
export const notificationPages = new Hono<AppEnv>()

notificationPages.get('/', (c) => renderNotifications(c))

notificationPages.post('/', async (c) => {
  const { form } = await readForm(c)
  const change = { choices: readAllChoices(form), quietHours: quietHoursIn(form) }
  return perform(c, {
    act: () => saveAlertSettings(c.var.deps, requireAccount(c).id, change),
    done: () => redirectDone(c, 'saved', 'save'),
    refused: (refusal) => renderNotifications(c, { refusal, typed: form }),
  })
})

function quietHoursIn({ quiet, from = '', to = '' }: Form): QuietHours | null {
  return quiet === 'on' ? { from: from.trim(), to: to.trim() } : null
}

function redirectDone(c: AppContext, done: Done, at = ''): Response {
  return redirectBack(c, settingsHref('notifications'), { done, at })
}

notificationPages.post('/channels', async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () => connect(c, parseForm(newChannel, form)),
    done: (connected) => answerConnected(c, connected),
    refused: (refusal) => {
      const refused = { typed: form, problem: refusal }
      return renderNotifications(c, { refusal, dialog: connectDialog(c, form.type, refused) })
    },
  })
})

/** A secret and a link that works once are in this answer alone, so it is no redirect. */
function answerConnected(c: AppContext, connected: Awaited<ReturnType<typeof connect>>) {
  if ('connect_url' in connected) {
    return renderNotifications(c, { dialog: <ConnectTelegram href={connected.connect_url} /> })
  }
  const { channel, secret } = connected
  if (!secret) return redirectDone(c, 'connected', rowId(channel.id))
  return renderNotifications(c, { dialog: <WebhookSecret secret={secret} /> })
}

notificationPages.post('/channels/:id/test', (c) => {
  const id = c.req.param('id')
  const at = rowId(id)
  return perform(c, {
    act: () => sendTest(c, id),
    done: () => redirectDone(c, 'tested', at),
    refused: (refusal) => renderNotifications(c, { refusal, at }),
  })
})

notificationPages.post('/channels/:id/remove', async (c) => {
  await removeChannel(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return redirectDone(c, 'removed')
})
