import { z } from '@hono/zod-openapi'
import {
  endOtherSessions,
  endSession,
  type ListedSession,
  listSessions,
} from '#db/accounts/session-list.ts'
import { DEVICE_KINDS } from '#domain/scans/scan.ts'
import { requireAccount, requireSession } from '#routes/_http/guards.ts'
import { answer, apiRouter, message, problems } from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { asHolder } from '#routes/api/accounts/_as-holder.ts'

const session = z
  .object({
    id: z.string(),
    device: z.enum(DEVICE_KINDS),
    browser: z.string().nullable().openapi({ description: 'as `Chrome on Android`' }),
    created_at: z.iso.datetime(),
    last_used_at: z.iso.datetime().openapi({ description: 'to the hour' }),
    current: z.boolean().openapi({ description: 'whether this request is of it' }),
  })
  .openapi('Session')

const list = apiCall({
  ...asHolder,
  operationId: 'listSessions',
  summary: 'List where you are signed in',
  method: 'get',
  path: '/',
  responses: { 200: answer('Your sessions, last used first', z.array(session)) },
})

const end = apiCall({
  ...asHolder,
  operationId: 'endSession',
  summary: 'Sign out on one device',
  method: 'delete',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('The session has ended', message), ...problems(404) },
})

const endOthers = apiCall({
  ...asHolder,
  operationId: 'endOtherSessions',
  summary: 'Sign out everywhere else',
  method: 'delete',
  path: '/',
  responses: {
    200: answer('Every other session has ended', message.extend({ ended: z.int() })),
  },
})

/** Where an account is signed in. */
export const accountSessions = apiRouter()
  .openapi(list, async (c) => {
    const { db, clock } = c.var.deps
    const { id: current } = requireSession(c)
    const sessions = await listSessions(db, requireAccount(c).id, clock())
    const toView = (each: ListedSession) => ({ ...each, current: each.id === current })
    return c.json(sessions.map(toView), 200)
  })
  .openapi(end, async (c) => {
    await endSession(c.var.deps.db, requireAccount(c).id, c.req.valid('param').id)
    return c.json({ message: 'Signed out there' }, 200)
  })
  .openapi(endOthers, async (c) => {
    const { id } = requireSession(c)
    const ended = await endOtherSessions(c.var.deps.db, requireAccount(c).id, id)
    return c.json({ message: 'Signed out everywhere else', ended }, 200)
  })
