import type pg from 'pg'
import type { Duty } from '#db/engine.ts'
import { asThrown, connect, LOST_AFTER_MS, openPool } from '#db/postgres/pool.ts'

/** The number of the advisory lock for the duty, next to that of migrations. */
const DUTY_LOCK = 0x44725153

/** The interval at which the holder checks its connection, and its patience for the answer. */
const CHECK_MS = 5_000
/**
 * PostgreSQL notices after 25 s that the machine of a connection is gone, and gives the lock to another. By
 * then its holder, if it still runs, has missed the answer to a check.
 */
const SESSION = {
  tcp_keepalives_idle: '10',
  tcp_keepalives_interval: '5',
  tcp_keepalives_count: '3',
}

/** Holds the duty as a lock that ends with its connection, and so with its process. */
export function openDuty(url: string) {
  const pool = openPool(url, 1, SESSION)
  return {
    /** Takes the duty. Resolves with undefined while another process has it. Rejects while the database does not answer. */
    async take(): Promise<Duty | undefined> {
      const client = await connect(pool)
      try {
        const question = {
          text: 'select pg_try_advisory_lock($1) as is_ours',
          values: [DUTY_LOCK],
          query_timeout: LOST_AFTER_MS,
        }
        const { rows } = await client.query<{ is_ours: boolean }>(question)
        if (rows[0]?.is_ours) return hold(client)
        client.release()
        return undefined
      } catch (error) {
        client.release(true)
        throw asThrown(error)
      }
    },
    close: () => pool.end(),
  }
}

function hold(client: pg.PoolClient): Duty {
  const lost = new AbortController()
  let isOver = false
  const timer = setInterval(() => {
    client.query({ text: 'select', query_timeout: CHECK_MS } as pg.QueryConfig).catch(lose)
  }, CHECK_MS).unref()

  /** Ends the connection, and the lock with it. */
  function end(): void {
    if (isOver) return
    isOver = true
    clearInterval(timer)
    client.release(true)
  }

  function lose(): void {
    end()
    lost.abort()
  }

  client.once('error', lose)
  client.once('end', lose)
  return { lost: lost.signal, release: end }
}
