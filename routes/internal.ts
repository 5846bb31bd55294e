import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { isLoopback } from '#config.ts'
import { isVerifiedDomain } from '#db/brands/domains.ts'
import { isNearby } from '#mail/public-addresses.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'

/** What the proxy in front asks. */
export const internal = new Hono<AppEnv>()

/** Whether to get a certificate for a name (`on_demand_tls ask`): only for addresses of accounts. */
internal.get('/tls-check', async (c) => {
  const domain = c.req.query('domain')?.toLowerCase() ?? ''
  if (!isFromProxyItself(c)) return c.body(null, 404)
  return c.body(null, (await isVerifiedDomain(c.var.deps.db, domain)) ? 200 : 404)
})

/**
 * Behind a proxy everybody's connections come from near by. The proxy's own question was passed on for
 * nobody, so that it has no X-Forwarded-For.
 */
function isFromProxyItself(c: AppContext): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  const peer = incoming?.socket.remoteAddress ?? ''
  return c.req.header('X-Forwarded-For') === undefined && (isLoopback(peer) || isNearby(peer))
}
