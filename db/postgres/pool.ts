import type { EventEmitter } from 'node:events'
import type { Socket } from 'node:net'
import pg from 'pg'
import { UNREACHABLE } from '#db/errors.ts'

/** Longer than the server needs to accept a connection, shorter than people wait for a page. */
const CONNECT_MS = 5_000

/**
 * The time to wait for an answer, after which a reachable server would have refused the statement
 * by its `statement_timeout`. A server that vanished is silent, and the system would wait for a
 * quarter of an hour.
 */
export const LOST_AFTER_MS = 35_000

/** When a connection that is silent is asked whether the server is still there; Node asks ten times, each second. */
const SILENT_MS = 10_000

/** Settings of every session, which override the server's defaults. */
const SESSION = {
  TimeZone: 'UTC',
  client_encoding: 'UTF8',
  // Acknowledged writes are on the disk, even if the server's default is weaker.
  synchronous_commit: 'on',
  statement_timeout: '30s',
  lock_timeout: '10s',
  idle_in_transaction_session_timeout: '60s',
}

/** Counts and sums are numbers, as in SQLite. */
const WHOLE_NUMBERS = [pg.types.builtins.INT8, pg.types.builtins.NUMERIC] as number[]

/**
 * Closes the socket when the driver gives up. Otherwise a missing password would keep the
 * connection open until the server ends it after a minute.
 */
class Client extends pg.Client {
  constructor(config?: pg.ClientConfig) {
    super(config)
    const { connection } = this as unknown as { connection: EventEmitter & { stream: Socket } }
    connection.once('error', () => connection.stream.destroy())
  }
}

/** Connections to PostgreSQL, made when they are needed. A lost connection is replaced. */
export function openPool(url: string, size: number, settings: object = {}): pg.Pool {
  const pool = new pg.Pool({
    Client,
    connectionString: url,
    max: size,
    connectionTimeoutMillis: CONNECT_MS,
    keepAlive: true,
    keepAliveInitialDelayMillis: SILENT_MS,
    application_name: 'driveqr',
    options: Object.entries({ ...SESSION, ...settings })
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types: {
      getTypeParser: ((oid: number, format?: 'text' | 'binary') =>
        WHOLE_NUMBERS.includes(oid)
          ? Number
          : pg.types.getTypeParser(oid, format as 'text')) as typeof pg.types.getTypeParser,
    },
  })
  // An idle connection that is lost is replaced, and one in use reports the error to its caller.
  // Without a listener the error would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Returns the address that the pool connects to, without the password. */
export function addressOf({ options }: pg.Pool): pg.ClientConfig {
  const { hostname, port, pathname, username } = new URL(options.connectionString ?? '')
  return {
    host: decodeURIComponent(hostname),
    port: Number(port || 5432),
    database: decodeURIComponent(pathname.slice(1)),
    user: decodeURIComponent(username),
  }
}

/** Names the database for messages, without secrets. */
export function nameOf(pool: pg.Pool): string {
  const { host, port, database } = addressOf(pool)
  return `${host}:${port}/${database}`
}

/** Runs work on one connection, and discards the connection when it was lost. */
export async function withClient<T>(
  pool: pg.Pool,
  work: (client: pg.PoolClient) => Promise<T>,
): Promise<T> {
  const client = await connect(pool)
  try {
    const result = await work(client)
    client.release()
    return result
  } catch (error) {
    client.release(isLost(error) || isOutdated(error))
    throw asThrown(error)
  }
}

export function connect(pool: pg.Pool): Promise<pg.PoolClient> {
  return pool.connect().catch((error) => {
    throw asThrown(error)
  })
}

/** The server's codes for: it stops, it starts, or it accepts no more connections. */
const LOST_STATES = /^(08|57P0[1-5]|53300)/

/** The driver's messages without a code. */
const LOST_WORDS =
  /^(Connection (terminated|ended)|Client (has encountered a connection error|was closed)|timeout |Query read timeout)/

/**
 * Returns whether a connection cannot run a statement that it has prepared, because a newer server has changed the
 * tables since. Another connection can.
 */
export function isOutdated(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.routine === 'RevalidateCachedQuery'
}

/** Returns whether an error means that the connection is lost, not that a statement was refused. */
export function isLost(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return LOST_STATES.test(error.code ?? '')
  if (!(error instanceof Error)) return false
  // A name with several addresses, none of which answers.
  if (error instanceof AggregateError) return error.errors.every(isLost)
  const { syscall, code } = error as NodeJS.ErrnoException
  return syscall !== undefined || code === UNREACHABLE || LOST_WORDS.test(error.message)
}

/** The server's codes for rows that it refuses, whose values it says in the detail. */
const REFUSED_ROWS = /^23/

/** Returns a driver's error without the values of a refused row, so that it may be thrown and logged. */
export function asThrown(error: unknown): unknown {
  if (error instanceof pg.DatabaseError && REFUSED_ROWS.test(error.code ?? '')) delete error.detail
  if (!isLost(error) || (error as NodeJS.ErrnoException).code === UNREACHABLE) return error
  const { message } = error as Error
  return Object.assign(new Error(`PostgreSQL cannot be reached: ${message}`, { cause: error }), {
    code: UNREACHABLE,
  })
}
