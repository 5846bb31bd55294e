import type { HttpBindings } from '@hono/node-server'
import { Hono } from 'hono'
import { isLoopback } from '#config.ts'
import { findHoldersToken } from '#db/brands/domains.ts'
import { isNearby } from '#mail/public-addresses.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'

/** Answers the requests of the reverse proxy. */
export const internal = new Hono<AppEnv>()

/** Allows a certificate for a name (`on_demand_tls ask`) that is the domain of an account. */
internal.get('/tls-check', async (c) => {
  const domain = c.req.query('domain')?.toLowerCase() ?? ''
  if (!isFromProxyItself(c)) return c.body(null, 404)
  return c.body(null, (await findHoldersToken(c.var.deps.db, domain)) ? 200 : 404)
})

/**
 * Checks that the proxy itself makes the request. Behind a proxy all connections come from nearby, but
 * the proxy's own request has no X-Forwarded-For.
 */
function isFromProxyItself(c: AppContext): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  const peer = incoming?.socket.remoteAddress ?? ''
  return c.req.header('X-Forwarded-For') === undefined && (isLoopback(peer) || isNearby(peer))
}
