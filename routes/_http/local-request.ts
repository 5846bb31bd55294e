import type { HttpBindings } from '@hono/node-server'
import { isLoopback } from '#config.ts'
import type { AppContext } from '#routes/_http/deps.ts'

/** Each proxy in front of the server adds at least one of these. */
const FORWARDING_HEADER = /^(?:forwarded|via|x-real-ip|x-forwarded-.+)$/
const HOST_HEADER = /^(\[[^\]]+\]|[^:]+)(?::\d+)?$/

/** Whether one-time codes are shown in the answer: in test mode, to this machine alone. */
export function showsOneTimeCodes(c: AppContext): boolean {
  return c.var.deps.config.testMode && isLocalRequest(c)
}

/** Whether the caller may make themselves super admin: outside of production, on this machine alone. */
export function mayGrantToSelf(c: AppContext): boolean {
  return !c.var.deps.config.production && isLocalRequest(c)
}

/**
 * Whether a program on this machine made the request itself. The peer alone does not show that: a
 * proxy here passes on what others ask, and a foreign page in a browser here can point its own
 * name at 127.0.0.1, but then sends that name as the host. nginx adds no header by itself and names
 * this machine as the host, but asks by HTTP/1.0 before its release 1.29.7.
 */
function isLocalRequest(c: AppContext): boolean {
  const { incoming } = (c.env ?? {}) as Partial<HttpBindings>
  const host = HOST_HEADER.exec(c.req.header('Host') ?? '')?.[1] ?? ''
  return (
    isLoopback(incoming?.socket.remoteAddress ?? '') &&
    isLoopback(host) &&
    incoming?.httpVersion !== '1.0' &&
    !Object.keys(c.req.header()).some((name) => FORWARDING_HEADER.test(name))
  )
}
