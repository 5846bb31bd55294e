import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import { type AddressInfo, createServer as createTcpServer } from 'node:net'
import { join, resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertAccount } from '#db/accounts/accounts.ts'
import { alertAccount } from '#db/alerts/alerting.ts'
import { addChannel } from '#db/alerts/channels.ts'
import { changeAlertSettings } from '#db/alerts/settings.ts'
import type { Db } from '#db/client.ts'
import { loadSecretKey, type SecretKey } from '#db/secrets.ts'
import { openDatabase } from '#db/sqlite/database.ts'
import { inTransaction } from '#db/transaction.ts'
import { asAlert } from '#mail/alerts.ts'
import { writeLetter } from '#mail/letter.ts'
import { readDelay } from './administration.ts'
import {
  copyDatabase,
  counterOf,
  measure,
  medianRatio,
  readPaths,
  startForLoad,
} from './scan-page.ts'
import { onClientCore } from './support/load.ts'
import { startProduct } from './support/processes.ts'
import { median, type Row } from './support/report.ts'
import { openScans, percentile99, scanWhile } from './uploads.ts'

const DELIVERIES = 10_000
const ACCOUNTS = 500
/** Its deliveries wait meanwhile, and must hold up no others. */
const DEAD_DELIVERIES = 100
const PUT_AT_ONCE = 250
const ALONE_MS = 5_000
/** After the start the server checks its database, and looks into the outbox. */
const SETTLED_MS = 4_000
const LONGEST_DRAIN_MS = 60_000
const PRIVATE = { ALLOW_PRIVATE_TARGETS: '1', RATE_LIMITS: 'off' }

/** Waiting alerts that go out, and scans that alert. */
export async function benchAlerts(seeded: string, work: string): Promise<Row[]> {
  return [...(await onClientCore(() => drain(seeded, work))), await scanPage(seeded, work)]
}

async function drain(seeded: string, work: string): Promise<Row[]> {
  const paths = readPaths(seeded)
  const dataDir = join(copyDatabase(seeded, work, 'alerts'), '..')
  const delayFile = join(work, 'alerts-loop-delay')
  const server = await startProduct(paths[0] ?? '', {
    ...PRIVATE,
    DATA_DIR: dataDir,
    NODE_OPTIONS: `--import=${resolve('lab/bench/targets/loop-delay.mjs')}`,
    LOOP_DELAY_FILE: delayFile,
  })
  const [hook, dead] = [await openHook(), await openDead()]
  const finders = openScans(server, paths)
  try {
    await sleep(SETTLED_MS)
    const alone = await scanWhile(finders, sleep(ALONE_MS))
    await putAlerts(dataDir, hook.url, dead.url)
    await hook.reached(1)
    await readDelay(server, delayFile)
    const meanwhile = await scanWhile(finders, hook.reached(DELIVERIES))
    const pause = await readDelay(server, delayFile)
    const seconds = hook.seconds()
    const [p99, limit] = [percentile99(meanwhile), percentile99(alone)]
    return [
      {
        what: `${DELIVERIES} waiting alerts, a dead webhook among them: deliveries a second`,
        measured: `${(DELIVERIES / seconds).toFixed(0)} a second`,
        limit: '–',
        ratio: DELIVERIES / seconds,
        budget: { atLeast: 500 },
      },
      {
        what: 'Meanwhile: longest pause of the loop, ms',
        measured: `${pause.toFixed(1)} ms`,
        limit: '–',
        ratio: pause,
        budget: { atMost: 10 },
      },
      {
        what: 'Meanwhile: scan p99 ÷ alone',
        measured: `${p99.toFixed(1)} ms`,
        limit: `${limit.toFixed(1)} ms`,
        ratio: p99 / limit,
        budget: { atMost: 1.3 },
      },
    ]
  } finally {
    await finders.stop()
    await server.stop()
    hook.stop()
    dead.stop()
  }
}

/** The same codes, scanned alike, with and without somebody who wants to hear of each. */
async function scanPage(seeded: string, work: string): Promise<Row> {
  const paths = readPaths(seeded)
  const [silent, alerting] = ['silent', 'alerting'].map((name) => copyDatabase(seeded, work, name))
  if (!silent || !alerting) throw new Error('There are two copies')
  const hook = await openHook()
  await wantScans(join(alerting, '..'), paths, hook.url)
  const start = (file: string) =>
    startForLoad({ ...PRIVATE, DATA_DIR: join(file, '..') }, paths[0] ?? '')
  const [without, withAlerts] = [await start(silent), await start(alerting)]
  // The sender starts after the first requests.
  await sleep(SETTLED_MS)
  try {
    const results = await measure(
      [
        { name: 'without', running: without, countScans: counterOf(silent) },
        { name: 'with', running: withAlerts, countScans: counterOf(alerting) },
      ],
      paths,
    )
    if (hook.count() === 0) throw new Error('No scan alerted')
    const speeds = (name: string) => (results[name] ?? []).map((each) => each.requestsPerSecond)
    const perSecond = (name: string) => `${median(speeds(name)).toFixed(0)} a second`
    return {
      what: 'Scan page of codes that alert ÷ that do not',
      measured: perSecond('with'),
      limit: perSecond('without'),
      ratio: medianRatio(speeds('with'), speeds('without')),
      budget: { atLeast: 0.97 },
    }
  } finally {
    await Promise.all([without.stop(), withAlerts.stop()])
    hook.stop()
  }
}

