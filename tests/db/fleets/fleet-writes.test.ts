import { expect } from 'vitest'
import { differencesOf } from '#db/engine.ts'
import { changeQrCodes } from '#db/fleets/bulk.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'

const CODES = 100

/** Opens an app with a counter of written rows, including those of the full-text index. */
async function openCounted() {
  const app = await openTestApp()
  const { db } = app
  const owner = await app.signUp({ subscription_plan: 'enterprise' })
  const total = () => app.connection.prepare('select total_changes()').pluck().get() as number
  async function written(act: () => Promise<unknown>): Promise<number> {
    const before = total()
    await act()
    return total() - before
  }
  async function insert(count: number): Promise<string[]> {
    const ids: string[] = []
    for (let n = 0; n < count; n++) {
      ids.push((await insertCode(db, owner.id, { owner_name: `Driver ${n}` })).qr_id)
    }
    return ids
  }
  return { ...app, owner, written, insert }
}

/** Opens an app that loads codes as an import does. */
async function openImport() {
  const opened = await openCounted()
  const { db, connection, insert, written } = opened
  const [like = ''] = await insert(1)
  const [row] = await db.selectFrom('qr_codes').selectAll().where('qr_id', '=', like).execute()
  if (!row) throw new Error('The code is missing')
  const rowsOf = (head: string, count: number) =>
    Array.from({ length: count }, (_, n) => {
      const id = head + String(n).padStart(3, '0')
      return { ...row, id, qr_id: id.padEnd(12, '0'), owner_name: `Driver ${head} ${n}` }
    })
  const load = (qr_codes: ReturnType<typeof rowsOf>) =>
    written(() => differencesOf(db).load({ qr_codes }))
  /** Throws when the full-text index does not match the texts. */
  function checkIndex(): void {
    const command =
      "insert into qr_code_search (qr_code_search, rank) values ('integrity-check', 1)"
    connection.prepare(command).run()
  }
  return { ...opened, rowsOf, load, checkIndex }
}

testOnSqlite(
  'importing codes together writes less to the full-text index than one by one',
  async () => {
    const { rowsOf, load, checkIndex } = await openImport()
    const together = await load(rowsOf('A', CODES))
    let alone = 0
    for (const each of rowsOf('B', CODES)) alone += await load([each])
    expect(together).toBeLessThan(alone / 2)
    checkIndex()
  },
)

testOnSqlite(
  'an import merges the full-text index in small steps, and restores its settings',
  async () => {
    const { connection, rowsOf, load, checkIndex } = await openImport()
    const each: number[] = []
    for (let n = 0; n < 100; n++) each.push(await load(rowsOf(`M${n}N`, 25)))
    // With SQLite's own merging the index wrote 334 rows at once.
    expect(Math.max(...each)).toBeLessThan(240)
    checkIndex()
    const settings = connection.prepare('select v from qr_code_search_config where k = ?').pluck()
    expect(settings.get('automerge')).toBe(4)
    expect(settings.get('usermerge')).toBe(4)
    expect(settings.get('crisismerge')).toBe(16)
    const segments = connection
      .prepare('select count(distinct segid) from qr_code_search_idx')
      .pluck()
    expect(segments.get()).toBeLessThan(32)
  },
)

testOnSqlite(
  'the end of an import merges the full-text index, so that the next new code does not',
  async () => {
    const { db, connection, insert, written, checkIndex } = await openImport()
    const setIndex = (setting: string, value: number) =>
      connection.exec(
        `insert into qr_code_search (qr_code_search, rank) values ('${setting}', ${value})`,
      )
    /** Counts the rows that the next code writes after 40 unmerged segments. */
    async function writtenAfter(finish: () => Promise<void>): Promise<number> {
      setIndex('automerge', 0)
      setIndex('crisismerge', 64)
      await insert(40)
      setIndex('automerge', 4)
      setIndex('crisismerge', 16)
      await finish()
      return written(() => insert(1))
    }
    const unfinished = await writtenAfter(async () => {})
    const finished = await writtenAfter(async () => differencesOf(db).finishLoad?.())
    expect(finished).toBeLessThan(unfinished / 2)
    checkIndex()
  },
)

testOnSqlite(
  'deleting codes together writes less to the full-text index than one by one',
  async () => {
    const { db, deps, owner, insert, written } = await openCounted()
    const [some, others] = [await insert(CODES), await insert(CODES)]
    const act = { action: 'delete', value: CODES } as const
    const together = await written(() => changeQrCodes(db, owner, { ids: some }, act, deps.clock()))
    const alone = await written(async () => {
      for (const id of others) await db.deleteFrom('qr_codes').where('qr_id', '=', id).execute()
    })
    expect(together).toBeLessThan(alone / 2)
  },
)
