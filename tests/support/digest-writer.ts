/**
 * A process that makes the digests of the last run in a folder, and dies at a step of one of them. `naive`
 * makes them without a transaction for both of its rows.
 */
import { alertOrigin } from '#actions/alerts/alerting.ts'
import { remindOfDue } from '#actions/papers/digests.ts'
import { readConfig } from '#config.ts'
import { openOutbox } from '#db/outbox.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { inTransaction } from '#db/transaction.ts'
import { dueAlert } from '#mail/due.ts'
import { openPlace } from '#tests/support/shared-database.ts'

const [dataDir = '', databaseUrl = '', now = '', step = '', at = '0', way = ''] =
  process.argv.slice(2)
const { db, close } = await openPlace([dataDir, databaseUrl])
const config = readConfig({ DATA_DIR: dataDir, NODE_ENV: 'test' })
const clock = () => new Date(now)
const outbox = openOutbox(db, loadSecretKey(dataDir), clock, true, config.timezone)
let digests = 0

function dieAt(here: string): void {
  if (step === here && digests === Number(at)) process.kill(process.pid, 'SIGKILL')
}

const deps = {
  db,
  clock,
  config,
  outbox: {
    ...outbox,
    async alert(...args: Parameters<typeof outbox.alert>) {
      digests++
      dieAt('before')
      const queued = await outbox.alert(...args)
      dieAt('after')
      return queued
    },
  },
}

if (way === 'naive') {
  const day = now.slice(0, 10)
  const accounts = await db.selectFrom('accounts').select('id').execute()
  for (const { id: accountId } of accounts) {
    const known = db.selectFrom('due_digests').select('day').where('account_id', '=', accountId)
    if (await known.executeTakeFirst()) continue
    const digest = { items: [], hasMore: false, today: day }
    const alert = { accountId, ...dueAlert(digest, alertOrigin(deps)) }
    await inTransaction(db, (trx) => deps.outbox.alert(trx, alert))
    dieAt('committed')
    await db.insertInto('due_digests').values({ account_id: accountId, day }).execute()
  }
} else {
  await remindOfDue(deps)
}
await close()
process.stdout.write('done')
