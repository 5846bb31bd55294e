import { DomainError } from '#domain/error.ts'
import { type CountedBy, tooMany } from '#domain/rate-counters.ts'
import {
  type KEPT_LIMITS,
  type LimitName,
  RATE_LIMITS,
  type RateLimit,
} from '#domain/rate-limits.ts'
import type { TooMany } from '#domain/try-counter.ts'
import { clientAddress, clientNetworks } from '#routes/_http/client-address.ts'
import { type FinderContext, varOf } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'

/** A limit, with its key unless it is counted by address, network, session or account. */
export type Limited = LimitName | readonly [LimitName, string]
/** The limits of redeeming promo codes. */
export const REDEMPTION_LIMITS: Limited[] = ['redeem', 'redeem-address']

type NotedLimit = LimitName | keyof typeof KEPT_LIMITS | 'otp-mail-all'

/** Counts a try. Returns the refusal, for callers with an answer of their own. */
export function takeTry(c: FinderContext, limited: Limited): TooMany | undefined {
  const busy = checkTry(c, limited)
  if (!busy) countTry(c, limited)
  return busy
}

/** Counts a try by all limits, or by none if one of them refuses it. Throws too_many. */
export function limit(c: FinderContext, ...limiteds: Limited[]): void {
  for (const limited of limiteds) assertMayTry(c, limited)
  for (const limited of limiteds) countTry(c, limited)
}

/** The changes that an account is notified of by mail. */
type AccountChange = 'mobile' | 'password' | 'api-key' | 'recovery-codes' | 'passkey' | 'person'

/** Counts changes of one kind that the account is mailed about. Throws too_many. */
export function limitChanges(c: FinderContext, accountId: string, change: AccountChange): void {
  limit(c, ['account-change', `${change} ${accountId}`])
}

/** Checks a limit without counting; call `countTry` after the try. Throws too_many. */
export function assertMayTry(c: FinderContext, limited: Limited): void {
  refuse(c, checkTry(c, limited), nameOf(limited))
}

/** Checks a limit without counting. Returns the refusal, for callers with an answer of their own. */
export function checkTry(c: FinderContext, limited: Limited): TooMany | undefined {
  const { rateLimits, clock } = varOf(c, 'deps')
  const [name, by] = countedBy(c, limited)
  return noted(c, name, rateLimits.check(name, by, clock()))
}

export function countTry(c: FinderContext, limited: Limited): void {
  const { rateLimits, clock } = varOf(c, 'deps')
  rateLimits.add(...countedBy(c, limited), clock())
}

/** Takes a counted try back. */
export function uncountTry(c: FinderContext, limited: Limited): void {
  const { rateLimits, clock } = varOf(c, 'deps')
  rateLimits.remove(...countedBy(c, limited), clock())
}

/** Throws too_many when the mail budget is used up. Count sent mails by `countMail`. */
export function assertMailInBudget(c: FinderContext, sender: string): void {
  const { rateLimits, clock } = varOf(c, 'deps')
  refuse(c, noted(c, 'otp-mail-all', rateLimits.checkMail(sender, clock())))
}

export function countMail(c: FinderContext, sender: string): void {
  const { rateLimits, clock } = varOf(c, 'deps')
  rateLimits.addMail(sender, clock())
}

/** Runs `act` and counts its refusals that the limits count. Throws too_many. */
export async function limitRefusals<T>(
  c: FinderContext,
  limiteds: Limited[],
  act: () => Promise<T>,
): Promise<T> {
  for (const limited of limiteds) assertMayTry(c, limited)
  return limitFailures(c, limiteds, act)
}

/** Runs `act` unless the limit is reached, and counts it when it succeeds. Throws too_many. */
export async function limitSuccesses<T>(
  c: FinderContext,
  limited: Limited,
  act: () => Promise<T>,
): Promise<T> {
  assertMayTry(c, limited)
  const result = await act()
  countTry(c, limited)
  return result
}

/**
 * Runs `act` and counts its failures, for secrets that nobody can guess. Above the limit it refuses only
 * failures, so that others at the same address can go on.
 */
export async function limitFailures<T>(
  c: FinderContext,
  limiteds: Limited[],
  act: () => Promise<T>,
): Promise<T> {
  try {
    return await act()
  } catch (error) {
    for (const limited of limiteds) {
      const { counts }: RateLimit = RATE_LIMITS[nameOf(limited)]
      // The limit may be exceeded only now, also by concurrent tries.
      if (error instanceof DomainError && error.kind === counts) limit(c, limited)
    }
    throw error
  }
}

function countedBy(c: FinderContext, limited: Limited): readonly [LimitName, CountedBy] {
  if (typeof limited !== 'string') return limited
  const { by } = RATE_LIMITS[limited]
  if (by === 'address') return [limited, clientAddress(c)]
  if (by === 'network') return [limited, clientNetworks(c)]
  if (by === 'session or address') return [limited, c.var.session?.id ?? clientAddress(c)]
  if (by === 'account') return [limited, requireAccount(c).id]
  return [limited, '']
}

function nameOf(limited: Limited): LimitName {
  return typeof limited === 'string' ? limited : limited[0]
}

/** Sets the header here, because a page may show the refusal beside its form. */
function refuse(c: FinderContext, busy: TooMany | undefined, name?: LimitName): void {
  if (!busy) return
  c.header('Retry-After', String(busy.retryAfter))
  const limit: RateLimit | undefined = name && RATE_LIMITS[name]
  throw tooMany(busy.retryAfter, limit, name && { name, ...RATE_LIMITS[name] })
}

/** Logs a reached limit once per window. */
function noted(c: FinderContext, name: NotedLimit, busy: TooMany | undefined): TooMany | undefined {
  if (busy?.isFirst) noteReached(c, name)
  return busy
}

export function noteReached(c: FinderContext, name: NotedLimit): void {
  c.var.deps.log.warn({ requestId: c.var.requestId, limit: name }, 'rate limit reached')
}
