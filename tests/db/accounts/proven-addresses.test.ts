import { expect, test } from 'vitest'
import { queriesOn } from '#db/kysely.ts'
import { migrateToLatest } from '#db/migrate.ts'
import { migrations } from '#db/migrations/index.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'

const MADE = '2026-01-01T00:00:00.000Z'

test('of the accounts there were, those that a one-time code or a provider made are proven', async () => {
  const connection = openSqlite(':memory:', 0)
  await migrateToLatest(connection, migrations.slice(0, 10))
  const insert = connection.prepare(`insert into accounts values
    (:id, :id, :email, :mobile, null, 'client', 'free', 1, 0, 1, :parent, '${MADE}')`)
  const add = (id: string, { mobile = null, parent = null }: Record<string, string | null> = {}) =>
    insert.run({ id, email: mobile ? null : `${id}@example.in`, mobile, parent })
  add('registered')
  add('by-shell')
  add('by-shell-then-google')
  add('child', { parent: 'registered' })
  add('child-with-google', { parent: 'registered' })
  add('number-only', { mobile: '+919814012345' })
  const act = connection.prepare(`insert into audit_events
    (id, happened_at, actor_id, actor, action, subject_type, subject_id) values
    (:id, '${MADE}', null, 'command line', :action, 'account', :id)`)
  for (const id of ['by-shell', 'by-shell-then-google']) act.run({ id, action: 'account.created' })
  act.run({ id: 'registered', action: 'account.plan_set' })
  const join = connection.prepare(`insert into google_identities values ('g', :id, :id, '${MADE}')`)
  for (const id of ['by-shell-then-google', 'child-with-google']) join.run({ id })

  await migrateToLatest(connection, migrations)
  const rows = await queriesOn(connection)
    .selectFrom('accounts')
    .select(['id', 'email_verified_at'])
    .orderBy('id')
    .execute()
  expect(Object.fromEntries(rows.map((row) => [row.id, row.email_verified_at]))).toEqual({
    'by-shell': null,
    'by-shell-then-google': MADE,
    child: null,
    'child-with-google': MADE,
    'number-only': null,
    registered: MADE,
  })
  connection.close()
})
