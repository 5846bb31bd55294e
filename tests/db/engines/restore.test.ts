import { copyFileSync, existsSync, readdirSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openEngine } from '#db/open-engine.ts'
import { restoreBackup } from '#storage/backup/restore.ts'
import { testOnPostgres } from '#tests/support/database.ts'
import {
  ASIDE,
  archiveOf,
  type Installation,
  makeInstallation,
  NOW,
  newPlace,
  restoreInto,
  temporaryFolder,
  wholeOf,
} from '#tests/support/installation.ts'
import { ask, databaseOf, makeEmptyDatabase, run } from '#tests/support/postgres.ts'

const urlOf = ({ databaseUrl = '' }: Installation) => databaseUrl
const nameOf = (place: Installation) => databaseOf(urlOf(place))

/** All that the catalog says of our tables, so that nothing of them can be lost on the way. */
const SCHEMA = `
  select 'constraint ' || conrelid::regclass || ' ' || conname || ' ' || pg_get_constraintdef(oid) as it
    from pg_constraint where connamespace = 'public'::regnamespace
  union all
  select 'index ' || indexdef from pg_indexes where schemaname = 'public'
  union all
  select 'trigger ' || tgenabled::text || pg_get_triggerdef(oid) from pg_trigger where not tgisinternal
    and tgrelid in (select oid from pg_class where relnamespace = 'public'::regnamespace)
  union all
  select 'column ' || attrelid::regclass || ' ' || attnum || attname || atttypid::regtype || attnotnull || attidentity::text
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where relnamespace = 'public'::regnamespace and relkind = 'r' and attnum > 0
  union all
  select 'function ' || proname || prosrc from pg_proc
    where pronamespace = 'public'::regnamespace and prolang <> 13
  order by 1`

const schemasOf = async (place: Installation) =>
  (await ask(
    urlOf(place),
    "select nspname as name from pg_namespace where nspname like 'replaced%' order by 1",
  )) as { name: string }[]

testOnPostgres.each([
  ['sqlite', 'postgres'],
  ['postgres', 'sqlite'],
  ['postgres', 'postgres'],
] as const)('a backup of %s is restored into %s: each row and file, the key', async (from, to) => {
  const source = await makeInstallation(from, 'Asha')
  const before = await wholeOf(source)
  for (const [table, rows] of Object.entries(before.rows))
    expect([table, rows]).not.toEqual([table, []])
  const target = await newPlace(to)
  const { manifest, aside, asideSchema } = await restoreInto(target, await archiveOf(source))
  expect(manifest).toMatchObject({ files: 1, counts: { accounts: 2 } })
  expect({ aside, asideSchema }).toEqual({ aside: undefined, asideSchema: undefined })
  expect(await wholeOf(target)).toEqual(before)
  expect(readdirSync(target.dataDir).sort()).toEqual(
    [
      ...(to === 'sqlite' ? ['driveqr.db'] : []),
      'files',
      'install-id',
      'lock',
      'secret.key',
    ].sort(),
  )
  // And back again.
  const back = await newPlace(from)
  await restoreInto(back, await archiveOf(target))
  expect(await wholeOf(back)).toEqual(before)
})

testOnPostgres(
  'a restored database has the schema of a new one, and its numbers go on',
  async () => {
    const source = await makeInstallation('sqlite', 'Asha')
    const [target, fresh] = [await newPlace('postgres'), await newPlace('postgres')]
    await (await openEngine({ ...fresh, databasePool: 1 })).close()
    await restoreInto(target, await archiveOf(source))
    const expected = await ask(urlOf(fresh), SCHEMA)
    expect(expected.length).toBeGreaterThan(100)
    expect(await ask(urlOf(target), SCHEMA)).toEqual(expected)
    const [{ highest }] = (await ask(
      urlOf(target),
      'select max(n) as highest from wrong_guesses',
    )) as [{ highest: string }]
    const [{ n }] = (await ask(
      urlOf(target),
      `insert into wrong_guesses (contact_hash, source_hash, kind, is_known_device, in_row, guessed_at)
      values ('c', 's', 'code', 0, 0, '2026') returning n`,
    )) as [{ n: string }]
    expect(Number(n)).toBe(Number(highest) + 1)
  },
)

