import { z } from '@hono/zod-openapi'
import {
  addAdminMessage,
  deleteAdminMessage,
  listAdminMessages,
  setMessageText,
  toggleAdminMessage,
} from '#db/admin/admin-messages.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { adminMessageProblem, MESSAGE_TEXTS } from '#domain/admin/admin-message.ts'
import { cleanLine, cleanText, LENGTHS } from '#domain/text.ts'
import { LANGS } from '#locales/languages.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import { anyText, apiRouter, follows, payload, requires } from '#routes/_http/schema.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { adminCall } from '#routes/api/admin/_admin-call.ts'

const adminMessage = z
  .object({
    id: z.string(),
    title: z.string(),
    content: z.string(),
    is_active: z.boolean(),
    texts: z
      .partialRecord(z.enum(LANGS), z.object({ title: z.string(), content: z.string() }))
      .openapi({ description: 'by language; finders in other languages read title and content' }),
    created_at: z.iso.datetime(),
  })
  .openapi('AdminMessage')

const typed = (name: string, clean: typeof cleanText, maxLength: number) =>
  anyText(name).nullish().transform(clean).openapi({ maxLength })

const messageText = payload({
  title: typed('title', cleanLine, LENGTHS.other),
  content: typed('content', cleanText, LENGTHS.message),
})
const newAdminMessage = requires(messageText, { title: 1, content: 1 }).superRefine(
  follows(adminMessageProblem),
)

const textInLanguage = requires(
  messageText.extend({ lang: anyText('lang').optional().openapi({ enum: LANGS }) }),
  { lang: 2, title: 0, content: 0 },
)

const list = adminCall('listMessages', 'List the messages on scan pages', {
  get: '/',
  200: answer('The messages, newest first', z.array(adminMessage)),
})
const add = adminCall('addMessage', 'Add a message to scan pages', {
  post: '/',
  makes: true,
  body: jsonBody(newAdminMessage, {
    title: 'Closed on Sunday',
    content: 'We are closed on Sunday.',
  }),
  201: answer('Shown from now on', adminMessage),
})
const toggle = adminCall('toggleMessage', 'Switch a message on or off', {
  put: '/{id}/toggle',
  200: answer('The whole message', adminMessage),
})
const translate = adminCall('setMessageText', 'Set the text of a message in a language', {
  put: '/{id}/text',
  body: jsonBody(textInLanguage, { lang: 'hi', title: 'धन्यवाद', content: 'रविवार को हम बंद हैं।' }),
  200: answer('The whole message; empty title and content remove the text', adminMessage),
})
const remove = adminCall('deleteMessage', 'Delete a message', {
  delete: '/{id}',
  200: 'Deleted permanently',
})

export const adminMessages = apiRouter()
  .openapi(list, async (c) => c.json(await listAdminMessages(c.var.deps.db), 200))
  .openapi(add, async (c) => {
    const { db, clock } = c.var.deps
    const by = actorOf(requireAdmin(c))
    return c.json(await addAdminMessage(db, c.req.valid('json'), by, clock()), 201)
  })
  .openapi(toggle, async (c) => {
    const { db, clock } = c.var.deps
    const by = actorOf(requireAdmin(c))
    return c.json(await toggleAdminMessage(db, c.req.valid('param').id, by, clock()), 200)
  })
  .openapi(translate, async (c) => {
    const { db, clock } = c.var.deps
    const by = actorOf(requireAdmin(c))
    const text = c.req.valid('json')
    return c.json(await setMessageText(db, c.req.valid('param').id, text, by, clock()), 200)
  })
  .openapi(remove, async (c) => {
    const { db, clock } = c.var.deps
    await deleteAdminMessage(db, c.req.valid('param').id, actorOf(requireAdmin(c)), clock())
    return c.json({ message: MESSAGE_TEXTS.deleted }, 200)
  })
