import type { ErrorCode } from '#domain/error.ts'
import { createTryCounter, type TooMany, type TryCounter } from '#domain/try-counter.ts'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

export type RateLimit = {
  what: string
  /** whose tries are counted together */
  by: 'address' | 'account' | 'contact' | 'code and contact' | 'API key' | 'everyone'
  count: number
  /** from the first try that is counted */
  seconds: number
  /** Counted are only tries that are refused with this: what works is nobody's abuse. */
  counts?: ErrorCode
}

/**
 * Everything that may be done only so often. Many people share the address of one carrier, so that
 * where honest people could be many, an address has room, or only what fails is counted.
 */
export const RATE_LIMITS = {
  scan: { what: 'scan pages and codes looked at', by: 'address', count: 60, seconds: MINUTE },
  unknown: {
    what: 'codes looked for that do not exist; those that do stay open',
    by: 'address',
    count: 30,
    seconds: 10 * MINUTE,
  },
  police: { what: 'police pages', by: 'address', count: 20, seconds: MINUTE },
  pin: {
    what: 'wrong PINs, whatever the code',
    by: 'address',
    count: 20,
    seconds: 15 * MINUTE,
    counts: 'forbidden',
  },
  file: { what: 'documents and images opened', by: 'address', count: 600, seconds: MINUTE },
  login: {
    what: 'wrong passwords for one account',
    by: 'contact',
    count: 10,
    seconds: 15 * MINUTE,
    counts: 'unauthenticated',
  },
  'login-address': {
    what: 'wrong passwords',
    by: 'address',
    count: 100,
    seconds: 15 * MINUTE,
    counts: 'unauthenticated',
  },
  'otp-mail': { what: 'one-time codes mailed', by: 'address', count: 10, seconds: HOUR },
  'otp-mail-all': { what: 'one-time codes mailed', by: 'everyone', count: 200, seconds: HOUR },
  otp: {
    what: 'wrong one-time codes',
    by: 'address',
    count: 100,
    seconds: HOUR,
    counts: 'invalid',
  },
  google: {
    what: 'sign-ins that come back from Google',
    by: 'address',
    count: 100,
    seconds: 10 * MINUTE,
  },
  link: {
    what: 'links and sign-in codes that do not work',
    by: 'address',
    count: 10,
    seconds: 10 * MINUTE,
    counts: 'invalid',
  },
  claim: {
    what: 'claims and registrations of codes that cannot be',
    by: 'address',
    count: 20,
    seconds: HOUR,
    counts: 'not_found',
  },
  'child-reset': {
    what: 'requests for a child user’s new password',
    by: 'code and contact',
    count: 3,
    seconds: DAY,
  },
  'child-reset-address': {
    what: 'requests for a child user’s new password',
    by: 'address',
    count: 10,
    seconds: HOUR,
  },
  redeem: {
    what: 'promo codes that do not exist',
    by: 'account',
    count: 10,
    seconds: HOUR,
    counts: 'not_found',
  },
  'redeem-address': {
    what: 'promo codes that do not exist',
    by: 'address',
    count: 20,
    seconds: HOUR,
    counts: 'not_found',
  },
  upload: { what: 'files sent in', by: 'account', count: 120, seconds: HOUR },
  batch: { what: 'batches of codes made', by: 'account', count: 60, seconds: HOUR },
  export: {
    what: 'label sheets, ZIP files and CSV files',
    by: 'account',
    count: 60,
    seconds: HOUR,
  },
  'share-mail': { what: 'documents shared by e-mail', by: 'account', count: 30, seconds: HOUR },
  'admin-write': {
    what: 'changes made by an admin',
    by: 'account',
    count: 120,
    seconds: MINUTE,
  },
  'api-key': { what: 'calls with an API key', by: 'API key', count: 300, seconds: MINUTE },
} as const satisfies Record<string, RateLimit>

export type LimitName = keyof typeof RATE_LIMITS

export type RateLimits = ReturnType<typeof createRateLimits>

/**
 * A counter for each limit; switched off, they let everything through. All is kept in memory: what
 * a restart may not forget is a rule of its own in the database.
 */
export function createRateLimits({ rateLimits: on }: { rateLimits: boolean }) {
  const counters = Object.fromEntries(
    Object.entries(RATE_LIMITS).map(([name, limit]) => [name, createTryCounter(limit)]),
  ) as Record<LimitName, TryCounter>
  const within = (): TooMany | undefined => undefined
  return {
    /** Counts a try, unless it is one too many. */
    take: on
      ? (name: LimitName, key: string, now: Date) => counters[name].take(key, now.getTime())
      : within,
    /** Whether a try would be one too many. */
    check: on
      ? (name: LimitName, key: string, now: Date) => counters[name].check(key, now.getTime())
      : within,
    add: (name: LimitName, key: string, now: Date) => counters[name].add(key, now.getTime()),
  }
}

/** What somebody is told who tried too often. */
export function tooManyTries(seconds: number): string {
  return `Too many tries. Try again in ${spokenTime(seconds)}.`
}

function spokenTime(seconds: number): string {
  if (seconds < 2 * MINUTE) return `${seconds} seconds`
  if (seconds < 2 * HOUR) return `${Math.ceil(seconds / MINUTE)} minutes`
  return `${Math.ceil(seconds / HOUR)} hours`
}
