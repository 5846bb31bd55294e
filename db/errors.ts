import { DomainError } from '#domain/error.ts'

/**
 * The code of a driver's error when the database cannot be reached. `cause` is the driver's error.
 */
export const UNREACHABLE = 'DATABASE_UNREACHABLE'

const UNIQUE_VIOLATIONS = ['SQLITE_CONSTRAINT_UNIQUE', 'SQLITE_CONSTRAINT_PRIMARYKEY', '23505']
/** PostgreSQL's codes for transactions that cannot be serialized, and for deadlocks. */
const COLLISIONS = ['40001', '40P01']
/** PostgreSQL's codes for statements that waited too long for a lock, or ran too long. */
const TIMEOUTS = ['55P03', '57014']

function codeOf(error: unknown): string {
  const { code } = (error ?? {}) as { code?: unknown }
  return typeof code === 'string' ? code : ''
}

export function isUniqueViolation(error: unknown): boolean {
  return UNIQUE_VIOLATIONS.includes(codeOf(error))
}

/** Returns whether a transaction failed because of concurrent ones, and may succeed when repeated. */
export function isCollision(error: unknown): boolean {
  return COLLISIONS.includes(codeOf(error))
}

/** Returns whether a transaction may have been committed all the same, because the connection was lost meanwhile. */
export function mayBeCommitted(error: unknown): boolean {
  return codeOf(error) === UNREACHABLE
}

/**
 * Turns a busy or unreachable database into a DomainError. Other errors are returned as they are.
 */
export function asDatabaseRefusal(error: unknown): unknown {
  const code = codeOf(error)
  if (code === UNREACHABLE) {
    return new DomainError('unavailable.database', { retryAfter: 5 })
  }
  if (isCollision(error) || TIMEOUTS.includes(code) || code.startsWith('SQLITE_BUSY')) {
    return new DomainError('unavailable.database_busy', { retryAfter: 1 })
  }
  return error
}
