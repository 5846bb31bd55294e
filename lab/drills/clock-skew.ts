import { resolve } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { count, type Drill, type Outcome } from '#lab/drills/_drill.ts'
import { describePages } from '#lab/drills/_finders.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { auditAlerts, ENV, isAllDelivered, openHook } from '#lab/drills/_hook.ts'
import { assessLoad, startLoad, withServers } from '#lab/drills/_servers.ts'

const MINUTES = 5
const UNDER_LOAD_MS = 6_000
const REGISTRATIONS = 6
const SLOWEST_ANSWER_MS = 50
const LONGEST_DELIVERY_MS = 30_000
/** The answer when a transaction collided with each of its repeats. */
const BUSY = 503

export const clockSkew: Drill = {
  name: 'clock-skew',
  promise: `Servers and workers whose clocks are ${MINUTES} minutes before and behind work as one: nothing is lost, or refused but for what collides, codes of one are taken by the other, and each alert is delivered once`,
  trial: skew,
  without: "following the database's clock",
  guardless: withoutGuard('following-the-machine', [
    ['db/postgres/engine.ts', '    clock: clock.now,', '    clock: () => new Date(),'],
  ]),
}

async function skew(work: string, program: string): Promise<Outcome> {
  return withServers(work, async (servers) => {
    const { folder, start } = servers
    const hook = await openHook(folder, { slowestMs: SLOWEST_ANSWER_MS })
    const startSkewed = (ROLE: string, minutes: number) =>
      start({
        program,
        env: {
          ...ENV,
          ROLE,
          NODE_OPTIONS: `--import=${resolve('tests/support/skewed-clock.mjs')}`,
          CLOCK_SKEW_MS: String(minutes * 60_000),
        },
      })
    const web = [await startSkewed('web', MINUTES), await startSkewed('web', -MINUTES)]
    for (const minutes of [MINUTES, -MINUTES]) await startSkewed('worker', minutes)
    const urls = web.map(({ url }) => url)
    const load = await startLoad(folder, urls)
    let unregistered = 0
    for (let n = 0; n < REGISTRATIONS; n++) {
      const [asked, other] = n % 2 === 0 ? urls : urls.toReversed()
      if (!(await register(n, asked ?? '', other ?? ''))) unregistered++
    }
    await sleep(UNDER_LOAD_MS)
    const times = await load.stop()
    const giveUpAt = performance.now() + LONGEST_DELIVERY_MS
    while (!(await isAllDelivered(folder)) && performance.now() < giveUpAt) await sleep(200)
    await hook.stop()
    const { unalerted, late, again } = await auditAlerts(folder, load.talk, hook.arrived)
    const { figure, losses, others } = await assessLoad(servers, load, times, [BUSY])
    const figures = [
      figure,
      `${unregistered} of ${count(REGISTRATIONS, 'registration')} with the code of the other server refused`,
      `${count(hook.arrived.length, 'alert')} arrived, ${again} of them again, ${late.length} late, ${unalerted.length} messages without one`,
      describePages(times),
    ]
    const alertsWrong = again + late.length + unalerted.length
    const wrong = losses + others + unregistered + alertsWrong + times.failed
    return { figure: figures.join('; '), isKept: wrong === 0 }
  })
}

/** Registers at one server with a one-time code that another one sent. */
async function register(n: number, asked: string, other: string): Promise<boolean> {
  const email = `new${n}@example.in`
  const { test_otp: otp } = await (await post(`${asked}/api/auth/send-otp`, { email })).json()
  const person = { name: 'Ravi', password: `a long password ${n}` }
  return (await post(`${other}/api/auth/verify-otp`, { email, otp, ...person })).ok
}

function post(url: string, body: object): Promise<Response> {
  const headers = { 'Content-Type': 'application/json' }
  return fetch(url, { method: 'POST', headers, body: JSON.stringify(body) })
}
