import { Hono } from 'hono'
import { isAnswering } from '#db/client.ts'
import type { AppEnv } from '#routes/_http/deps.ts'

export const healthz = new Hono<AppEnv>().get('/', async (c) => {
  const { db } = c.var.deps
  return (await isAnswering(db)) ? c.json({ status: 'ok' }) : c.json({ status: 'unavailable' }, 503)
})
