import { Hono } from 'hono'
import { saveAlertSettings } from '#actions/alerts/settings.ts'
import { OFFERED_EVENTS } from '#components/alerts/alert-words.ts'
import { ConnectTelegram, WebhookSecret } from '#components/alerts/channel-dialogs.tsx'
import { rowId } from '#components/alerts/channel-rows.tsx'
import { removeChannel } from '#db/alerts/channels.ts'
import { readChoices } from '#domain/alerts/choice-form.ts'
import type { QuietHours } from '#domain/alerts/quiet-hours.ts'
import { settingsHref } from '#domain/settings.ts'
import { connect, sendTest } from '#routes/_http/alerts/channels.ts'
import { newChannel } from '#routes/_http/alerts/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, readForm } from '#routes/_http/forms.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { connectDialog } from '#routes/settings/_channel-dialogs.tsx'
import type { Done } from '#routes/settings/_done.ts'
import { renderNotifications } from '#routes/settings/_notifications.tsx'

/** What reaches an account, where, and when it waits. */
export const notificationPages = new Hono<AppEnv>()

notificationPages.get('/', (c) => renderNotifications(c))

notificationPages.post('/', async (c) => {
  const { form } = await readForm(c)
  const change = { choices: readChoices(form, OFFERED_EVENTS), quietHours: quietHoursIn(form) }
  const saving = saveAlertSettings(c.var.deps, requireAccount(c).id, change)
  const refusal = await refusalOf(saving)
  return refusal ? renderNotifications(c, { refusal, typed: form }) : leadBack(c, 'saved', 'save')
})

function quietHoursIn({ quiet, from = '', to = '' }: Form): QuietHours | null {
  return quiet === 'on' ? { from: from.trim(), to: to.trim() } : null
}

function leadBack(c: AppContext, done: Done, at = ''): Response {
  return c.redirect(settingsHref('notifications', { done, ...(at && { at }) }), 303)
}

/** A secret and a link that works once are in this answer alone, so it is no redirect. */
notificationPages.post('/channels', async (c) => {
  const { form } = await readForm(c)
  const act = async () => connect(c, parseForm(newChannel, form))
  const connecting = act()
  const refusal = await refusalOf(connecting)
  if (refusal) {
    const refused = { typed: form, problem: refusal.message }
    return renderNotifications(c, { refusal, dialog: connectDialog(c, form.type, refused) })
  }
  const connected = await connecting
  if ('connect_url' in connected) {
    return renderNotifications(c, { dialog: <ConnectTelegram href={connected.connect_url} /> })
  }
  const { channel, secret } = connected
  if (!secret) return leadBack(c, 'connected', rowId(channel.id))
  return renderNotifications(c, { dialog: <WebhookSecret secret={secret} /> })
})

notificationPages.post('/channels/:id/test', async (c) => {
  const id = c.req.param('id')
  const refusal = await refusalOf(sendTest(c, id))
  const at = rowId(id)
  return refusal ? renderNotifications(c, { refusal, at }) : leadBack(c, 'tested', at)
})

notificationPages.post('/channels/:id/remove', async (c) => {
  await removeChannel(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return leadBack(c, 'removed')
})
