// @module-tag slow
import { readdirSync, readFileSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { pino } from 'pino'
import { expect, test } from 'vitest'
import { type ExportDeps, makeExports } from '#actions/accounts/exports.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { openFileStore } from '#storage/files.ts'
import { openFolder } from '#tests/support/crash-steps.ts'
import { runMortal } from '#tests/support/mortal.ts'
import { readZip } from '#tests/support/zip.ts'

async function openWithExport() {
  const { dataDir } = await openFolder({ withDocument: true })
  const { db, close } = await openDatabase(dataDir)
  const { id } = await db.selectFrom('accounts').select('id').executeTakeFirstOrThrow()
  const at = new Date().toISOString()
  const begun = { account_id: id, status: 'running', progress: 0, bytes: 0 } as const
  await db
    .insertInto('exports')
    .values({ id: 'E', ...begun, created_at: at, claimed_until: at })
    .execute()
  await close()
  return dataDir
}

function exportAndDie(dataDir: string, kind: string, nth: number): Promise<string> {
  return runMortal('exporter', [dataDir, kind, String(nth)])
}

/** Lets the next start finish it, a minute later. */
async function goOn(dataDir: string) {
  const { db, close } = await openDatabase(dataDir)
  const clock = () => new Date(Date.now() + 60_000)
  const files = openFileStore(dataDir)
  await makeExports({ db, clock, files, log: pino() } as unknown as ExportDeps)
  const rows = await db.selectFrom('exports').select(['status', 'progress']).execute()
  await close()
  const names = readdirSync(join(dataDir, 'exports'))
  const [name = ''] = names
  const zip = readZip(readFileSync(join(dataDir, 'exports', name)))
  rmSync(dataDir, { recursive: true, force: true })
  return { rows, names, documents: [...zip.keys()].filter((each) => /^documents\//.test(each)) }
}

test.each([
  ['commit', 1],
  ['commit', 2],
  ['write', 1],
  ['write', 60],
  ['sync', 1],
  ['rename', 1],
  ['commit', 4],
])('an export that is killed before %s %i is begun anew and done', async (kind, nth) => {
  const dataDir = await openWithExport()
  expect(await exportAndDie(dataDir, kind, nth)).toBe('')
  expect(await goOn(dataDir)).toMatchObject({
    rows: [{ status: 'done', progress: 100 }],
    names: ['E.zip'],
    documents: [expect.stringMatching(/^documents\/1-/)],
  })
})

test('an export that nobody kills is done', async () => {
  const dataDir = await openWithExport()
  expect(await exportAndDie(dataDir, 'commit', 99)).toBe('survived')
  expect((await goOn(dataDir)).rows).toEqual([{ status: 'done', progress: 100 }])
})
