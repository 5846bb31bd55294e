import type Sqlite from 'better-sqlite3'

/** More texts than pages and work need at a time. Each takes some kilobytes. */
const MOST_KEPT = 100

const kept = new WeakMap<Sqlite.Database, Map<string, Sqlite.Statement>>()

/**
 * Prepares a text once and keeps the statement: preparing takes longer than running most of them, and leaves
 * what the garbage collector frees in one long pause.
 */
export function prepareOnce(connection: Sqlite.Database, text: string): Sqlite.Statement {
  const own = kept.get(connection) ?? new Map<string, Sqlite.Statement>()
  kept.set(connection, own)
  const statement = own.get(text) ?? connection.prepare(text)
  // The one that was not used for longest comes first.
  own.delete(text)
  own.set(text, statement)
  const [oldest] = own.keys()
  if (own.size > MOST_KEPT && oldest !== undefined) own.delete(oldest)
  return statement
}
