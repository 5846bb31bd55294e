import { z } from '@hono/zod-openapi'
import {
  addAdminMessage,
  deleteAdminMessage,
  listAdminMessages,
  toggleAdminMessage,
} from '#db/admin/admin-messages.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { adminMessageProblem, MESSAGE_TEXTS } from '#domain/admin/admin-message.ts'
import { cleanLine, cleanText, LENGTHS } from '#domain/text.ts'
import { requireAdmin } from '#routes/_http/guards.ts'
import {
  answer,
  apiRouter,
  follows,
  jsonBody,
  message,
  notAnObject,
  problems,
  requires,
} from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { asAdmin } from '#routes/api/admin/_as-admin.ts'

const adminMessage = z
  .object({
    id: z.string(),
    title: z.string(),
    content: z.string(),
    is_active: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .openapi('AdminMessage')

const typed = (name: string, clean: typeof cleanText, maxLength: number) =>
  z
    .string({ error: `${name} must be text` })
    .nullish()
    .transform(clean)
    .openapi({ maxLength })

const newAdminMessage = requires(
  z.object(
    {
      title: typed('title', cleanLine, LENGTHS.other),
      content: typed('content', cleanText, LENGTHS.message),
    },
    notAnObject,
  ),
  { title: 1, content: 1 },
).superRefine(follows(adminMessageProblem))

const list = apiCall({
  ...asAdmin,
  operationId: 'listMessages',
  summary: 'List the messages on scan pages',
  method: 'get',
  path: '/',
  responses: {
    200: answer('The messages, newest first', z.array(adminMessage)),
  },
})
const add = apiCall({
  ...asAdmin,
  operationId: 'addMessage',
  summary: 'Add a message to scan pages',
  method: 'post',
  path: '/',
  request: {
    body: jsonBody(newAdminMessage, {
      title: 'Closed on Sunday',
      content: 'We are closed on Sunday.',
    }),
  },
  responses: { 201: answer('Shown from now on', adminMessage) },
})
const toggle = apiCall({
  ...asAdmin,
  operationId: 'toggleMessage',
  summary: 'Switch a message on or off',
  method: 'put',
  path: '/{id}/toggle',
  request: { params: idParams },
  responses: { 200: answer('The whole message', adminMessage), ...problems(404) },
})
const remove = apiCall({
  ...asAdmin,
  operationId: 'deleteMessage',
  summary: 'Delete a message',
  method: 'delete',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('Deleted permanently', message), ...problems(404) },
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
  .openapi(remove, async (c) => {
    const { db, clock } = c.var.deps
    await deleteAdminMessage(db, c.req.valid('param').id, actorOf(requireAdmin(c)), clock())
    return c.json({ message: MESSAGE_TEXTS.deleted }, 200)
  })
