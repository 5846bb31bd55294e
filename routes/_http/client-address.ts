import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { type Network, networksOf } from '#domain/networks.ts'
import { type FinderContext, varOf } from '#routes/_http/context.ts'

/** A closed socket has no address. */
const UNKNOWN = 'unknown'

/** Returns the smallest network of a request: an IPv4 address, or the /64 of an IPv6 address. */
export function clientAddress(c: FinderContext): string {
  return clientNetworks(c)[0].name
}

/** Returns the largest network of a request: a /24 or a /48. */
export function clientNetwork(c: FinderContext): Network {
  const networks = clientNetworks(c)
  return networks.at(-1) ?? networks[0]
}

/**
 * Returns the networks of a request, only for counting: they are never stored or logged. Behind
 * TRUST_PROXY proxies the address is the X-Forwarded-For entry written by the outermost of them.
 * Entries further left come from the client and are ignored.
 */
export function clientNetworks(c: FinderContext): [Network, ...Network[]] {
  const { trustProxy } = varOf(c, 'deps').config
  const forwarded = trustProxy > 0 ? c.req.header('X-Forwarded-For') : undefined
  const address = forwarded ? readForwarded(forwarded, trustProxy) : undefined
  return networksOf(address ?? peerAddress(c))
}

function peerAddress(c: FinderContext): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return incoming?.socket.remoteAddress ?? UNKNOWN
}

/** In a list shorter than the number of proxies, the first entry was written by a proxy. */
function readForwarded(header: string, proxies: number): string | undefined {
  const entries = header.split(',')
  const entry = entries[Math.max(0, entries.length - proxies)]?.trim() ?? ''
  return isIP(entry) ? entry : undefined
}
