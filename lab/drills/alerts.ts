import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { type Folder, killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { type Arrived, ENV, findUntold, listWaiting, openHook } from '#lab/drills/_hook.ts'
import { SERVER, withoutGuard } from '#lab/drills/_product.ts'
import { newTalk, talkUntil } from '#lab/drills/_talk.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'

const ROUNDS = 20
const CONTROL_ROUNDS = 10
const WARM_MESSAGES = 2
const SENDING_MS = 3_000
/** Alerts are sent from the second second of a server on. */
const [SHORTEST_MS, LONGEST_MS] = [1_000, 2_000]
/** So that a kill often comes between a delivery and its removal. */
const SLOWEST_ANSWER_MS = 60

export const alerts: Drill = {
  name: 'alerts',
  promise:
    'Alerts of acknowledged messages survive kill -9, and after one they are delivered once more at most, under the same id',
  trial: (work) => killWhileAlerting(work, SERVER, ROUNDS),
  control: {
    without: 'removing a delivery only after the channel accepted it',
    trial: async (work) => killWhileAlerting(work, await removingEarly(), CONTROL_ROUNDS),
  },
}

const removingEarly = withoutGuard('removing-early', () => [
  {
    file: 'db/alerts/claims.ts',
    text: '    await countTries(trx, claimed)',
    instead: `    for (const { deliveries } of claimed) for (const { id } of deliveries)
      await trx.deleteFrom('outbox').where('id', '=', id).execute()`,
  },
])

async function killWhileAlerting(work: string, program: string, rounds: number) {
  const folder = await makeFolder(work)
  const talk = await newTalk()
  let life = 0
  const hook = await openHook(folder, { slowestMs: SLOWEST_ANSWER_MS, life: () => life })
  for (; life < rounds; life++) {
    const server = await serve({ dataDir: folder.dataDir, program, env: ENV })
    const stop = new AbortController()
    const talking = talkUntil({ url: server.url, folder, talk }, stop.signal)
    const before = talk.said.length
    while (talk.said.length < before + WARM_MESSAGES && server.child.exitCode === null) {
      if (talk.refused.length > 0) break
      await sleep(20)
    }
    await sleep(SHORTEST_MS + Math.random() * (LONGEST_MS - SHORTEST_MS))
    await killHard(server)
    stop.abort()
    await talking
    await endClaims(folder)
  }
  const last = await serve({ dataDir: folder.dataDir, program, env: ENV })
  await sleep(SENDING_MS)
  await killHard(last)
  await hook.stop()
  const [refused] = talk.refused
  if (refused) throw new Error(`Refused: ${JSON.stringify(refused)}`)
  return assess(
    talk.said.filter(({ from }) => from === 'finder').map(({ text }) => text),
    hook.arrived,
    (await listWaiting(folder)).map(({ text }) => text),
    rounds,
  )
}

function assess(said: string[], arrived: Arrived[], waiting: string[], rounds: number) {
  const lost = findUntold(said, [...waiting, ...arrived.map(({ body }) => body)])
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
    `${count(rounds, 'kill')}, ${count(said.length, 'acknowledged message')}`,
    `alerts of ${lost.length} lost`,
    `${count(ids.length, 'alert')} arrived, ${again.length} of them more than once after a kill`,
    `${wrong.length} without a kill in between or with another text`,
  ].join('; ')
  return { figure, isKept: lost.length + wrong.length === 0 }
}

/** Ends claims as if their minute were over. */
async function endClaims(folder: Folder): Promise<void> {
  const { db, close } = await openDatabaseOf(folder)
  await db.updateTable('alert_channels').set({ rests_until: null }).execute()
  await close()
}
