import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryContent } from '#db/alerts/alerting.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { loadSecretKey, unseal } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { count, type Drill } from '#tests/drills/_drill.ts'
import { type Folder, killHard, makeFolder, serve } from '#tests/drills/_folder.ts'
import { SERVER, withoutGuard } from '#tests/drills/_product.ts'
import { MESSAGE_TEXT, newTalk, talkUntil } from '#tests/drills/_talk.ts'

const ROUNDS = 20
const CONTROL_ROUNDS = 10
const WARM_MESSAGES = 2
const SENDING_MS = 3_000
/** Alerts are sent from the second second of a server on. */
const [SHORTEST_MS, LONGEST_MS] = [1_000, 2_000]
/** So that a kill often comes between a delivery and its removal. */
const SLOWEST_ANSWER_MS = 60
const ENV = { ALLOW_PRIVATE_TARGETS: '1' }

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

/** `life` is the number of the server that sent it. */
type Arrived = { id: string; body: string; life: number }

async function killWhileAlerting(work: string, program: string, rounds: number) {
  const folder = await makeFolder(work)
  const talk = await newTalk()
  let life = 0
  const hook = await openHook(() => life)
  await connect(folder, hook.url)
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
  return judge(
    talk.said.filter(({ from }) => from === 'finder').map(({ text }) => text),
    hook.arrived,
    await listWaiting(folder),
    rounds,
  )
}

function judge(said: string[], arrived: Arrived[], waiting: string[], rounds: number) {
  const told = new Set(
    [...waiting, ...arrived.map(({ body }) => body)].flatMap(
      (text) => text.match(MESSAGE_TEXT) ?? [],
    ),
  )
  const lost = said.filter((text) => !told.has(text))
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

async function openHook(life: () => number) {
  const arrived: Arrived[] = []
  const server = createServer(async (request, response) => {
    let body = ''
    try {
      for await (const piece of request.setEncoding('utf8')) body += piece
    } catch {
      // Its sender was killed.
      return
    }
    arrived.push({ id: String(request.headers['webhook-id']), body, life: life() })
    await sleep(Math.random() * SLOWEST_ANSWER_MS)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    arrived,
    url: `http://127.0.0.1:${port}/hook`,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function connect({ dataDir, accountId }: Folder, url: string): Promise<void> {
  const key = loadSecretKey(dataDir)
  const { db, close } = await openDatabase(dataDir)
  const target = { url, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }
  const hook = { kind: 'webhook', name: 'hook', address: url, target } as const
  await addChannel(db, key, accountId, hook, new Date())
  await close()
}

/** As if the minute of a claim were over. */
async function endClaims({ dataDir }: Folder): Promise<void> {
  const { db, close } = await openDatabase(dataDir)
  await db.updateTable('alert_channels').set({ rests_until: null }).execute()
  await close()
}

/** The texts of the alerts that wait. */
async function listWaiting({ dataDir }: Folder): Promise<string[]> {
  const key = loadSecretKey(dataDir)
  const { db, close } = await openDatabase(dataDir)
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'text'])
    .where('kind', '=', 'webhook')
    .execute()
  await close()
  return rows.map(({ id, text }) => {
    const content = JSON.parse(unseal(key, id, text) ?? '{}') as Partial<DeliveryContent>
    return content.alert?.body ?? ''
  })
}
