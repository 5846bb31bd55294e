import { setTimeout as sleep } from 'node:timers/promises'
import { isLost } from '#db/postgres/pool.ts'
import { count, type Drill } from '#lab/drills/_drill.ts'
import { end, makeFolder, serve } from '#lab/drills/_folder.ts'
import { withoutGuard } from '#lab/drills/_guards.ts'
import { newTalk, type Talk, talkUntil } from '#lab/drills/_talk.ts'
import { auditTalk } from '#lab/drills/_talk-audit.ts'
import { ask, run, startCluster } from '#tests/support/postgres.ts'

const KILLS = 10
const BETWEEN_KILLS_MS = 1_500
const FINDERS = 10
/** Longer than a busy machine needs. */
const RECOVERY_MS = 60_000
/** The answer of a server while its database is away. */
const UNAVAILABLE = 503

export const postgres: Drill = {
  name: 'postgres',
  promise:
    'Acknowledged scans and messages survive kill -9 of a PostgreSQL backend, each once, and no scan is refused',
  trial: async (work, program) => {
    const { figure, scans, messages, doubled, isServing } = await killBackends(work, program)
    return { figure, isKept: isServing && Math.max(scans, messages, doubled) === 0 }
  },
  without:
    '`synchronous_commit`, and in a second run repeating only transactions that were not committed',
  control: async (work) => {
    const losing = await killBackends(work, await committingLater())
    const doubling = await killBackends(work, await repeatingAnyway())
    // Each of the two missing guards must show.
    const isKept = Math.min(losing.scans, losing.messages, doubling.doubled) === 0
    return { figure: `${losing.figure}; in the second run ${doubling.figure}`, isKept }
  },
}

const committingLater = withoutGuard('committing-later', [
  ['db/postgres/pool.ts', "synchronous_commit: 'on'", "synchronous_commit: 'off'"],
])

/** A connection that is lost 30 ms after a commit stands for one that is lost during it. */
const repeatingAnyway = withoutGuard('repeating-anyway', [
  [
    'db/transaction.ts',
    "import { isCollision } from '#db/errors.ts'",
    `import { isCollision as isRefused, UNREACHABLE } from '#db/errors.ts'
      const isCollision = (error) => isRefused(error) || error.code === UNREACHABLE`,
  ],
  ['db/transaction.ts', 'const MOST_REPEATS = 5', 'const MOST_REPEATS = 50'],
  [
    'db/transaction.ts',
    '  for (const each of work) each()',
    `await sleep(30)
      await db.selectFrom('meta').selectAll().execute()
      for (const each of work) each()`,
  ],
])

/** When one backend dies, PostgreSQL ends all of them and recovers. */
async function killBackends(work: string, program: string) {
  const cluster = await startCluster()
  try {
    await run(
      cluster.urlOf('postgres'),
      'create database drill',
      // A late commit must not reach the disk by chance.
      "alter system set wal_writer_delay = '10s'",
      'select pg_reload_conf()',
    )
    const databaseUrl = cluster.urlOf('drill')
    const folder = await makeFolder(work, { codes: FINDERS, uploaders: 0, databaseUrl })
    const { dataDir } = folder
    const server = await serve({ dataDir, program, env: { DATABASE_URL: databaseUrl } })
    const talk = await newTalk()
    const stop = new AbortController()
    const talking = talkUntil({ url: server.url, folder, talk }, stop.signal)
    const finders = find(`${server.url}/scan/${folder.codes[0]}`)
    const killing = killAgain(databaseUrl, talk)
    // Requests stop even when killing fails.
    await Promise.allSettled([killing])
    stop.abort()
    await talking
    const scans = await finders.stop()
    await end(server)
    const killedAt = await killing
    return summarise(await countScans(databaseUrl), scans, await auditTalk(folder, talk.said, []), {
      talk,
      killedAt,
    })
  } finally {
    await cluster.stop()
  }
}

function summarise(
  { rows, sums }: { rows: number; sums: number },
  { answered, refused }: Awaited<ReturnType<ReturnType<typeof find>['stop']>>,
  { stored, lost, doubled }: Awaited<ReturnType<typeof auditTalk>>,
  { talk, killedAt }: { talk: Talk; killedAt: number[] },
) {
  const { said } = talk
  const healed = killedAt.filter((at, i) => {
    const next = killedAt[i + 1] ?? Number.POSITIVE_INFINITY
    return said.some(({ sentAt }) => sentAt > at && sentAt < next)
  })
  const unstored = talk.refused.filter(({ text }) => !stored.has(text))
  const wrong = talk.refused.filter(({ status }) => status !== UNAVAILABLE)
  const figure = [
    `${count(KILLS, 'kill')}, ${count(answered, 'answered scan')}, ${answered - rows} lost, ${refused} refused, sums of ${sums}`,
    `${count(said.length, 'acknowledged message')}, ${lost.length} lost, ${doubled.length} stored twice`,
    `${talk.refused.length} refused, ${wrong.length} of them not with ${UNAVAILABLE}, ${unstored.length} not stored`,
    `messages taken again after ${count(healed.length, 'kill')}`,
  ].join('; ')
  return {
    figure,
    scans: answered - rows,
    messages: lost.length,
    doubled: doubled.length,
    isServing: refused + wrong.length === 0 && rows === sums && healed.length === KILLS,
  }
}

/** Kills a backend again and again, and returns when. */
async function killAgain(databaseUrl: string, talk: Talk): Promise<number[]> {
  const killedAt: number[] = []
  for (let n = 0; n < KILLS; n++) {
    await sleep(BETWEEN_KILLS_MS)
    process.kill(await backendOf(databaseUrl), 'SIGKILL')
    killedAt.push(Date.now())
    await nextMessage(talk)
  }
  await sleep(BETWEEN_KILLS_MS)
  return killedAt
}

/** Waits until a message is acknowledged that is sent from now on. */
async function nextMessage({ said }: Talk): Promise<void> {
  const from = Date.now()
  while (!said.some(({ sentAt }) => sentAt > from) && Date.now() < from + RECOVERY_MS)
    await sleep(20)
}

async function countScans(url: string): Promise<{ rows: number; sums: number }> {
  const [counted] = (await ask(
    url,
    'select (select count(*) from scans) as rows, (select sum(scans) from scan_quarters) as sums',
  )) as [{ rows: string; sums: string }]
  return { rows: Number(counted.rows), sums: Number(counted.sums) }
}

/** A backend of the server, as soon as it has one. The connection that runs this query is none of them. */
async function backendOf(url: string): Promise<number> {
  const giveUpAt = Date.now() + RECOVERY_MS
  for (;;) {
    const [found] = await listBackends(url)
    if (found) return found.pid
    if (Date.now() > giveUpAt) throw new Error('The server has no connection to kill')
    await sleep(50)
  }
}

async function listBackends(url: string): Promise<{ pid: number }[]> {
  try {
    return (await ask(
      url,
      "select pid from pg_stat_activity where application_name = 'driveqr' order by state limit 1",
    )) as { pid: number }[]
  } catch (error) {
    // It recovers from the kill before.
    if (isLost(error)) return []
    throw error
  }
}

function find(url: string) {
  let [answered, refused, isOver] = [0, 0, false]
  const finder = async () => {
    while (!isOver) {
      const { ok, body } = await fetch(url, { headers: { 'User-Agent': 'Mozilla/5.0 Mobile' } })
      await body?.cancel()
      if (ok) answered++
      else refused++
    }
  }
  const finders = Array.from({ length: FINDERS }, finder)
  return {
    async stop() {
      isOver = true
      await Promise.all(finders)
      return { answered, refused }
    },
  }
}
