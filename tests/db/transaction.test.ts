import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { KyselyPlugin } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { sendRecoveryOtp } from '#actions/accounts/recovery.ts'
import { claimCode } from '#actions/codes/claims.ts'
import { queriesOn } from '#db/sqlite/queries.ts'
import { openSqlite } from '#db/sqlite/sqlite.ts'
import { afterCommit, inTransaction } from '#db/transaction.ts'
import { cleanClaim } from '#domain/codes/claim.ts'
import { WITH_MAIL } from '#tests/support/accounts.ts'
import { openTestApp } from '#tests/support/app.ts'
import { insertCode } from '#tests/support/codes.ts'
import { testOnSqlite } from '#tests/support/database.ts'
import { UNCLAIMED } from '#tests/support/families.ts'
import { makeDataFolder } from '#tests/support/folders.ts'

/** PostgreSQL's error for transactions that collide. */
const collision = () => Object.assign(new Error('could not serialize access'), { code: '40001' })

/** A closure that writes a row and collides so many times first. */
async function openColliding() {
  const { db } = await openTestApp()
  const run = { times: 0, committed: 0 }
  const collide = (collisions: number) =>
    inTransaction(db, async (trx) => {
      run.times++
      await trx
        .insertInto('meta')
        .values({ key: `run ${run.times}`, value: '' })
        .execute()
      afterCommit(trx, () => {
        run.committed++
      })
      if (run.times <= collisions) throw collision()
      return 'done'
    })
  const rows = async () => {
    const found = await db.selectFrom('meta').select('key').where('key', 'like', 'run %').execute()
    return found.map(({ key }) => key)
  }
  return { db, run, collide, rows }
}

test('a transaction that collides is run again from its beginning, and nothing of the first run is left', async () => {
  const { run, collide, rows } = await openColliding()
  expect(await collide(3)).toBe('done')
  expect(run).toEqual({ times: 4, committed: 1 })
  expect(await rows()).toEqual(['run 4'])
})

test('a transaction that collides with each of five repeats is given up, and the next ones go on', async () => {
  const { db, run, collide, rows } = await openColliding()
  await expect(collide(6)).rejects.toMatchObject({ code: '40001' })
  expect(run).toEqual({ times: 6, committed: 0 })
  expect(await rows()).toEqual([])
  expect(await inTransaction(db, async () => 'next')).toBe('next')
})

test('another fault is not repeated', async () => {
  const { db } = await openColliding()
  let times = 0
  const failing = inTransaction(db, async () => {
    times++
    throw new Error('a fault')
  })
  await expect(failing).rejects.toThrow('a fault')
  expect(times).toBe(1)
})

test('a transaction that collides for the third time keeps new ones waiting until it is done', async () => {
  const { db } = await openColliding()
  const order: string[] = []
  let times = 0
  let late: Promise<unknown> = Promise.resolve()
  await inTransaction(db, async () => {
    order.push(`run ${++times}`)
    if (times === 4) late = inTransaction(db, async () => order.push('late'))
    if (times < 6) throw collision()
  })
  await late
  expect(order).toEqual(['run 1', 'run 2', 'run 3', 'run 4', 'run 5', 'run 6', 'late'])
})

/** An application whose first mail collides with somebody else's transaction. */
async function openInterrupted() {
  const app = await openTestApp(WITH_MAIL)
  let collisions = 0
  const colliding: KyselyPlugin = {
    transformQuery({ node }) {
      const isMail = node.kind === 'InsertQueryNode' && JSON.stringify(node).includes('"outbox"')
      if (isMail && collisions++ === 0) throw collision()
      return node
    },
    transformResult: async ({ result }) => result,
  }
  app.deps.db = app.db.withPlugin(colliding)
  return { ...app, collisions: () => collisions }
}

test('a mail of a transaction that is repeated counts once: of a claim', async () => {
  const { db, deps, signUp, sender, mails, collisions } = await openInterrupted()
  const { qr_id } = await insertCode(db, (await signUp()).id, UNCLAIMED)
  const person = { owner_name: 'Ravi', contact_phone: '9845012345', email: 'ravi@example.in' }
  const asked: string[] = []
  const mayMail = (address: string) => asked.push(address) > 0
  const claim = cleanClaim(person)
  const claimer = {
    claim,
    activationCode: null,
    networks: [],
    accountId: undefined,
    lang: 'en',
  } as const
  await claimCode(deps, qr_id, claimer, mayMail)
  await sender.settled()
  expect([collisions(), asked, mails.length]).toEqual([2, ['ravi@example.in'], 1])
})

test('a mail of a transaction that is repeated counts once: of a one-time code', async () => {
  const { deps, signUp, sender, mails, collisions } = await openInterrupted()
  const account = await signUp({ email: 'asha@example.in' })
  const begun: boolean[] = []
  const use = { purpose: 'login', contact: 'asha@example.in', browser_hash: '' } as const
  const contact = { typed: use.contact, address: use.contact, account }
  const delivery = { isShown: false, begin: (isMailed: boolean) => void begun.push(isMailed) }
  await sendRecoveryOtp(deps, use, contact, delivery)
  await sender.settled()
  expect([collisions(), begun, mails.length]).toEqual([2, [true], 1])
})

testOnSqlite('a commit is flushed in the background, unless it changed nothing', async () => {
  const folder = makeDataFolder()
  const connection = openSqlite(join(folder, 'driveqr.db'), 0)
  onTestFinished(() => {
    connection.close()
    rmSync(folder, { recursive: true })
  })
  const flush = vi.fn(async () => {})
  const db = queriesOn(connection, { flush })
  const note = { key: 'note', value: '' }
  await inTransaction(db, (trx) => trx.insertInto('meta').values(note).execute())
  expect(flush).toHaveBeenCalledTimes(1)
  await inTransaction(db, (trx) => trx.deleteFrom('meta').where('key', '=', 'none').execute())
  await inTransaction(db, (trx) => trx.selectFrom('meta').selectAll().execute())
  expect(flush).toHaveBeenCalledTimes(1)
  await inTransaction(db, (trx) => trx.deleteFrom('meta').where('key', '=', 'note').execute())
  expect(flush).toHaveBeenCalledTimes(2)
})
