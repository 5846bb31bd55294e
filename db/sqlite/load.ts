import { setTimeout as sleep } from 'node:timers/promises'
import type Sqlite from 'better-sqlite3'
import { type Note, noteConflict, type Rows } from '#db/engine.ts'
import { prepareOnce } from '#db/sqlite/prepared.ts'
import { prepareScanSums } from '#db/sqlite/scan-sums.ts'

/** A program that waits for a lock which was held so long tries again within this time. */
const LONG_REST_MS = 30
/** A scan tries again in the next turn. */
const SHORT_REST_MS = 1

/** The last load of a connection: its end, its duration, and the number of writes until then. */
type Last = { endedAt: number; took: number; written: unknown }
const loads = new WeakMap<Sqlite.Database, Last>()

/** The rows of a statement. Before the next statement the index of texts writes its changes. */
const ROWS_AT_ONCE = 50

/** The index merges earlier writes in pieces, each in a transaction of about a millisecond. */
const PAGES_MERGED_AT_ONCE = 8
/**
 * The number of parts at which the index merges them. With 100,000 rows each row is then written again two or three
 * times, and five or six times with the default of 4.
 */
const PARTS_MERGED = 16
/** The index merges a larger number at once, which is no piece. */
const MOST_PARTS = 64
/** SQLite's own default. */
const USUAL_MOST_PARTS = 16

/**
 * Inserts rows in one transaction. Before it there is a pause since the last one, so that a running
 * server can write: a millisecond after a short one; 30 ms after a longer one, or as long as it took if another
 * program has written meanwhile.
 *
 * The rows are flushed to the disk with the next transaction of another kind: scans would wait for a flush
 * under the lock. A power cut takes the last ones together with their note.
 */
export async function loadRows(
  connection: Sqlite.Database,
  rows: Rows,
  note?: Note,
): Promise<void> {
  await rest(connection)
  connection.pragma('synchronous = NORMAL')
  const startedAt = performance.now()
  try {
    connection
      .transaction(() => {
        if (note) moveOn(connection, note)
        if (rows.qr_codes) {
          setIndex(connection, 'automerge', 0)
          setIndex(connection, 'crisismerge', MOST_PARTS)
        }
        for (const [table, all] of Object.entries(rows)) insertRows(connection, table, all)
        if (rows.scans) addToSums(connection, rows.scans)
        if (rows.qr_codes) {
          writeOutIndex(connection)
          setIndex(connection, 'automerge', USUAL_MERGE)
          setIndex(connection, 'crisismerge', USUAL_MOST_PARTS)
        }
      })
      .immediate()
    if (rows.qr_codes) mergeIndex(connection)
  } finally {
    connection.pragma('synchronous = FULL')
  }
  const endedAt = performance.now()
  loads.set(connection, { endedAt, took: endedAt - startedAt, written: otherWrites(connection) })
}

/** SQLite's own default. */
const USUAL_MERGE = 4

type IndexSetting = 'automerge' | 'usermerge' | 'crisismerge' | 'merge'

/**
 * Left to itself the index of codes' texts now and then merges hundreds of pages in the transaction of those who
 * write to it, which scans would wait for.
 */
function setIndex(connection: Sqlite.Database, command: IndexSetting, value: number) {
  const columns = 'qr_code_search (qr_code_search, rank)'
  prepareOnce(connection, `insert into ${columns} values ('${command}', ${value})`).run()
}

/** Merges a piece if there are `PARTS_MERGED` parts. Returns false if there was nothing to merge. */
function mergeIndex(connection: Sqlite.Database): boolean {
  return connection
    .transaction(() => {
      setIndex(connection, 'usermerge', PARTS_MERGED)
      const before = countChanges(connection)
      setIndex(connection, 'merge', PAGES_MERGED_AT_ONCE)
      // The statement itself is one.
      const hasMerged = countChanges(connection) - before > 1
      setIndex(connection, 'usermerge', USUAL_MERGE)
      return hasMerged
    })
    .immediate()
}

const countChanges = (connection: Sqlite.Database) =>
  prepareOnce(connection, 'select total_changes()').pluck().get() as number

/** Merges so much that the next writer need not merge all at once. */
export async function finishLoad(connection: Sqlite.Database): Promise<void> {
  while (mergeIndex(connection)) await sleep(SHORT_REST_MS)
}

/** With the settings that it has now. A savepoint does it. */
function writeOutIndex(connection: Sqlite.Database): void {
  prepareOnce(connection, 'savepoint written').run()
  prepareOnce(connection, 'release written').run()
}

async function rest(connection: Sqlite.Database): Promise<void> {
  const last = loads.get(connection)
  if (!last) return
  const { endedAt, took, written } = last
  const until = async (time: number) => {
    const left = time - performance.now()
    if (left > 0) await sleep(left)
  }
  await until(endedAt + (took < LONG_REST_MS ? SHORT_REST_MS : LONG_REST_MS))
  if (took > LONG_REST_MS && otherWrites(connection) !== written) await until(endedAt + took)
}

function moveOn(connection: Sqlite.Database, { key, from, to, act }: Note): void {
  const update = prepareOnce(connection, 'update meta set value = ? where key = ? and value = ?')
  if (update.run(to, key, from).changes === 0) throw noteConflict()
  const noteDone = prepareOnce(connection, 'update audit_events set after = ? where id = ?')
  noteDone.run(act.after, act.id)
}

/** A number that changes with every transaction of another connection. */
function otherWrites(connection: Sqlite.Database): unknown {
  return connection.pragma('data_version', { simple: true })
}

function addToSums(connection: Sqlite.Database, scans: Rows['scans'] & {}): void {
  const sums = prepareScanSums(connection)
  sums.add(
    scans.map(({ qr_id, scanned_at }) => ({ owner_id: sums.ownerOf(qr_id) ?? '', scanned_at })),
  )
}

function insertRows(connection: Sqlite.Database, table: string, rows: readonly object[]): void {
  if (!rows[0]) return
  const columns = Object.keys(rows[0]) as never[]
  const marks = `(${columns.map(() => '?').join(', ')})`
  for (let from = 0; from < rows.length; from += ROWS_AT_ONCE) {
    const some = rows.slice(from, from + ROWS_AT_ONCE)
    const all = some.map(() => marks).join(', ')
    prepareOnce(connection, `insert into ${table} (${columns.join(', ')}) values ${all}`).run(
      some.flatMap((row) => columns.map((column) => row[column])),
    )
  }
}
