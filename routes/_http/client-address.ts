import { isIP } from 'node:net'
import type { HttpBindings } from '@hono/node-server'
import { isLoopback } from '#config.ts'
import { DomainError } from '#domain/error.ts'
import { type Network, networksOf } from '#domain/networks.ts'
import { type AppContext, type FinderContext, varOf } from '#routes/_http/context.ts'

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
  return networksOf(exactClientAddress(c))
}

/** Returns the address of a request, as `clientNetworks` finds it. */
export function exactClientAddress(c: FinderContext): string {
  const { trustProxy } = varOf(c, 'deps').config
  const forwarded = trustProxy > 0 ? c.req.header('X-Forwarded-For') : undefined
  const address = forwarded ? readForwarded(forwarded, trustProxy) : undefined
  return address ?? peerAddress(c)
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

/** A proxy usually adds at least one of these. */
const FORWARDING_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/
const HOST_HEADER = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/

/** Checks whether the answer may show one-time codes: in test mode, only to this machine. */
export function showsOneTimeCodes(c: AppContext): boolean {
  return c.var.deps.config.testMode && isLocalRequest(c)
}

/** Checks whether callers may make themselves super admin: outside production, only on this machine. */
export function mayGrantToSelf(c: AppContext): boolean {
  return !c.var.deps.config.production && isLocalRequest(c)
}

/** Refuses callers who may not make themselves super admin. In production the command line does it. */
export function assertMayGrantToSelf(c: AppContext): void {
  if (!mayGrantToSelf(c)) throw new DomainError('forbidden.super_admin')
}

/**
 * Checks whether a program on this machine made the request. The peer address is not enough: a local proxy
 * forwards requests of others, and a foreign page can point its own name at 127.0.0.1, but then its
 * name is in the Host header. nginx by default adds no forwarding header and sends a local Host, but
 * uses HTTP/1.0 before release 1.29.7.
 */
export function isLocalRequest(c: AppContext): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  const host = HOST_HEADER.exec(c.req.header('Host') ?? '')?.[1] ?? ''
  return (
    isLoopback(incoming?.socket.remoteAddress ?? '') &&
    isLoopback(host) &&
    incoming?.httpVersion !== '1.0' &&
    !Object.keys(c.req.header()).some((name) => FORWARDING_HEADER.test(name))
  )
}
