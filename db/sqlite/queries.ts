/**
 * Kysely over SQLite. A start does not load it, because strangers' scans use prepared statements.
 */
import { stat } from 'node:fs/promises'
import type Sqlite from 'better-sqlite3'
import {
  CompiledQuery,
  type DatabaseConnection,
  Kysely,
  type OperatorNode,
  SqliteAdapter,
  SqliteDialect,
  SqliteDriver,
  SqliteQueryCompiler,
} from 'kysely'
import type { Differences, Note, Reader, Rows } from '#db/engine.ts'
import type { Tables } from '#db/schema.ts'
import type { FlushedLog } from '#db/sqlite/flushed-log.ts'
import { finishLoad, loadRows } from '#db/sqlite/load.ts'
import { prepareOnce } from '#db/sqlite/prepared.ts'
import { isBusy, openSqlite, SERVER_BUSY_MS } from '#db/sqlite/sqlite.ts'
import { findByText } from '#db/sqlite/text-search.ts'
import type { Turns } from '#db/sqlite/turns.ts'

/**
 * The hooks of a connection for background work: the flush after each commit, because it does not
 * flush by itself, and its turns in another thread.
 */
type Beside = { flush: FlushedLog['flush']; turns?: Turns | undefined }

/** The time for which a transaction tries to begin, asynchronously. */
const BUSY_GIVE_UP_MS = 10_000

/**
 * Kysely's plain `begin` starts with a read lock. If the command line writes in between, the first
 * write fails with SQLITE_BUSY_SNAPSHOT. `begin immediate` waits instead. It waits asynchronously,
 * so that a long write of the command line does not block the server.
 */
class ImmediateDriver extends SqliteDriver {
  readonly #connection: Sqlite.Database
  readonly #beside: Beside | undefined
  /** Rows that this connection has changed before the transaction. */
  #changesBefore = 0

  constructor(connection: Sqlite.Database, beside: Beside | undefined) {
    // Pages and the work beside them run the same statements again and again.
    const prepare = (text: string) => prepareOnce(connection, text)
    super({ database: { prepare, close: () => connection.close() } })
    this.#connection = connection
    this.#beside = beside
  }

  override async beginTransaction(connection: DatabaseConnection): Promise<void> {
    const giveUpAt = performance.now() + BUSY_GIVE_UP_MS
    for (;;) {
      try {
        await connection.executeQuery(CompiledQuery.raw('begin immediate'))
        this.#beside?.turns?.take()
        if (this.#beside) this.#changesBefore = this.#countChanges()
        return
      } catch (error) {
        if (!isBusy(error) || performance.now() > giveUpAt) throw error
        await new Promise((resolve) => setTimeout(resolve, 10 + Math.random() * 40))
      }
    }
  }

  override async commitTransaction(connection: DatabaseConnection): Promise<void> {
    await super.commitTransaction(connection)
    this.#beside?.turns?.release()
    // A search every few seconds that finds nothing must not flush a sleeping disk.
    if (this.#beside && this.#countChanges() > this.#changesBefore) await this.#beside.flush()
  }

  #countChanges(): number {
    return prepareOnce(this.#connection, 'select total_changes()').pluck().get() as number
  }

  /** A full or broken disk ends the transaction itself. Then only its own error is thrown. */
  override async rollbackTransaction(connection: DatabaseConnection): Promise<void> {
    if (this.#connection.inTransaction) await super.rollbackTransaction(connection)
    this.#beside?.turns?.release()
  }
}

/** Translates statements for PostgreSQL into SQLite's dialect. */
class TranslatingCompiler extends SqliteQueryCompiler {
  /** SQLite's `like` is PostgreSQL's `ilike`: it ignores the case of a to z. */
  protected override visitOperator(node: OperatorNode): void {
    this.append(node.operator === 'ilike' ? 'like' : node.operator)
  }

  /** `for update skip locked`: a transaction has the whole file to itself, and finds no row locked. */
  protected override visitSelectModifier(): void {}
}

class SqliteDifferences extends SqliteAdapter implements Differences {
  readonly #connection: Sqlite.Database
  readonly findByText = findByText

  constructor(connection: Sqlite.Database) {
    super()
    this.#connection = connection
  }

  async openReader(): Promise<Reader> {
    const connection = openSqlite(this.#connection.name, SERVER_BUSY_MS)
    const prepared = new Map<string, Sqlite.Statement>()
    return {
      async read(text, parameters) {
        const statement = prepared.get(text) ?? connection.prepare(text).raw()
        prepared.set(text, statement)
        const named = Object.fromEntries(parameters.map((value, i) => [i + 1, value]))
        return statement.all(named) as Awaited<ReturnType<Reader['read']>>
      },
      close: () => void connection.close(),
    }
  }

  /** The sizes of the file and of its write-ahead log. */
  async measure() {
    const { name } = this.#connection
    return [
      { part: 'Size', bytes: await sizeOf(name) },
      { part: 'Write-ahead log', bytes: await sizeOf(`${name}-wal`) },
    ]
  }

  async dropPageCache(): Promise<void> {
    this.#connection.pragma('shrink_memory')
  }

  async load(rows: Rows, note?: Note): Promise<void> {
    await loadRows(this.#connection, rows, note)
  }

  async finishLoad(): Promise<void> {
    await finishLoad(this.#connection)
  }
}

async function sizeOf(path: string): Promise<number> {
  return stat(path).then(
    ({ size }) => size,
    (error) => {
      if (error.code === 'ENOENT') return 0
      throw error
    },
  )
}

class ImmediateDialect extends SqliteDialect {
  readonly #connection: Sqlite.Database
  readonly #beside: Beside | undefined

  constructor(connection: Sqlite.Database, beside: Beside | undefined) {
    super({ database: connection })
    this.#connection = connection
    this.#beside = beside
  }

  override createDriver(): SqliteDriver {
    return new ImmediateDriver(this.#connection, this.#beside)
  }

  override createQueryCompiler(): SqliteQueryCompiler {
    return new TranslatingCompiler()
  }

  override createAdapter(): SqliteAdapter {
    return new SqliteDifferences(this.#connection)
  }
}

/** Opens Kysely for the verbs, on a connection that the caller closes. */
export function queriesOn(connection: Sqlite.Database, beside?: Beside): Kysely<Tables> {
  return new Kysely<Tables>({ dialect: new ImmediateDialect(connection, beside) })
}