testOnPostgres('present data stays unless it is to be replaced, and is kept aside', async () => {
  const file = await archiveOf(await makeInstallation('sqlite', 'Asha'))
  const place = await makeInstallation('postgres', 'Ravi')
  const ravi = await wholeOf(place)
  await expect(restoreInto(place, file)).rejects.toThrow(
    `${place.dataDir} has data: use --replace to put it aside`,
  )
  const elsewhere = { ...place, dataDir: join(temporaryFolder(), 'new') }
  await expect(restoreInto(elsewhere, file)).rejects.toThrow(
    'The database of DATABASE_URL has data: use --replace to put it aside',
  )
  expect(existsSync(elsewhere.dataDir)).toBe(false)
  expect(await wholeOf(place)).toEqual(ravi)

  const { aside = '', asideSchema } = await restoreInto(place, file, true)
  expect((await wholeOf(place)).rows.accounts?.join()).toContain('Asha')
  expect({ aside, asideSchema }).toEqual({
    aside: join(place.dataDir, ASIDE.folder),
    asideSchema: ASIDE.schema,
  })
  const again = await restoreInto(place, file, true)
  expect(again).toMatchObject({ aside: `${aside}-2`, asideSchema: `${ASIDE.schema}_2` })
  // The manual's way back.
  await run(
    urlOf(place),
    `alter database ${nameOf(place)} set search_path = ${ASIDE.schema}, public`,
  )
  const old = await wholeOf({ ...place, dataDir: aside }).finally(() =>
    run(urlOf(place), `alter database ${nameOf(place)} reset search_path`),
  )
  expect(old).toEqual(ravi)
})

testOnPostgres('an installation moves from SQLite to PostgreSQL, in place, and back', async () => {
  const source = await makeInstallation('sqlite', 'Asha')
  const { dataDir } = source
  const before = await wholeOf(source)
  const moved = { dataDir, databaseUrl: await makeEmptyDatabase() }
  const { aside = '', asideSchema } = await restoreInto(moved, await archiveOf(source), true)
  expect(asideSchema).toBeUndefined()
  expect(await wholeOf(moved)).toEqual(before)
  expect(existsSync(join(dataDir, 'driveqr.db'))).toBe(false)
  expect(await wholeOf({ dataDir: aside, databaseUrl: undefined })).toEqual(before)
  await restoreInto(source, await archiveOf(moved), true)
  expect(await wholeOf(source)).toEqual(before)
})

testOnPostgres('nothing is restored under a server, wherever that is', async () => {
  const file = await archiveOf(await makeInstallation('sqlite', 'Asha'))
  const place = await makeInstallation('postgres', 'Ravi')
  const elsewhere = { ...place, dataDir: join(temporaryFolder(), 'data') }
  const server = await openEngine({ ...place, databasePool: 1 })
  await server.queries().then((db) => db.selectFrom('meta').select('key').execute())
  await expect(restoreInto(elsewhere, file, true)).rejects.toThrow(
    'A server or a command is using the database of DATABASE_URL: stop it first',
  )
  await run(
    urlOf(place),
    "select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'driveqr' and datname = current_database()",
  )
  await expect(restoreInto(place, file, true)).rejects.toThrow(
    `A server or a command is using ${place.dataDir}: stop it first`,
  )
  await server.close()
  await expect(restoreInto(place, file, true)).resolves.toBeTruthy()
})

