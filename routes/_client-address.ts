import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import type { AppContext } from '#routes/_deps.ts'

/** Sockets that are gone already have no address any more; they share one. */
const UNKNOWN = 'unknown'

/**
 * Where a request comes from, for counting alone: it is kept and logged nowhere. Behind TRUST_PROXY
 * proxies that is the entry of X-Forwarded-For that the outermost of them wrote; what a client
 * wrote stands further left and is not believed. An IPv6 address is its /64, which one person has.
 */
export function clientAddress(c: AppContext): string {
  const { trustProxy } = c.var.deps.config
  const forwarded = trustProxy > 0 ? c.req.header('X-Forwarded-For') : undefined
  return networkOf((forwarded ? readForwarded(forwarded, trustProxy) : undefined) ?? peerAddress(c))
}

function peerAddress(c: AppContext): string {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  return incoming?.socket.remoteAddress ?? UNKNOWN
}

/** A shorter list than there are proxies was begun by one of them. */
function readForwarded(header: string, proxies: number): string | undefined {
  const entries = header.split(',')
  const entry = entries[Math.max(0, entries.length - proxies)]?.trim() ?? ''
  return isIP(entry) ? entry : undefined
}

export function networkOf(address: string): string {
  if (!address.includes(':')) return address
  if (address.startsWith('::ffff:') && address.includes('.')) return address.slice('::ffff:'.length)
  const [head = '', tail] = address.toLowerCase().split('::')
  const before = head.split(':').filter(Boolean)
  const after = tail?.split(':').filter(Boolean) ?? []
  const between = Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0')
  const groups = [...before, ...between, ...after].slice(0, 4)
  return `${groups.map((group) => Number.parseInt(group, 16).toString(16)).join(':')}::/64`
}
