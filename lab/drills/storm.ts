import { Agent, get } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { newLedger } from '#lab/drills/_acts.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import type { Folder } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { assessLoad, withServers } from '#lab/drills/_servers.ts'
import { newTalk } from '#lab/drills/_talk.ts'
import { ask, run } from '#tests/support/postgres.ts'

const WAVES = 4
const FINDERS = 600
const OWNERS = 200
const BETWEEN_WAVES_MS = 2_000
const LOOK_EVERY_MS = 50
const ENDS_A_WAVE = 3
const SERVERS = 2
/** `DATABASE_POOL`, three for scans and one for the duty. */
const MOST_OF_A_SERVER = 10 + 3 + 1
const UNAVAILABLE = 503

export const storm: Drill = {
  name: 'storm',
  promise: `When ${FINDERS + OWNERS} people connect at once, and PostgreSQL ends all connections meanwhile, every finder gets the page, every scan is counted, and a server opens at most ${MOST_OF_A_SERVER} connections to PostgreSQL`,
  trial: async (work, program) => {
    const { figure, wrong, most } = await bringStorm(work, program)
    return { figure, isKept: wrong === 0 && most <= SERVERS * MOST_OF_A_SERVER }
  },
  without: 'a bound on connections, and repeating a scan whose connection was lost',
  control: async (work, program) => {
    const { figure, failed, most } = await bringStorm(work, program)
    // Each of the two missing guards must show.
    return { figure, isKept: failed === 0 || most <= SERVERS * MOST_OF_A_SERVER }
  },
  guardless: withoutGuard('opening-at-will', [
    ['db/postgres/pool.ts', '    max: size,', '    max: 1000,'],
    [
      'db/postgres/scan-path.ts',
      'code === UNREACHABLE || isCollision(error)',
      'isCollision(error)',
    ],
  ]),
}

type Asked = { path: string; headers?: Record<string, string> }

async function bringStorm(work: string, program: string) {
  return withServers(work, async (servers) => {
    const { folder, databaseUrl, start } = servers
    const running = [await start({ program }), await start({ program })]
    const ledger = newLedger()
    const statuses: (number | undefined)[] = []
    let [failed, most, isOver] = [0, 0, false]
    const watching = (async () => {
      while (!isOver) {
        most = Math.max(most, await countConnections(databaseUrl))
        await sleep(LOOK_EVERY_MS)
      }
    })()
    for (let wave = 0; wave < WAVES; wave++) {
      const people = Array.from({ length: FINDERS + OWNERS }, async (_, i) => {
        const { url } = running[i % SERVERS] ?? { url: '' }
        const isFinder = i >= OWNERS
        const asked = isFinder ? scanOf(folder, i) : codesOf(folder)
        const status = await visit(url, i, asked)
        if (!isFinder) return void statuses.push(status)
        if (status !== 200) failed++
        else ledger.acks.push({ requestId: '', kind: 'scan', qr_id: asked.path.slice(6) })
      })
      // More than once in every second wave, because at a given moment no scan may be being written.
      for (let i = 0; wave % 2 === 1 && i < ENDS_A_WAVE; i++) {
        await sleep(100)
        await endConnections(databaseUrl)
      }
      await Promise.all(people)
      await sleep(BETWEEN_WAVES_MS)
    }
    const [first] = running
    const after = first && (await visit(first.url, 0, codesOf(folder)))
    isOver = true
    await watching
    const load = { ledgers: [ledger], talk: await newTalk() }
    const checked = await assessLoad(servers, load, { took: [], failed: 0, served: {} }, [])
    const answered = statuses.filter((status) => status === 200).length
    const refused = statuses.filter((status) => status === UNAVAILABLE).length
    const rest = statuses.length - answered - refused
    const figure = [
      `${count(WAVES, 'wave')} of ${FINDERS + OWNERS}; ${count(ledger.acks.length, 'answered scan')}, ${checked.losses} lost, ${failed} refused`,
      `${answered} of ${statuses.length} signed-in pages answered, ${refused} refused with ${UNAVAILABLE}, ${rest} otherwise`,
      `at most ${most} connections to PostgreSQL`,
      ...(after === 200 ? [] : [`a signed-in page afterwards: ${after}`]),
    ].join('; ')
    const wrong = checked.losses + checked.others + failed + rest + (after === 200 ? 0 : 1)
    return { figure, wrong, failed, most }
  })
}

const scanOf = ({ codes }: Folder, i: number): Asked => ({
  path: `/scan/${codes[i % codes.length]}`,
})

const codesOf = ({ token }: Folder): Asked => ({
  path: '/api/qr/my-qrs',
  headers: { Authorization: `Bearer ${token}` },
})

const agent = new Agent({ keepAlive: false })

/** Sends a request over a new connection; returns undefined when there is no answer. */
function visit(url: string, i: number, { path, headers }: Asked): Promise<number | undefined> {
  const { port } = new URL(url)
  const localAddress = `127.0.${1 + (i % 20)}.1`
  return new Promise((resolve) => {
    const options = { host: '127.0.0.1', port, path, agent, localAddress, headers: headers ?? {} }
    const sent = get(options, (answer) => {
      answer.resume().on('end', () => resolve(answer.statusCode))
      answer.on('error', () => resolve(undefined))
    })
    sent.on('error', () => resolve(undefined))
  })
}

const OURS = "from pg_stat_activity where application_name = 'driveqr'"

async function countConnections(url: string): Promise<number> {
  const [counted] = (await ask(url, `select count(*)::int as n ${OURS}`)) as [{ n: number }]
  return counted.n
}

async function endConnections(url: string): Promise<void> {
  await run(url, `select pg_terminate_backend(pid) ${OURS}`)
}
