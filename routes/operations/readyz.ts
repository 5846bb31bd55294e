import { Hono } from 'hono'
import type { AppEnv } from '#routes/_http/deps.ts'

/** For proxies and orchestrators: whether to send this server requests. */
export const readyz = new Hono<AppEnv>().get('/', async (c) => {
  const failing = await c.var.deps.readiness.findFailing()
  if (failing.length > 0) return c.json({ status: 'unavailable', failing }, 503)
  return c.json({ status: 'ok' })
})
