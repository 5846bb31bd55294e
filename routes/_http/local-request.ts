import type { HttpBindings } from '@hono/node-server'
import { isLoopback } from '#config.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'

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
