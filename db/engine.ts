import type { Expression, Selectable, SqlBool } from 'kysely'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { ScanPath } from '#db/scans/scan-path.ts'
import type { Tables } from '#db/schema.ts'

export type DatabaseSettings = {
  dataDir: string
  /** unset: SQLite in the data folder */
  databaseUrl: string | undefined
  /** connections to PostgreSQL for all but scans */
  databasePool: number
}

/** An open database, checked and migrated. Which one it is only its own folder knows. */
export type Engine = {
  openScanPath(clock: () => Date): ScanPath
  /** What the verbs take. Kysely is loaded here, which a start does not wait for. */
  queries(): Promise<Db>
  /** Reads the whole database; what is wrong with it, on one line, or null. */
  findDamage(): Promise<string | null>
  /** whether opening it has read the whole database already */
  isChecked: boolean
  close(): Promise<void>
}

/** A column of a row that is read for an export. */
export type Cell = string | number | null

/** A connection of its own for long reads, which no transaction keeps waiting. */
export type Reader = {
  /** The rows of a statement with `$1`, `$2` … for its parameters. */
  read(statement: string, parameters: string[]): Promise<Cell[][]>
  close(): void
}

/** Whole rows of tables, in the order in which they can be inserted. */
export type Rows = { [table in keyof Tables]?: readonly Selectable<Tables[table]>[] }

export type SearchedTable = 'accounts' | 'qr_codes'

/** What the engines do differently for a verb: it finds them by `differencesOf`. */
export type Differences = {
  /** Whether the indexed text of a row has one of these in it; undefined where a scan is quicker. */
  findByText(
    db: DbOrTrx,
    table: SearchedTable,
    texts: string[],
  ): Promise<Expression<SqlBool> | undefined>
  openReader(): Promise<Reader>
  /** What the database takes on the disk, in bytes, part by part. */
  measure(db: DbOrTrx): Promise<{ part: string; bytes: number }[]>
  /**
   * Inserts rows in one transaction, table by table, and adds the scans among them to their sums.
   */
  load(rows: Rows): Promise<void>
  /** Gives back memory that holds pages of the database, where this process has such memory. */
  dropPageCache?(): Promise<void>
}

/** Each engine gives its queries an adapter of Kysely's that is its differences too. */
export function differencesOf(db: DbOrTrx): Differences {
  return db.getExecutor().adapter as unknown as Differences
}

export type Finding = { status: 'ok' | 'warning' | 'problem'; message: string }

/** A database that is looked at and never changed, whatever its state. */
export type Inspection = {
  db: Db
  /** how many migrations it has seen */
  version: number
  /** What this engine alone can be asked, by the name of the check. */
  checks: [string, () => Finding | Promise<Finding>][]
  close(): Promise<void>
}

/** Who opens a database: a server must not block its only thread for as long as a command may. */
export type Opener = 'server' | 'command line'

/** The database that a restore replaces. Until then nothing in it changes. */
export type RestoreTarget = {
  /** whether it has data that does not stand in the data folder */
  hasData: boolean
  /** how often a restore goes through the data */
  passes: number
  /**
   * Puts a staged data folder with its SQLite file in the place of what is there, which is kept
   * under the name `aside`. A crash leaves the old or the new. `advance` is told which share of the
   * last pass was done. Answers the schema that has the old tables now.
   */
  replace(
    stage: string,
    aside: string,
    advance: (share: number) => void,
  ): Promise<string | undefined>
  close(): Promise<void>
}
