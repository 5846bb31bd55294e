/** Kysely over PostgreSQL. */
import {
  CompiledQuery,
  type DatabaseConnection,
  type FunctionNode,
  HandleEmptyInListsPlugin,
  Kysely,
  PostgresAdapter,
  PostgresDialect,
  PostgresDriver,
  type PostgresPool,
  type PostgresPoolClient,
  PostgresQueryCompiler,
  replaceWithNoncontingentExpression,
  sql,
} from 'kysely'
import type pg from 'pg'
import type { DbOrTrx } from '#db/client.ts'
import type { Cell, Differences, Note, Reader, Rows } from '#db/engine.ts'
import { loadRows } from '#db/postgres/load.ts'
import { asThrown, connect, isLost, LOST_AFTER_MS } from '#db/postgres/pool.ts'
import { storable } from '#db/postgres/rows.ts'
import { findByText, unmarked } from '#db/postgres/text-search.ts'
import type { Tables } from '#db/schema.ts'
import { HAS_UNMARKED } from '#db/text-search.ts'

/**
 * Runs every transaction as if it ran alone. What a rule decided by is still true at the commit, or
 * the transaction is refused and `inTransaction` repeats it.
 */
class SerializableDriver extends PostgresDriver {
  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    await connection.executeQuery(CompiledQuery.raw('begin isolation level serializable'))
  }
}

/** The driver's types do not know this setting. */
const IN_TIME = { query_timeout: LOST_AFTER_MS }

class PostgresDifferences extends PostgresAdapter implements Differences {
  readonly #pool: pg.Pool
  readonly findByText = findByText

  constructor(pool: pg.Pool) {
    super()
    this.#pool = pool
  }

  async openReader(): Promise<Reader> {
    const client = await connect(this.#pool)
    let isBroken = false
    return {
      async read(text, values) {
        try {
          const question = { text, values, rowMode: 'array' as const, ...IN_TIME }
          const { rows } = await client.query<Cell[]>(question)
          return rows
        } catch (error) {
          isBroken = isLost(error)
          throw asThrown(error)
        }
      },
      close: () => client.release(isBroken),
    }
  }

  async measure(db: DbOrTrx) {
    const { rows } = await sql<{ bytes: number }>`
      select pg_database_size(current_database()) as bytes`.execute(db)
    return rows.map(({ bytes }) => ({ part: 'Size', bytes }))
  }

  async load(rows: Rows, note?: Note): Promise<void> {
    await loadRows(this.#pool, rows, note)
  }
}

/** Writes `hasUnmarked` by functions of PostgreSQL, which has none of this name. */
class UnmarkingCompiler extends PostgresQueryCompiler {
  protected override visitFunction(node: FunctionNode): void {
    const [column, text] = node.arguments
    if (node.func !== HAS_UNMARKED || !column || !text) {
      super.visitFunction(node)
      return
    }
    this.append('(strpos(')
    this.visitNode(unmarked(column).toOperationNode())
    this.append(', ')
    this.visitNode(text)
    this.append(') > 0)')
  }
}

class SerializableDialect extends PostgresDialect {
  readonly #pool: pg.Pool

  constructor(pool: pg.Pool) {
    super({ pool: poolOf(pool) })
    this.#pool = pool
  }

  override createDriver(): PostgresDriver {
    return new SerializableDriver({ pool: poolOf(this.#pool) })
  }

  override createQueryCompiler(): PostgresQueryCompiler {
    return new UnmarkingCompiler()
  }

  override createAdapter(): PostgresAdapter {
    return new PostgresDifferences(this.#pool)
  }
}

/**
 * The pool in the form that Kysely takes. A lost connection reports that, and is not used again.
 */
function poolOf(pool: pg.Pool): PostgresPool {
  return {
    connect: async () => clientOf(await connect(pool)),
    // The caller that opened the pool closes it.
    end: async () => {},
    options: pool.options,
  }
}

function clientOf(client: pg.PoolClient): PostgresPoolClient {
  let lost: unknown
  const query = (async (text: string, values: unknown[]) => {
    // A rollback would wait for the same answer again.
    if (lost) throw lost
    try {
      return await client.query({ text, values: values.map(storable), ...IN_TIME })
    } catch (error) {
      const thrown = asThrown(error)
      if (isLost(error)) lost = thrown
      throw thrown
    }
  }) as unknown as PostgresPoolClient['query']
  return { query, release: () => client.release(lost !== undefined) }
}

/** Opens Kysely for the verbs, on a pool that the caller closes. */
export function queriesOn(pool: pg.Pool): Kysely<Tables> {
  return new Kysely<Tables>({
    dialect: new SerializableDialect(pool),
    // PostgreSQL does not accept an empty list.
    plugins: [new HandleEmptyInListsPlugin({ strategy: replaceWithNoncontingentExpression })],
  })
}
