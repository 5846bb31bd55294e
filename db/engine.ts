import type { Expression, Insertable, SqlBool } from 'kysely'
import type { Db, DbOrTrx } from '#db/client.ts'
import type { NoteCommit, ScanPath } from '#db/scans/scan-path.ts'
import type { Tables } from '#db/schema.ts'
import type { SecretKey } from '#db/secrets.ts'
import { DomainError } from '#domain/error.ts'

export type DatabaseSettings = {
  dataDir: string
  /** undefined: SQLite in the data folder */
  databaseUrl: string | undefined
  /** the number of connections to PostgreSQL, without those for scans */
  databasePool: number
  /** undefined: the key is in the data folder */
  secretKeyFile?: string | undefined
}

/** The lock of the background work that only one process may do at a time. */
export type Duty = {
  /** Aborted when another process may have it. */
  lost: AbortSignal
  release(): void
}

/** The parts of an open database that background work needs. */
export type WorkEngine = {
  /** Kysely for the verbs. It is loaded here, because a start does not wait for it. */
  queries(): Promise<Db>
  /**
   * The time of the database, so that servers whose own clocks differ agree on how long a claim holds.
   * Undefined if the database uses the machine's clock.
   */
  clock: (() => Date) | undefined
  /** Takes the duty of the one worker. Resolves with undefined while another process has it. */
  takeDuty(): Promise<Duty | undefined>
  close(): Promise<void>
}

/** An open database, checked and migrated, of either engine. */
export type Engine = WorkEngine & {
  /** the id of the installation, which its data folder and its storage have too */
  installId: string
  /** the key whose fingerprint the database has */
  secretKey: SecretKey
  /** Calls `noteCommit` with the number of scans of each commit. */
  openScanPath(clock: () => Date, noteCommit?: NoteCommit): ScanPath
  /** The version of the schema. Rejects while the database does not answer or cannot be written. */
  readVersion(): Promise<number>
  /** Whether anybody has an account, as the text after a start says. It needs no Kysely. */
  hasAccounts(): Promise<boolean>
  /** The connections to a database server; none for a file. */
  listPools(): PoolUse[]
  /** Opens the same database for background work, whose commits must not delay answers. */
  forWork(): Promise<WorkEngine>
  /** The argument of `openForWork` in another thread of this process. */
  forThread: SharedArrayBuffer | undefined
  /** Reads the whole database. Resolves with the first damage on one line, or null. */
  findDamage(): Promise<string | null>
  /** whether the whole database was read when it was opened */
  isChecked: boolean
}

/** The connections of a pool now. `waiting` counts the queries that wait for a connection. */
export type PoolUse = {
  pool: 'queries' | 'scans'
  most: number
  used: number
  idle: number
  waiting: number
}

/** A value in a row of an export. */
export type Cell = string | number | null

/** A row of any table, by column. */
export type Row = Record<string, Cell>

/** The rows of a database, table by table. */
export type RowReader = {
  installId: string
  tables(): Promise<string[]>
  count(table: string): Promise<number>
  /** All rows of a table, some at a time, in no order. */
  rows(table: string): AsyncIterable<Row[]>
  close(): Promise<void>
}

/** The database that a move copies. Nobody writes to it until it is closed. */
export type MoveSource = RowReader & {
  /** the names of stored files in its rows */
  storedNames(): Promise<string[]>
}

/** The state of a move that was interrupted. */
export type MoveState = { isCompleting: boolean }

/** The database that a move fills. It cannot be used before `complete`. */
export type MoveTarget = Omit<RowReader, 'installId'> & {
  /** Creates the tables, unless an interrupted move has created them. Nothing is changed before this call. */
  prepare(): Promise<void>
  /** Replaces the rows of a table. */
  fill(table: string, rows: AsyncIterable<Row[]>): Promise<void>
  /** Checks the references, and completes the database, so that a server can open it. */
  complete(): Promise<void>
}

/** A separate connection for long reads, which transactions do not delay. */
export type Reader = {
  /** The rows of a statement with the parameters `$1`, `$2` … */
  read(statement: string, parameters: string[]): Promise<Cell[][]>
  close(): void
}

/** Rows of tables, in an order in which they can be inserted; those of a table have the same columns. */
export type Rows = { [table in keyof Tables]?: readonly Insertable<Tables[table]>[] }

/**
 * A note in `meta` that a transaction updates if no other has updated it meanwhile, with the new
 * text of the audit log's entry.
 */
export type Note = { key: string; from: string; to: string; act: { id: string; after: string } }

/** Returns the error for a note that another transaction has updated. */
export function noteConflict(): DomainError {
  return new DomainError('conflict.under_way')
}

export type SearchedTable = 'accounts' | 'qr_codes'

/** The differences between the engines for a verb, which gets them by `differencesOf`. */
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
   * throws conflict, and inserts nothing, if the note has changed.
   */
  load(rows: Rows, note?: Note): Promise<void>
  /** Finishes a series of loads, if the engine has work left after them. */
  finishLoad?(): Promise<void>
  /** Frees this process's cache of database pages, if there is one. */
  dropPageCache?(): Promise<void>
}

/** Returns the differences of a connection's engine, which the adapter of Kysely also implements. */
export function differencesOf(db: DbOrTrx): Differences {
  return db.getExecutor().adapter as unknown as Differences
}

export type Finding = {
  status: 'ok' | 'warning' | 'problem'
  message: string
  /** true: nothing is wrong, but only a trial goes without it */
  isLacking?: true
}

/** A database in any state, opened for reading only. */
export type Inspection = {
  db: Db
  /** of its schema */
  version: number
  /** The checks that only this engine has, by name. */
  checks: [string, () => Finding | Promise<Finding>][]
  close(): Promise<void>
}

/** Called with the schema of a database with data before it is migrated. When it throws, nothing is migrated. */
export type BeforeMigration = (schemas: { from: number; to: number }) => Promise<void>

/** The opener of a database. A server must block its only thread for less time than a command may. */
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
