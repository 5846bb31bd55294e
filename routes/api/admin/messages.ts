import { createRoute, z } from '@hono/zod-openapi'
import {
  addAdminMessage,
  deleteAdminMessage,
  listAdminMessages,
  toggleAdminMessage,
} from '#db/admin/admin-messages.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { adminMessageProblem, MESSAGE_TEXTS } from '#domain/admin/admin-message.ts'
import { cleanLine, cleanText } from '#domain/text.ts'
import { adminsOnly, requireAdmin } from '#routes/_http/guards.ts'
import {
  answer,
  apiRouter,
  follows,
  jsonBody,
  message,
  notAnObject,
  problems,
  sessionSecurity,
} from '#routes/_http/schema.ts'

const adminMessage = z
  .object({
    id: z.string(),
    title: z.string(),
    content: z.string(),
    is_active: z.boolean(),
    created_at: z.iso.datetime(),
  })
  .openapi('AdminMessage')

const typed = (name: string, clean: typeof cleanText) =>
  z
    .string({ error: `${name} must be text` })
    .nullish()
    .transform(clean)

export const newAdminMessage = z
  .object({ title: typed('title', cleanLine), content: typed('content', cleanText) }, notAnObject)
  .superRefine(follows(adminMessageProblem))

const asAdmin = { middleware: adminsOnly, security: sessionSecurity } as const
const params = z.object({ id: z.string() })

const list = createRoute({
  ...asAdmin,
  method: 'get',
  path: '/',
  responses: {
    200: answer('What finders read first, newest first', z.array(adminMessage)),
    ...problems(401, 403),
  },
})
const add = createRoute({
  ...asAdmin,
  method: 'post',
  path: '/',
  request: { body: jsonBody(newAdminMessage) },
  responses: { 201: answer('Shown from now on', adminMessage), ...problems(400, 401, 403) },
})
const toggle = createRoute({
  ...asAdmin,
  method: 'put',
  path: '/{id}/toggle',
  request: { params },
  responses: { 200: answer('The whole message', adminMessage), ...problems(401, 403, 404) },
})
const remove = createRoute({
  ...asAdmin,
  method: 'delete',
  path: '/{id}',
  request: { params },
  responses: { 200: answer('Gone for good', message), ...problems(401, 403, 404) },
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
