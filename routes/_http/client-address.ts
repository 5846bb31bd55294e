import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { type Network, networksOf } from '#domain/networks.ts'
import type { FinderContext } from '#routes/_http/deps.ts'

/** Sockets that are gone already have no address any more; they share one. */
const UNKNOWN = 'unknown'

/** The smallest network that a request comes from: an IPv4 address, or the /64 of an IPv6 one. */
export function clientAddress(c: FinderContext): string {
  return clientNetworks(c)[0].name
}

/** The largest network that a request comes from, a /24 or a /48. */
export function clientNetwork(c: FinderContext): Network {
  const networks = clientNetworks(c)
  return networks.at(-1) ?? networks[0]
}

/**
 * Where a request comes from, for counting alone: it is kept and logged nowhere. Behind TRUST_PROXY
 * proxies that is the entry of X-Forwarded-For that the outermost of them wrote; what a client
 * wrote stands further left and is not believed.
 */
export function clientNetworks(c: FinderContext): [Network, ...Network[]] {
  const { trustProxy } = c.var.deps.config
  const forwarded = trustProxy > 0 ? c.req.header('X-Forwarded-For') : undefined
  const address = forwarded ? readForwarded(forwarded, trustProxy) : undefined
  return networksOf(address ?? peerAddress(c))
}

function peerAddress(c: FinderContext): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return incoming?.socket.remoteAddress ?? UNKNOWN
}

/** A shorter list than there are proxies was begun by one of them. */
function readForwarded(header: string, proxies: number): string | undefined {
  const entries = header.split(',')
  const entry = entries[Math.max(0, entries.length - proxies)]?.trim() ?? ''
  return isIP(entry) ? entry : undefined
}
