import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { type Folder, killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { auditAlerts, ENV, openHook } from '#lab/drills/_hook.ts'
import { killDuring, newTalk } from '#lab/drills/_talk.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'

const ROUNDS = 20
const CONTROL_ROUNDS = 10
const SENDING_MS = 3_000
/** So that a kill often comes between a delivery and its removal. */
const SLOWEST_ANSWER_MS = 60

export const alerts: Drill = {
  name: 'alerts',
  promise:
    'Alerts of acknowledged messages survive kill -9, and after one they are delivered once more at most, under the same id',
  trial: (work, program) => killWhileAlerting(work, program, ROUNDS),
  without: 'removing a delivery only after the channel accepted it',
  control: (work, program) => killWhileAlerting(work, program, CONTROL_ROUNDS),
  guardless: withoutGuard('removing-early', [
    [
      'db/alerts/claims.ts',
      '    await countTries(trx, claimed)',
      `    for (const { deliveries } of claimed) for (const { id } of deliveries)
      await trx.deleteFrom('outbox').where('id', '=', id).execute()`,
    ],
  ]),
}

async function killWhileAlerting(work: string, program: string, rounds: number) {
  const folder = await makeFolder(work)
  const talk = await newTalk()
  let life = 0
  const hook = await openHook(folder, { slowestMs: SLOWEST_ANSWER_MS, life: () => life })
  const start = () => serve({ dataDir: folder.dataDir, program, env: ENV })
  for (; life < rounds; life++) {
    // Alerts are sent from the second second of a server on.
    await killDuring({ server: await start(), folder, talk }, [1_000, 2_000])
    await endClaims(folder)
  }
  const last = await start()
  await sleep(SENDING_MS)
  await killHard(last)
  await hook.stop()
  const [refused] = talk.refused
  if (refused) throw new Error(`Refused: ${JSON.stringify(refused)}`)
  const { arrived } = hook
  const { messages, unalerted } = await auditAlerts(folder, talk, arrived)
  const ids = [...new Set(arrived.map(({ id }) => id))]
  const again = ids
    .map((id) => arrived.filter((each) => each.id === id))
    .filter((each) => each.length > 1)
  const wrong = again.filter(
    (each) =>
      new Set(each.map(({ life }) => life)).size < each.length ||
      new Set(each.map(({ body }) => body)).size > 1,
  )
  const figure = [
    `${count(rounds, 'kill')}, ${count(messages.length, 'acknowledged message')}`,
    `alerts of ${unalerted.length} lost`,
    `${count(ids.length, 'alert')} arrived, ${again.length} of them more than once after a kill`,
    `${wrong.length} without a kill in between or with another text`,
  ].join('; ')
  return { figure, isKept: unalerted.length + wrong.length === 0 }
}

/** Ends the minute of each claim. */
async function endClaims(folder: Folder): Promise<void> {
  const { db, close } = await openDatabaseOf(folder)
  await db.updateTable('alert_channels').set({ rests_until: null }).execute()
  await close()
}
