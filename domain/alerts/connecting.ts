import { DomainError } from '#domain/error.ts'
import { hasWebhooks, type PlanId } from '#domain/plans/plan.ts'
import type { Refusal } from '#locales/refusal.ts'

export const NO_WEBHOOKS = 'Webhooks are available on the Enterprise plan'

/** The length of a new secret. Standard Webhooks allow 24 to 64 bytes. */
export const SECRET_BYTES = 24
export const SECRET_PREFIX = 'whsec_'
const MOST_SECRET_BYTES = 64

/** Throws forbidden for a plan without webhooks. */
export function assertWebhooks({ subscription_plan }: { subscription_plan: PlanId }): void {
  if (!hasWebhooks(subscription_plan)) throw new DomainError('forbidden.webhooks')
}

/** Returns an address, with https if it has no scheme: apps show it without. Throws invalid without one. */
export function requireAddress(typed: string | null): string {
  if (!typed) throw new DomainError('invalid.address_missing')
  return typed.includes('://') ? typed : `https://${typed}`
}

/** Throws invalid for the address of a server of ntfy without a topic. */
export function requireTopic(url: string): string {
  if (new URL(url).pathname === '/') throw new DomainError('invalid.topic')
  return url
}

/** Returns an address as lists show it. Its query may hold a password, so it is left out. */
export function addressName(url: string): string {
  const { host, pathname } = new URL(url)
  return host + (pathname === '/' ? '' : pathname)
}

/** Returns the reason why a text is no secret by Standard Webhooks. */
export function webhookSecretProblem(secret: string): Refusal | undefined {
  const [, base64 = ''] = /^whsec_([A-Za-z0-9+/]+={0,2})$/.exec(secret) ?? []
  const bytes = Math.floor((base64.replace(/=+$/, '').length * 3) / 4)
  if (bytes >= SECRET_BYTES && bytes <= MOST_SECRET_BYTES) return undefined
  const values = { least: SECRET_BYTES, most: MOST_SECRET_BYTES }
  return { code: 'invalid.webhook_secret', values }
}
