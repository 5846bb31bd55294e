import { Hono } from 'hono'
import { hashToken, sameHash } from '#db/secrets.ts'
import { EXPOSITION_TYPE, toExposition } from '#domain/metrics/exposition.ts'
import { isLocalRequest } from '#routes/_http/client-address.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { gatherFamilies } from '#routes/operations/_families.ts'

/** Serves the metrics to Prometheus, and 404 to everybody else. */
export const metrics = new Hono<AppEnv>().get('/', async (c) => {
  if (!mayRead(c)) return c.text('Not found', 404)
  c.header('Content-Type', EXPOSITION_TYPE)
  return c.body(toExposition(await gatherFamilies(c.var.deps)))
})

function mayRead(c: AppContext): boolean {
  const { metricsToken } = c.var.deps.config
  const sent = /^Bearer +(\S+)$/i.exec(c.req.header('Authorization') ?? '')?.[1]
  if (metricsToken && sent && sameHash(hashToken(sent), hashToken(metricsToken))) return true
  return isLocalRequest(c)
}
