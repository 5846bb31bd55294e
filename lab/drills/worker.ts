import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { killHard } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { auditAlerts, ENV, isAllDelivered, listWaiting, openHook } from '#lab/drills/_hook.ts'
import { withServers } from '#lab/drills/_servers.ts'
import { newTalk, talkUntil } from '#lab/drills/_talk.ts'
import { ask } from '#tests/support/postgres.ts'

const UNDER_LOAD_MS = 3_000
/** So that a kill comes in the middle of a delivery. */
const SLOWEST_ANSWER_MS = 300
const LONGEST_MS = 60_000
/** Alerts that came meanwhile are delivered afterwards. */
const LONGEST_REST_MS = 120_000
/** Deliveries that a worker takes at once from a channel. */
const CLAIMED_AT_ONCE = 4

export const worker: Drill = {
  name: 'worker',
  promise:
    'When a worker is killed by kill -9, another one has its duty and has delivered everything that it had taken within a minute',
  trial: killWorker,
  without: 'ending a claim after a minute',
  guardless: withoutGuard('claiming-forever', [
    ['db/alerts/claims.ts', 'export const CLAIM_SECONDS = 55', 'export const CLAIM_SECONDS = 3600'],
  ]),
}

async function killWorker(work: string, program: string): Promise<Outcome> {
  return withServers(work, async (servers) => {
    const { folder, databaseUrl, start } = servers
    const hook = await openHook(folder, { slowestMs: SLOWEST_ANSWER_MS })
    const web = await start({ program, env: { ROLE: 'web', ...ENV } })
    const first = await start({ program, env: { ROLE: 'worker', ...ENV } })
    const talk = await newTalk()
    const over = new AbortController()
    const talking = talkUntil({ url: web.url, folder, talk }, over.signal)
    await until(() => hook.arrived.length > 0)
    await sleep(UNDER_LOAD_MS)
    const duty = await findDuty(databaseUrl)
    const second = await start({ program, env: { ROLE: 'worker', ...ENV } })
    // It stops while the first one has the deliveries in progress.
    second.kill('SIGSTOP')
    const before = hook.arrived.length
    await until(() => hook.arrived.length > before)
    await killHard(first)
    const killedAt = performance.now()
    const taken = (await listWaiting(folder)).filter(({ isTaken }) => isTaken)
    second.kill('SIGCONT')
    const dutyMs = await timed(killedAt, async () => {
      const now = await findDuty(databaseUrl)
      return now !== undefined && now !== duty
    })
    await sleep(UNDER_LOAD_MS)
    over.abort()
    await talking
    const deliveredMs = await timed(killedAt, async () => {
      const waiting = new Set((await listWaiting(folder)).map(({ id }) => id))
      return taken.every(({ id }) => !waiting.has(id))
    })
    const isInTime = deliveredMs <= LONGEST_MS
    const wait = () => timed(killedAt, () => isAllDelivered(folder), LONGEST_REST_MS)
    const rest = isInTime ? [`all others ${inSeconds(await wait(), LONGEST_REST_MS)}`] : []
    await killHard(second)
    await hook.stop()
    const [refused] = talk.refused
    if (refused) throw new Error(`Refused: ${JSON.stringify(refused)}`)
    const { messages, unalerted, late, again } = await auditAlerts(folder, talk, hook.arrived)
    const figure = [
      `${count(messages.length, 'acknowledged message')}, ${unalerted.length} without an alert, ${count(late.length, 'alert')} left waiting, ${again} delivered again`,
      `the duty was taken over ${inSeconds(dutyMs)}`,
      `the ${count(taken.length, 'alert')} that it had taken were delivered ${inSeconds(deliveredMs)}`,
      ...rest,
    ].join('; ')
    const isKept =
      isInTime &&
      dutyMs <= LONGEST_MS &&
      late.length + unalerted.length === 0 &&
      again <= CLAIMED_AT_ONCE
    return { figure, isKept }
  })
}

/** The backend of the worker that does what must be done once. */
async function findDuty(url: string): Promise<number | undefined> {
  const [held] = (await ask(
    url,
    `select pid from pg_locks join pg_database on pg_database.oid = database
     where locktype = 'advisory' and granted and datname = current_database()`,
  )) as { pid: number }[]
  return held?.pid
}

async function timed(
  sinceMs: number,
  isSo: () => Promise<boolean>,
  longestMs = LONGEST_MS,
): Promise<number> {
  for (;;) {
    const tookMs = performance.now() - sinceMs
    if (tookMs > longestMs || (await isSo())) return tookMs
    await sleep(200)
  }
}

async function until(isSo: () => boolean): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_MS
  while (!isSo()) {
    if (performance.now() > giveUpAt) throw new Error('No alert arrives')
    await sleep(10)
  }
}

function inSeconds(ms: number, longestMs = LONGEST_MS): string {
  return ms > longestMs ? `not within ${longestMs / 1000} s` : `after ${(ms / 1000).toFixed(0)} s`
}
