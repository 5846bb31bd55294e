/** Does one piece of work in a thread of its own, and loads only the modules for it. */
import { parentPort, workerData } from 'node:worker_threads'
import { pino } from 'pino'
import type { ActionDeps } from '#actions/deps.ts'
import { readConfig } from '#config.ts'
import { openForWork } from '#db/open-engine.ts'
import { dialIn } from '#domain/accounts/country.ts'
import { switchPlans } from '#domain/plans/offer.ts'
import type { ThreadData, ThreadWork } from '#server/thread.ts'
import { lookAtStorage } from '#storage/open-storage.ts'

if (!parentPort) throw new Error('This is the program of a thread')
const port = parentPort
const { work, shared, secretKey } = workerData as ThreadData

const config = readConfig()
switchPlans(config.plans)
dialIn(config.country)
const engine = await openForWork(config, shared)
const common = {
  clock: engine.clock ?? (() => new Date()),
  log: pino({ level: config.logLevel }, { write: (line: string) => port.postMessage(line) }),
  files: await lookAtStorage(config),
}
const stopping = new AbortController()
// The only message says to stop.
port.once('message', () => stopping.abort())
const works: Record<ThreadWork, () => Promise<unknown>> = {
  async deliver() {
    const { openChannelLane } = await import('#mail/channel-lane.ts')
    const lane = openChannelLane(await openDeps())
    stopping.signal.addEventListener('abort', () => lane.stop())
    lane.look()
    await lane.settled()
  },
  async remind() {
    const { remindOfDue } = await import('#actions/papers/digests.ts')
    await remindOfDue(await openDeps(), stopping.signal)
  },
  async export() {
    const { makeExports } = await import('#actions/accounts/exports.ts')
    await makeExports({ ...common, db: await engine.queries() }, stopping.signal)
  },
}
await works[work]()
await engine.close()
port.close()

async function openDeps(): Promise<ActionDeps> {
  const { createMailer } = await import('#mail/mailer.ts')
  const { openActions } = await import('#server/after-start.ts')
  // A buffer arrives as plain bytes.
  const own = { config, mailer: createMailer(config), secretKey: Buffer.from(secretKey) }
  const first = { ...common, ...own }
  return { ...first, ...(await openActions(first, engine)) }
}
