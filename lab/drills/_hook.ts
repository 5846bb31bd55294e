import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import type { DeliveryContent } from '#db/alerts/alerting.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { toInstant } from '#db/cast.ts'
import { loadSecretKey, unseal } from '#db/secrets.ts'
import type { Folder } from '#lab/drills/_folder.ts'
import { MESSAGE_TEXT, type Talk } from '#lab/drills/_talk.ts'
import { openDatabaseOf } from '#tests/e2e/support/server.ts'

/** `life` is the number of the server that sent it. */
export type Arrived = { id: string; body: string; life: number }

export type Hook = Awaited<ReturnType<typeof openHook>>

/** Lets servers deliver to loopback. */
export const ENV = { ALLOW_PRIVATE_TARGETS: '1' }

/** A webhook on loopback that is connected to the owner of a folder, and answers after up to `slowestMs`. */
export async function openHook(
  folder: Folder,
  { slowestMs, life = () => 0 }: { slowestMs: number; life?: () => number },
) {
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
    await sleep(Math.random() * slowestMs)
    response.end()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  await connect(folder, `http://127.0.0.1:${port}/hook`)
  return {
    arrived,
    async stop() {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
}

async function connect(folder: Folder, url: string): Promise<void> {
  const key = loadSecretKey(folder.dataDir)
  const { db, close } = await openDatabaseOf(folder)
  const target = { url, secret: `whsec_${Buffer.alloc(24).toString('base64')}` }
  const hook = { kind: 'webhook', name: 'hook', address: url, target } as const
  await addChannel(db, key, folder.accountId, hook, new Date())
  await close()
}

type Waiting = {
  id: string
  text: string
  /** False for five minutes after another alert about the same conversation. */
  isDue: boolean
  /** A worker has claimed it and has not reported a result. */
  isTaken: boolean
}

/** Lists the alerts that wait. */
export async function listWaiting(folder: Folder): Promise<Waiting[]> {
  const key = loadSecretKey(folder.dataDir)
  const { db, close } = await openDatabaseOf(folder)
  const rows = await db
    .selectFrom('outbox')
    .select(['id', 'text', 'next_attempt_at', 'attempts'])
    .where('kind', '=', 'webhook')
    .execute()
  await close()
  const now = toInstant(new Date())
  return rows.map(({ id, text, next_attempt_at, attempts }) => {
    const content = JSON.parse(unseal(key, id, text) ?? '{}') as Partial<DeliveryContent>
    const isDue = next_attempt_at <= now
    return { id, text: content.alert?.body ?? '', isDue, isTaken: attempts > 0 }
  })
}

/** Compares the messages of finders with the alerts that arrived and those that wait. */
export async function auditAlerts(folder: Folder, { said }: Talk, arrived: Arrived[]) {
  const messages = said.filter(({ from }) => from === 'finder').map(({ text }) => text)
  const waiting = await listWaiting(folder)
  const texts = [...waiting.map(({ text }) => text), ...arrived.map(({ body }) => body)]
  const alerted = new Set(texts.flatMap((text) => text.match(MESSAGE_TEXT) ?? []))
  return {
    messages,
    unalerted: messages.filter((text) => !alerted.has(text)),
    late: waiting.filter(({ isDue }) => isDue),
    again: arrived.length - new Set(arrived.map(({ id }) => id)).size,
  }
}

export async function isAllDelivered(folder: Folder): Promise<boolean> {
  return (await listWaiting(folder)).every(({ isDue }) => !isDue)
}
