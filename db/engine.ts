import type { Expression, Insertable, SqlBool } from 'kysely'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { ScanPath } from '#db/scans/scan-path.ts'
import type { Tables } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'

export type DatabaseSettings = {
  dataDir: string
  /** undefined: SQLite in the data folder */
  databaseUrl: string | undefined
  /** the number of connections to PostgreSQL, without those for scans */
  databasePool: number
}

/** An open database, checked and migrated, of either engine. */
export type Engine = {
  openScanPath(clock: () => Date): ScanPath
  /** Kysely for the verbs. It is loaded here, because a start does not wait for it. */
  queries(): Promise<Db>
  /** Reads the whole database. Resolves with the first damage on one line, or null. */
  findDamage(): Promise<string | null>
  /** whether opening it has read the whole database already */
  isChecked: boolean
  close(): Promise<void>
}

/** A value in a row of an export. */
export type Cell = string | number | null

/** A separate connection for long reads, which transactions do not delay. */
export type Reader = {
  /** The rows of a statement with the parameters `$1`, `$2` … */
  read(statement: string, parameters: string[]): Promise<Cell[][]>
  close(): void
}

/** Rows of tables, in an order in which they can be inserted; those of a table have the same columns. */
export type Rows = { [table in keyof Tables]?: readonly Insertable<Tables[table]>[] }

/** A note in `meta` that a transaction moves on, and that nobody else may have moved meanwhile. */
export type Note = { key: string; from: string; to: string }

/** The refusal of a note that somebody else has moved on. */
export function movedOn(): DomainError {
  return new DomainError('conflict', 'The same is under way already')
}

export type SearchedTable = 'accounts' | 'qr_codes'

/** What differs between the engines for a verb, which gets it by `differencesOf`. */
export type Differences = {
  /**
   * Whether the indexed text of a row contains one of the texts; undefined where reading the rows
   * is faster.
   */
  findByText(
    db: DbOrTrx,
    table: SearchedTable,
    texts: string[],
  ): Promise<Expression<SqlBool> | undefined>
  openReader(): Promise<Reader>
  /** The size of the database on the disk, in bytes, by part. */
  measure(db: DbOrTrx): Promise<{ part: string; bytes: number }[]>
  /**
   * Inserts rows in one transaction, table by table, and adds their scans to the sums. With a note it
   * throws conflict, and inserts nothing, unless the note is as it was.
   */
  load(rows: Rows, note?: Note): Promise<void>
  /** Frees this process's cache of database pages, if there is one. */
  dropPageCache?(): Promise<void>
}

/** The adapter that an engine gives to Kysely also implements `Differences`. */
export function differencesOf(db: DbOrTrx): Differences {
  return db.getExecutor().adapter as unknown as Differences
}

export type Finding = { status: 'ok' | 'warning' | 'problem'; message: string }

/** A database that is only read, whatever its state. */
export type Inspection = {
  db: Db
  /** how many migrations have run on it */
  version: number
  /** The checks that only this engine has, by name. */
  checks: [string, () => Finding | Promise<Finding>][]
  close(): Promise<void>
}

/** Who opens a database. A server must block its only thread for less time than a command may. */
export type Opener = 'server' | 'command line'

/** The database that a restore replaces. `replace` is the only call that changes it. */
export type RestoreTarget = {
  /** whether it has data outside the data folder */
  hasData: boolean
  /** how many times a restore reads or writes all the data, for its progress */
  passes: number
  /**
   * Replaces the data by a staged data folder with its SQLite file, and keeps the old data under the
   * name `aside`. After a crash there is the old or the new data. `advance` receives the share of the
   * last pass that was just done. Returns the schema with the old tables, if there is one.
   */
  replace(
    stage: string,
    aside: string,
    advance: (share: number) => void,
  ): Promise<string | undefined>
  close(): Promise<void>
}
