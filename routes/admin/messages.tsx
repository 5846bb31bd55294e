import { Hono } from 'hono'
import { MessageTextForm } from '#components/admin/message-text-form.tsx'
import {
  addAdminMessage,
  deleteAdminMessage,
  setMessageText,
  toggleAdminMessage,
} from '#db/admin/admin-messages.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { keyedId } from '#db/secrets.ts'
import { adminHref } from '#domain/admin/admin.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm, readSwitch, redirectBack } from '#routes/_http/forms.ts'
import { requireSuperAdmin } from '#routes/_http/guards.ts'
import { messageDialog } from '#routes/admin/_messages.tsx'
import { renderSystem, type SystemDone } from '#routes/admin/_system.tsx'

/** The forms for messages on the System tab; they call the same actions as the API. */
export const messageForms = new Hono<AppEnv>()

messageForms.post('/', async (c) => {
  const { db, clock, secretKey } = c.var.deps
  const account = requireSuperAdmin(c)
  const { title, content, form_key } = (await readForm(c)).form
  const typed = { title: cleanLine(title), content: cleanText(content) }
  const content_key = JSON.stringify(typed)
  const id = form_key ? keyedId(secretKey, 'admin message', form_key, content_key) : undefined
  return perform(c, {
    act: () => addAdminMessage(db, typed, actorOf(account), clock(), id),
    done: (added) => redirectDone(c, 'message-added', `message-${added.id}`),
    refused: ({ message }) => {
      const dialog = messageDialog({ typed: { title, content }, problem: message })
      return renderSystem(c, account, { dialog })
    },
  })
})

messageForms.post('/:id/toggle', async (c) => {
  const { db, clock } = c.var.deps
  const by = actorOf(requireSuperAdmin(c))
  const to = await readSwitch(c, 'is_active')
  const { is_active } = await toggleAdminMessage(db, c.req.param('id'), by, clock(), to)
  return redirectDone(
    c,
    is_active ? 'message-shown' : 'message-hidden',
    `shown-${c.req.param('id')}`,
  )
})

messageForms.post('/:id/text', async (c) => {
  const { db, clock } = c.var.deps
  const account = requireSuperAdmin(c)
  const id = c.req.param('id')
  const { lang = '', title, content } = (await readForm(c)).form
  const typed = { lang, title: cleanLine(title), content: cleanText(content) }
  return perform(c, {
    act: () => setMessageText(db, id, typed, actorOf(account), clock()),
    done: () => redirectDone(c, 'message-translated', `message-${id}`),
    refused: ({ message }) => {
      const state = { id, typed: { lang, title, content }, problem: message }
      return renderSystem(c, account, { dialog: <MessageTextForm {...state} /> })
    },
  })
})

messageForms.post('/:id/delete', async (c) => {
  const { db, clock } = c.var.deps
  await deleteAdminMessage(db, c.req.param('id'), actorOf(requireSuperAdmin(c)), clock())
  return redirectDone(c, 'message-deleted')
})

function redirectDone(c: AppContext, done: SystemDone, at = ''): Response {
  return redirectBack(c, adminHref('system'), { done, at })
}
