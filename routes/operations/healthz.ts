import { Hono } from 'hono'
import { createMiddleware } from 'hono/factory'
import { VERSION } from '#config.ts'
import { isAnswering } from '#db/client.ts'
import { isAdmin } from '#domain/accounts/roles.ts'
import type { AppEnv } from '#routes/_http/context.ts'

/** Answers 503 without a database, before anything else queries it to find the session. */
export const whileDatabaseAnswers = createMiddleware<AppEnv>(
  async function whileDatabaseAnswers(c, next) {
    if (!(await isAnswering(c.var.deps.db))) return c.json({ status: 'unavailable' }, 503)
    return next()
  },
)

/** Tells the release only to admins, because strangers would look up its faults. */
export const healthz = new Hono<AppEnv>().get('/', (c) => {
  const isForAdmin = c.var.account && isAdmin(c.var.account.role)
  return c.json({ status: 'ok', ...(isForAdmin && { version: VERSION }) })
})
