import { DomainError } from '#domain/error.ts'

/** Enough for several phones on slow connections; only a piece of each is in memory. */
const AT_ONCE = 8
/** Counts running and waiting uploads. A page sends one file at a time, so this allows two pages. */
const AT_ONCE_BY_ACCOUNT = 2
const LONGEST_QUEUE = 16
/** Seconds. Most uploads end sooner. */
const RETRY_AFTER = 5
const BYTES_PER_MS = 16_000
const BURST_MS = 1_000
const SHORTEST_WAIT_MS = 4
/** 64 kbit/s. A client may fall behind it by `LONGEST_LAG_MS`, at the start and after each pause. */
const SLOWEST_BYTES_PER_MS = 8
const LONGEST_LAG_MS = 10_000
/** 512 kbit/s. At the slowest pace four accounts would hold all places for 22 minutes. */
const SLOW_BYTES_PER_MS = 64
const SLOW_AFTER_MS = 20_000
const CHECK_EVERY_MS = 1_000

/** An upload and how much of it has arrived. `abort` is set while it is received. */
export type Turn = {
  account: string
  startedAt: number
  bytes: number
  abort?: (() => void) | undefined
  isAborted?: true
}
type Waiting = { account: string; begin: (turn: Turn) => void }

const running: Turn[] = []
const waiting: Waiting[] = []
let abortTimer: NodeJS.Timeout | undefined

/**
 * Resolves when an upload of an account may begin; `endTurn` ends it. Throws too_many when the
 * account has too many uploads, and unavailable when the queue is full.
 */
export async function takeTurn(account: string): Promise<Turn> {
  if (countOf(account, [...running, ...waiting]) >= AT_ONCE_BY_ACCOUNT) {
    const values = { wait: RETRY_AFTER }
    throw new DomainError({ code: 'too_many.uploads', values })
  }
  if (running.length < AT_ONCE) return startTurn(account)
  if (waiting.length >= LONGEST_QUEUE) {
    throw new DomainError('unavailable.uploads', { retryAfter: RETRY_AFTER })
  }
  abortTimer ??= setInterval(abortSlowest, CHECK_EVERY_MS).unref()
  return new Promise((begin) => waiting.push({ account, begin }))
}

/** Returns a turn without a place, for a form that is too small to need one. */
export function turnOf(account: string): Turn {
  return { account, startedAt: performance.now(), bytes: 0 }
}

function startTurn(account: string): Turn {
  const turn = turnOf(account)
  running.push(turn)
  return turn
}

/** Ends a turn. Starts the first waiting upload of an account without a running one, or else the first of all. */
export function endTurn(turn: Turn): void {
  if (!running.includes(turn)) return
  running.splice(running.indexOf(turn), 1)
  const [next] = waiting.splice(Math.max(0, waiting.findIndex(isFresh)), 1)
  next?.begin(startTurn(next.account))
}

/** Aborts the slowest upload below 512 kbit/s, one for each waiting account without a running upload. */
function abortSlowest(): void {
  if (waiting.length === 0) {
    clearInterval(abortTimer)
    abortTimer = undefined
  }
  const aborted = running.filter(({ isAborted }) => isAborted).length
  if (waiting.filter(isFresh).length <= aborted) return
  const ageOf = ({ startedAt }: Turn) => performance.now() - startedAt
  const paceOf = (turn: Turn) => turn.bytes / ageOf(turn)
  const [slowest] = running
    .filter((turn) => turn.abort && !turn.isAborted && ageOf(turn) >= SLOW_AFTER_MS)
    .filter((turn) => paceOf(turn) < SLOW_BYTES_PER_MS)
    .toSorted((a, b) => paceOf(a) - paceOf(b))
  if (!slowest) return
  slowest.isAborted = true
  slowest.abort?.()
}

function isFresh({ account }: Waiting): boolean {
  return countOf(account, running) === 0
}

function countOf(account: string, uploads: readonly { account: string }[]): number {
  return uploads.filter((each) => each.account === account).length
}

let paidUntil = 0

/**
 * Resolves when `bytes` more may be read. All uploads together get 16 MB a second, with a burst of
 * one second, so that they leave time for other requests.
 */
export async function throttle(bytes: number): Promise<void> {
  const now = performance.now()
  paidUntil = Math.max(now - BURST_MS, paidUntil) + bytes / BYTES_PER_MS
  const wait = paidUntil - now
  if (wait > SHORTEST_WAIT_MS) await new Promise((resolve) => setTimeout(resolve, wait))
}

/**
 * Yields the pieces of a body that arrives at 64 kbit/s or more. Calls `tooSlow` and ends when the client
 * falls behind by ten seconds. The time in which the server does not read is not counted.
 */
export async function* inTime<T extends Uint8Array>(
  body: AsyncIterable<T>,
  tooSlow: () => void,
  longestLagMs = LONGEST_LAG_MS,
): AsyncGenerator<T> {
  const pieces = body[Symbol.asyncIterator]()
  let leftMs = longestLagMs
  try {
    for (;;) {
      const startedAt = performance.now()
      const piece = await within(leftMs, pieces.next())
      if (!piece) return tooSlow()
      if (piece.done) return
      const waitedMs = performance.now() - startedAt
      const earnedMs = piece.value.length / SLOWEST_BYTES_PER_MS
      leftMs = Math.min(longestLagMs, leftMs - waitedMs + earnedMs)
      yield piece.value
    }
  } finally {
    // Not awaited, because a late piece would block it.
    pieces.return?.().catch(() => undefined)
  }
}

/** Resolves with the promise's value, or with undefined after `ms`. */
async function within<T>(ms: number, promise: Promise<T>): Promise<T | undefined> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), Math.max(0, ms))
  })
  promise.catch(() => undefined)
  return Promise.race([promise, late]).finally(() => clearTimeout(timer))
}
