import type pg from 'pg'
import { LOST_AFTER_MS, withClient } from '#db/postgres/pool.ts'

/** Clocks drift by milliseconds meanwhile. */
const ASK_EVERY_MS = 30_000
/** An answer that took longer says too little about now. */
const LONGEST_ANSWER_MS = 1_000

export type FollowedClock = { now(): Date; stop(): void }

/**
 * Returns a clock that follows the database's. Between two questions it counts by the time since this process
 * began, so that it does not jump with the machine's own clock. Stop it before the pool ends.
 */
export async function followClock(pool: pg.Pool): Promise<FollowedClock> {
  let { beganAt } = await ask(pool)
  const timer = setInterval(async () => {
    try {
      const answer = await ask(pool)
      if (answer.tookMs <= LONGEST_ANSWER_MS) beganAt = answer.beganAt
    } catch {
      // The last answer holds until the database answers again.
    }
  }, ASK_EVERY_MS).unref()
  return { now: () => new Date(beganAt + performance.now()), stop: () => clearInterval(timer) }
}

/** Returns the start of this process by the database's clock, in milliseconds. */
async function ask(pool: pg.Pool): Promise<{ beganAt: number; tookMs: number }> {
  return withClient(pool, async (client) => {
    const sentAt = performance.now()
    const text = 'select extract(epoch from clock_timestamp()) * 1000 as ms'
    const question = { text, query_timeout: LOST_AFTER_MS }
    const { rows } = await client.query<{ ms: number }>(question)
    const tookMs = performance.now() - sentAt
    return { beganAt: (rows[0]?.ms ?? 0) - sentAt - tookMs / 2, tookMs }
  })
}