type Opened = { db: Db; key: SecretKey; now: Date }

async function withDatabase(dataDir: string, work: (opened: Opened) => Promise<void>) {
  const key = loadSecretKey(dataDir)
  const { db, close } = await openDatabase(dataDir)
  try {
    await work({ db, key, now: new Date() })
  } finally {
    await close()
  }
}

function connect({ db, key, now }: Opened, accountId: string, url: string) {
  const target = { url, token: null }
  const topic = { kind: 'ntfy', name: url, address: url, target } as const
  return addChannel(db, key, accountId, topic, now)
}

/** As if something had happened to 500 owners twenty times, and to one with a dead channel. */
async function putAlerts(dataDir: string, url: string, deadUrl: string): Promise<void> {
  const others = await connectOwners(dataDir, url, ACCOUNTS)
  const [broken = ''] = await connectOwners(dataDir, deadUrl, 1)
  await alertOwners(dataDir, [
    ...Array.from({ length: DEAD_DELIVERIES }, () => broken),
    ...Array.from({ length: DELIVERIES }, (_, n) => others[n % others.length] ?? ''),
  ])
}

/** Makes so many owners with a channel to a server, and returns their ids. */
export async function connectOwners(
  dataDir: string,
  url: string,
  count: number,
): Promise<string[]> {
  const owners: string[] = []
  await withDatabase(dataDir, async (opened) => {
    for (let n = 0; n < count; n++) {
      const email = `${crypto.randomUUID()}@example.in`
      const person = { name: 'Person', email, password_hash: null }
      const { id } = await insertAccount(opened.db, person, opened.now)
      await connect(opened, id, url)
      owners.push(id)
    }
  })
  return owners
}

/** Puts an alert into the outbox for each of these ids, which may repeat. */
export async function alertOwners(dataDir: string, alerted: string[]): Promise<void> {
  await withDatabase(dataDir, async ({ db, key, now }) => {
    const letter = writeLetter({ subject: 'Lights are on', site: 'x', reason: 'x', parts: [] })
    const { alert, mail } = asAlert(letter, { event: 'message', url: 'https://keys.example.in/' })
    const rules = { key, now, timezone: 'Asia/Kolkata', canMail: false }
    for (let from = 0; from < alerted.length; from += PUT_AT_ONCE) {
      await inTransaction(db, async (trx) => {
        for (const accountId of alerted.slice(from, from + PUT_AT_ONCE)) {
          await alertAccount(trx, { accountId, alert, mail }, rules)
        }
      })
    }
  })
}

/** Has the owners of the codes alerted of each scan. */
async function wantScans(dataDir: string, paths: string[], url: string): Promise<void> {
  await withDatabase(dataDir, async (opened) => {
    const { db } = opened
    const codes = paths.slice(0, 100).map((path) => path.slice('/scan/'.length))
    const owners = await db
      .selectFrom('qr_codes')
      .select('owner_id')
      .distinct()
      .where('qr_id', 'in', codes)
      .execute()
    const choices = [{ event: 'scan', kind: 'ntfy', isOn: true }] as const
    for (const { owner_id } of owners) {
      await connect(opened, owner_id, url)
      await changeAlertSettings(db, owner_id, { choices: [...choices] })
    }
  })
}

/** A fast server that takes every alert, and counts them. */
export async function openHook() {
  let count = 0
  let firstAt = 0
  let lastAt = 0
  const server = createServer((request, response) => {
    request.resume().on('end', () => {
      count++
      lastAt = performance.now()
      firstAt ||= lastAt
      response.end('{}')
    })
  })
  const url = await listen(server)
  return {
    url,
    count: () => count,
    seconds: () => (lastAt - firstAt) / 1000,
    async reached(wanted: number) {
      const giveUpAt = performance.now() + LONGEST_DRAIN_MS
      while (count < wanted) {
        if (performance.now() > giveUpAt) throw new Error(`${count} of ${wanted} alerts arrived`)
        await sleep(5)
      }
    },
    stop() {
      server.close()
      server.closeAllConnections()
    },
  }
}

/** A server that takes connections and never answers. */
async function openDead() {
  const server = createTcpServer((socket) =>
    socket
      .on('error', () => {})
      .resume()
      .unref(),
  )
  return { url: await listen(server), stop: () => void server.close() }
}

async function listen(server: Server | ReturnType<typeof createTcpServer>): Promise<string> {
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/alerts`
}
