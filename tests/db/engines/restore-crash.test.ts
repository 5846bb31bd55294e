import { cpSync, existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { openEngine } from '#db/open-engine.ts'
import { MIGRATION_LOCK } from '#db/postgres/migrate.ts'
import { testOnPostgres } from '#tests/support/database.ts'
import {
  archiveOf,
  filesOf,
  type Installation,
  makeInstallation,
  temporaryFolder,
  wholeOf,
} from '#tests/support/installation.ts'
import { runMortal } from '#tests/support/mortal.ts'
import { ask, copyDatabase, databaseOf } from '#tests/support/postgres.ts'

const AT_ONCE = 3

/** Resolves with the step before which it was killed, or `survived`. */
function restoreAndDie(
  file: string,
  { dataDir, databaseUrl = '' }: Installation,
  dieBefore: number | string,
  how = 'die',
): Promise<string> {
  return runMortal('restorer', [file, dataDir, String(dieBefore), databaseUrl, how])
}

async function openBoth() {
  const source = await makeInstallation('sqlite', 'Asha')
  const victim = await makeInstallation('postgres', 'Ravi')
  const [restored, old] = [await wholeOf(source), await wholeOf(victim)]
  return { file: await archiveOf(source), victim, restored, old }
}

async function copyOf({ dataDir, databaseUrl = '' }: Installation): Promise<Installation> {
  const copy = join(temporaryFolder(), 'data')
  cpSync(dataDir, copy, { recursive: true })
  return { dataDir: copy, databaseUrl: await copyDatabase(databaseUrl) }
}

const schemasOf = ({ databaseUrl = '' }: Installation) =>
  ask(databaseUrl, "select 1 from pg_namespace where nspname like 'replaced%'")

testOnPostgres('a restore killed at any step leaves the old data or the new, whole', async () => {
  const { file, victim, restored, old } = await openBoth()
  const died: string[] = []
  const outcomes: ('old' | 'new')[] = []
  let unfinished = 0
  for (let isOver = false; !isOver; ) {
    const batch = Array.from({ length: AT_ONCE }, async (_, n) => {
      const place = await copyOf(victim)
      const step = await restoreAndDie(file, place, died.length + n + 1)
      const isUndecided = existsSync(join(place.dataDir, 'restore', 'undecided'))
      // The state that the next start finds stays.
      const found = await wholeOf(place)
      expect(existsSync(join(place.dataDir, 'restore'))).toBe(false)
      const isAside = readdirSync(place.dataDir).some((name) => name.startsWith('replaced-'))
      expect(isAside).toBe((await schemasOf(place)).length > 0)
      return { step, found, isAside, isUndecided }
    })
    for (const { step, found, isAside, isUndecided } of await Promise.all(batch)) {
      expect(found).toEqual(isAside ? restored : old)
      outcomes.push(isAside ? 'new' : 'old')
      if (isAside && isUndecided) unfinished++
      if (step === 'survived') isOver = true
      else died.push(step)
    }
  }
  expect(died.filter((step) => step === 'query').length).toBeGreaterThan(2)
  expect(died).toContain('before commit')
  expect(outcomes[died.indexOf('before commit')]).toBe('old')
  // The commit was the decision: the start after it asked the database, and moved the files.
  expect(unfinished).toBeGreaterThan(0)
  const first = outcomes.indexOf('new')
  expect(new Set(outcomes.slice(first))).toEqual(new Set(['new']))
})

testOnPostgres('without the repair a restore killed at its commit leaves half of it', async () => {
  const { file, victim, old } = await openBoth()
  expect(await restoreAndDie(file, victim, 'commit')).toBe('commit')
  const { dataDir, databaseUrl = '' } = victim
  await ask(databaseUrl, `select pg_advisory_xact_lock(${MIGRATION_LOCK})`)
  expect(JSON.stringify(await ask(databaseUrl, 'select name from accounts'))).toContain('Asha')
  expect(filesOf(dataDir)).toEqual(old.files)
})

testOnPostgres('a restore that fails just before its commit leaves what was there', async () => {
  const { file, victim, old } = await openBoth()
  const failing = restoreAndDie(file, victim, 'before commit', 'fail')
  await expect(failing).rejects.toThrow('before commit failed')
  expect(existsSync(join(victim.dataDir, 'restore'))).toBe(false)
  expect(await wholeOf(victim)).toEqual(old)
  expect(await schemasOf(victim)).toEqual([])
})

testOnPostgres('an interrupted restore waits for its database, and for no other', async () => {
  const { victim, old } = await openBoth()
  const { dataDir, databaseUrl = '' } = victim
  const folder = join(dataDir, 'restore')
  mkdirSync(join(folder, 'data'), { recursive: true })
  const name = `${decodeURIComponent(new URL(databaseUrl).host)}:5432/${databaseOf(databaseUrl)}`
  writeFileSync(
    join(folder, 'undecided'),
    JSON.stringify({ aside: 'x', database: name, token: 't' }),
  )
  const other = await copyDatabase(databaseUrl)
  for (const elsewhere of [undefined, other]) {
    await expect(openEngine({ dataDir, databaseUrl: elsewhere, databasePool: 1 })).rejects.toThrow(
      `A restore into PostgreSQL at ${name} was interrupted: start once with that DATABASE_URL, or delete ${folder}`,
    )
  }
  expect(await wholeOf(victim)).toEqual(old)
  expect(existsSync(folder)).toBe(false)
})
