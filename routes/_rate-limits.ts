import { DomainError } from '#domain/error.ts'
import { tooManyTries } from '#domain/rate-counters.ts'
import {
  type KEPT_LIMITS,
  type LimitName,
  RATE_LIMITS,
  type RateLimit,
} from '#domain/rate-limits.ts'
import type { TooMany } from '#domain/try-counter.ts'
import { clientAddress } from '#routes/_client-address.ts'
import type { AppContext } from '#routes/_deps.ts'
import { requireAccount } from '#routes/_guards.ts'

/** A limit, with the key of one that is neither by address nor by account. */
type Limited = LimitName | readonly [LimitName, string]

/** Counts a try. Answers what it is refused for, for whoever has an answer of its own to that. */
export function takeTry(c: AppContext, limited: Limited): TooMany | undefined {
  const { rateLimits, clock } = c.var.deps
  const [name, key] = keyed(c, limited)
  return told(c, name, rateLimits.take(name, key, clock()))
}

/** Counts a try. Throws too_many. */
export function limit(c: AppContext, ...limiteds: Limited[]): void {
  for (const limited of limiteds) refuse(c, takeTry(c, limited), refusalOf(limited))
}

/** For a try that is counted only when it was done, or had failed, by `countTry`. Throws too_many. */
export function assertMayTry(c: AppContext, limited: Limited): void {
  refuse(c, checkTry(c, limited), refusalOf(limited))
}

/** As `assertMayTry`, for whoever has an answer of its own. */
export function checkTry(c: AppContext, limited: Limited): TooMany | undefined {
  const { rateLimits, clock } = c.var.deps
  const [name, key] = keyed(c, limited)
  return told(c, name, rateLimits.check(name, key, clock()))
}

export function countTry(c: AppContext, limited: Limited): void {
  const { rateLimits, clock } = c.var.deps
  rateLimits.add(...keyed(c, limited), clock())
}

/** Counts what `act` is refused for, if that is what the limits count. Throws too_many. */
export async function limitRefusals<T>(
  c: AppContext,
  limiteds: Limited[],
  act: () => Promise<T>,
): Promise<T> {
  for (const limited of limiteds) assertMayTry(c, limited)
  try {
    return await act()
  } catch (error) {
    for (const limited of limiteds) {
      const { counts }: RateLimit = RATE_LIMITS[keyed(c, limited)[0]]
      // Tries that ran at the same time are one too many only now.
      if (error instanceof DomainError && error.code === counts) limit(c, limited)
    }
    throw error
  }
}

function keyed(c: AppContext, limited: Limited): readonly [LimitName, string] {
  if (typeof limited !== 'string') return limited
  switch (RATE_LIMITS[limited].by) {
    case 'address':
      return [limited, clientAddress(c)]
    case 'session or address':
      return [limited, c.var.session?.id ?? clientAddress(c)]
    case 'account':
      return [limited, requireAccount(c).id]
    default:
      return [limited, '']
  }
}

function refusalOf(limited: Limited): string | undefined {
  const name = typeof limited === 'string' ? limited : limited[0]
  const { count, refusal }: RateLimit = RATE_LIMITS[name]
  return refusal && `${count} ${refusal}`
}

/** The header is set here, because a page that shows a refusal beside its form makes its own answer. */
export function refuse(
  c: AppContext,
  tooMany: { retryAfter: number } | undefined,
  refusal?: string,
): void {
  if (!tooMany) return
  const { retryAfter } = tooMany
  c.header('Retry-After', String(retryAfter))
  throw new DomainError('too_many', tooManyTries(retryAfter, refusal), { retryAfter })
}

/** Once a window: whoever floods the service must not flood its log. */
function told(c: AppContext, name: LimitName, tooMany: TooMany | undefined): TooMany | undefined {
  if (tooMany?.isFirst) noteReached(c, name)
  return tooMany
}

export function noteReached(c: AppContext, name: LimitName | keyof typeof KEPT_LIMITS): void {
  c.var.deps.log.warn({ requestId: c.var.requestId, limit: name }, 'rate limit reached')
}