testOnPostgres('a bad archive changes nothing, in the database neither', async () => {
  const good = await archiveOf(await makeInstallation('sqlite', 'Asha'))
  const place = await makeInstallation('postgres', 'Ravi')
  const before = await wholeOf(place)
  const bad = join(temporaryFolder(), 'bad.tar')
  copyFileSync(good, bad)
  truncateSync(bad, 50_000)
  await expect(restoreInto(place, bad, true)).rejects.toThrow('This backup is damaged')
  writeFileSync(bad, 'nothing')
  await expect(restoreInto(place, bad, true)).rejects.toThrow('This is not a backup of DriveQR')
  expect(await wholeOf(place)).toEqual(before)
  expect(await schemasOf(place)).toEqual([])
  expect(existsSync(join(place.dataDir, 'restore'))).toBe(false)
  const absent = await newPlace('postgres')
  await expect(restoreInto(absent, bad)).rejects.toThrow('This is not a backup of DriveQR')
  expect(existsSync(absent.dataDir)).toBe(false)
  expect(await ask(urlOf(absent), "select 1 from pg_class where relname = 'meta'")).toEqual([])
})

testOnPostgres('tables of another program stay, those of a newer one make room', async () => {
  const file = await archiveOf(await makeInstallation('sqlite', 'Asha'))
  const foreign = await newPlace('postgres')
  await run(urlOf(foreign), 'create table theirs (a int)')
  await expect(restoreInto(foreign, file, true)).rejects.toThrow('tables of another program')
  const newer = await makeInstallation('postgres', 'Ravi')
  await run(urlOf(newer), 'update schema_version set version = 99')
  await expect(restoreInto(newer, file, true)).resolves.toMatchObject({ asideSchema: ASIDE.schema })
  expect((await wholeOf(newer)).rows.accounts?.join()).toContain('Asha')
})

testOnPostgres('a database that cannot be reached or written is said in one line', async () => {
  const file = await archiveOf(await makeInstallation('sqlite', 'Asha'))
  const place = await newPlace('postgres')
  const gone = { ...place, databaseUrl: `${place.databaseUrl}_gone` }
  await expect(restoreInto(gone, file)).rejects.toThrow(/^PostgreSQL has no database \S+_gone/)
  expect(existsSync(place.dataDir)).toBe(false)
  const kept = await makeInstallation('postgres', 'Ravi')
  const before = await wholeOf(kept)
  await run(
    urlOf(kept),
    'create role reader login',
    'grant usage on schema public to reader',
    'grant select on all tables in schema public to reader',
  )
  const asReader = { ...kept, databaseUrl: urlOf(kept).replace('driveqr@', 'reader@') }
  await expect(restoreInto(asReader, file, true)).rejects.toThrow(
    /^PostgreSQL does not let reader do what is needed \(.+\): make it the owner of the database$/,
  )
  await run(urlOf(kept), 'drop owned by reader', 'drop role reader')
  expect(await wholeOf(kept)).toEqual(before)
})

testOnPostgres('a zero character, which PostgreSQL refuses, does not stop a restore', async () => {
  const source = await makeInstallation('sqlite', 'As\0ha')
  const target = await newPlace('postgres')
  await restoreInto(target, await archiveOf(source))
  expect((await wholeOf(target)).rows.accounts?.join()).toContain('As\ufffdha')
})

testOnPostgres('a restore whose connection is cut leaves what was there', async () => {
  const file = await archiveOf(await makeInstallation('sqlite', 'Asha'))
  const place = await makeInstallation('postgres', 'Ravi')
  const before = await wholeOf(place)
  let isCut = false
  const cutting = restoreBackup({ ...place, file, replace: true, now: NOW }, (total) => {
    let done = 0
    return (bytes) => {
      done += bytes
      if (done < total * 0.6 || isCut) return
      isCut = true
      void run(
        urlOf(place).replace(/[^/]+$/, 'postgres'),
        `select pg_terminate_backend(pid) from pg_stat_activity where application_name = 'driveqr'
          and datname = '${nameOf(place)}'`,
      )
    }
  })
  await expect(cutting).rejects.toThrow(/^PostgreSQL at \S+ (does not answer|says terminating)/)
  expect(isCut).toBe(true)
  expect(await wholeOf(place)).toEqual(before)
  expect(await schemasOf(place)).toEqual([])
})
