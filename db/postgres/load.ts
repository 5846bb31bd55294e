import type pg from 'pg'
import { type Note, noteConflict, type Rows } from '#db/engine.ts'
import { withClient } from '#db/postgres/pool.ts'
import { quarterOf } from '#db/scans/scan-sums.ts'

/** Inserts rows in one transaction, one statement per table, and adds scans to the sums. */
export async function loadRows(pool: pg.Pool, rows: Rows, note?: Note): Promise<void> {
  await withClient(pool, async (client) => {
    await client.query('begin')
    try {
      if (note) await moveOn(client, note)
      for (const [table, all] of Object.entries(rows)) await insertRows(client, table, all)
      if (rows.scans) await addToSums(client, rows.scans)
      await client.query('commit')
    } catch (error) {
      await client.query('rollback')
      throw error
    }
  })
}

async function moveOn(client: pg.PoolClient, { key, from, to, act }: Note): Promise<void> {
  const update = 'update meta set value = $1 where key = $2 and value = $3'
  const { rowCount } = await client.query(update, [to, key, from])
  if (rowCount === 0) throw noteConflict()
  const noteDone = 'update audit_events set after = $1 where id = $2'
  await client.query(noteDone, [act.after, act.id])
}

async function insertRows(client: pg.PoolClient, table: string, rows: readonly object[]) {
  if (rows[0]) await insertJson(client, table, Object.keys(rows[0]), JSON.stringify(rows))
}

/** Inserts the rows of a JSON array with one statement. */
export async function insertJson(
  client: pg.ClientBase,
  table: string,
  columns: string[],
  rows: string,
): Promise<void> {
  const names = columns.join(', ')
  await client.query(
    `insert into ${table} (${names}) select ${names} from json_populate_recordset(null::${table}, $1)`,
    [rows],
  )
}

async function addToSums(
  client: pg.PoolClient,
  scans: readonly { qr_id: string; scanned_at: string }[],
): Promise<void> {
  const counted = scans.map(({ qr_id, scanned_at }) => ({ qr_id, quarter: quarterOf(scanned_at) }))
  const batch = JSON.stringify(counted)
  const from = 'from json_to_recordset($1) as scan (qr_id text, quarter text)'
  await client.query(
    `insert into scan_quarters (quarter, scans)
      select quarter, count(*) ${from} group by quarter order by quarter
      on conflict (quarter) do update set scans = scan_quarters.scans + excluded.scans`,
    [batch],
  )
  await client.query(
    `insert into owner_scans (owner_id, quarter, scans)
      select owner_id, quarter, count(*) ${from} join qr_codes using (qr_id)
      group by owner_id, quarter order by owner_id, quarter
      on conflict (owner_id, quarter) do update set scans = owner_scans.scans + excluded.scans`,
    [batch],
  )
}
