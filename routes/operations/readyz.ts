import { Hono } from 'hono'
import type { AppEnv } from '#routes/_http/context.ts'

/** For proxies and orchestrators: whether to send this server requests. */
export const readyz = new Hono<AppEnv>().get('/', async (c) => {
  const answer = await c.var.deps.readiness.answerProxy()
  return c.json(answer, answer.status === 'ok' ? 200 : 503)
})
