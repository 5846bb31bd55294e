import { expect, test } from 'vitest'
import { migrations } from '#db/migrations/index.ts'
import { migrateToLatest as migratePostgres } from '#db/postgres/migrate.ts'
import { openPool } from '#db/postgres/pool.ts'
import { migrateToLatest as migrateSqlite } from '#db/sqlite/migrate.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { ask, isOnPostgres, makeEmptyDatabase, run } from '#tests/support/postgres.ts'

/** The outbox of the version before alerts. */
const OLDER = migrations.slice(0, 2)
const WAITING = `insert into outbox values
  ('one', 'asha@example.in', 'Hi', 'text', 'html', 2, '2026-11-20', '2026-11-21', '2026-11-22'),
  ('two', 'ravi@example.in', 'Hi', 'text', null, 0, '2026-11-20', '2026-11-20', null)`
const ALL = 'select * from outbox order by id'

test('mails that wait during the migration wait afterwards', async () => {
  const rows = isOnPostgres() ? await migrateOnPostgres() : await migrateOnSqlite()
  const mail = {
    kind: 'email',
    event: null,
    account_id: null,
    channel_id: null,
    qr_id: null,
    subject: 'Hi',
    text: 'text',
    sender_name: null,
    created_at: '2026-11-20',
  }
  expect(rows).toEqual([
    {
      ...mail,
      id: 'one',
      cause_id: 'one',
      recipient: 'asha@example.in',
      html: 'html',
      attempts: 2,
      next_attempt_at: '2026-11-21',
      expires_at: '2026-11-22',
    },
    {
      ...mail,
      id: 'two',
      cause_id: 'two',
      recipient: 'ravi@example.in',
      html: '',
      attempts: 0,
      next_attempt_at: '2026-11-20',
      expires_at: '2026-11-20',
    },
  ])
})

async function migrateOnSqlite(): Promise<unknown[]> {
  const connection = openSqlite(':memory:', 0)
  await migrateSqlite(connection, OLDER)
  connection.exec(WAITING)
  await migrateSqlite(connection)
  const rows = connection.prepare(ALL).all()
  connection.close()
  return rows
}

async function migrateOnPostgres(): Promise<unknown[]> {
  const url = await makeEmptyDatabase()
  const pool = openPool(url, 1)
  await migratePostgres(pool, OLDER)
  await run(url, WAITING)
  await migratePostgres(pool)
  await pool.end()
  const rows = (await ask(url, ALL)) as { attempts: string }[]
  return rows.map((row) => ({ ...row, attempts: Number(row.attempts) }))
}
