import { z } from '@hono/zod-openapi'
import {
  endOtherSessions,
  endSession,
  type ListedSession,
  listSessions,
} from '#db/accounts/session-list.ts'
import { DEVICE_KINDS } from '#domain/scans/scan.ts'
import { requireAccount, requireSession } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer, message } from '#routes/api/_payloads.ts'
import { accountCall } from '#routes/api/accounts/_account-call.ts'

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

const list = accountCall('listSessions', 'List where you are signed in', {
  get: '/',
  200: answer('Your sessions, last used first', z.array(session)),
})

const end = accountCall('endSession', 'Sign out on one device', {
  delete: '/{id}',
  200: 'The session has ended',
})

const endOthers = accountCall('endOtherSessions', 'Sign out everywhere else', {
  delete: '/',
  200: answer('Every other session has ended', message.extend({ ended: z.int() })),
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
