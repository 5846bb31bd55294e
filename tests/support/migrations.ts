import { CompiledQuery } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import type { Query } from '#db/migrations/migration.ts'
import { isOnPostgres } from '#tests/support/postgres.ts'

/** Runs the statements of a migration on the database of a test. */
export function queryOn(db: DbOrTrx): Query {
  return async <Row>(statement: string, values: unknown[]) => {
    let n = 0
    const text = isOnPostgres() ? statement.replaceAll('?', () => `$${++n}`) : statement
    return (await db.executeQuery(CompiledQuery.raw(text, values))).rows as Row[]
  }
}
