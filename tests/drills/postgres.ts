import { mkdtempSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { insertAccount } from '#db/accounts/accounts.ts'
import { openEngine } from '#db/open-engine.ts'
import { count, type Drill, type Outcome } from '#tests/drills/_drill.ts'
import { end, serve } from '#tests/drills/_folder.ts'
import { SERVER, withoutGuard } from '#tests/drills/_product.ts'
import { insertCode } from '#tests/support/codes.ts'
import { ask, run, startCluster } from '#tests/support/postgres.ts'

const KILLS = 10
const BETWEEN_KILLS_MS = 1_500
const FINDERS = 10

export const postgres: Drill = {
  name: 'postgres',
  promise: 'Acknowledged scans survive kill -9 of a PostgreSQL backend, and no request is refused',
  trial: (work) => killBackends(work, SERVER),
  control: {
    without: '`synchronous_commit`',
    trial: async (work) => killBackends(work, await committingLater()),
  },
}

const committingLater = withoutGuard('committing-later', () => [
  {
    file: 'db/postgres/pool.ts',
    text: "synchronous_commit: 'on'",
    instead: "synchronous_commit: 'off'",
  },
])

/** When one backend dies, PostgreSQL ends all of them and recovers. */
async function killBackends(work: string, program: string): Promise<Outcome> {
  const cluster = await startCluster()
  try {
    await run(cluster.urlOf('postgres'), 'create database drill')
    const DATABASE_URL = cluster.urlOf('drill')
    const dataDir = mkdtempSync(join(work, 'data-'))
    const qr_id = await prepare(dataDir, DATABASE_URL)
    const server = await serve({ dataDir, program, env: { DATABASE_URL } })
    const finders = find(`${server.url}/scan/${qr_id}`)
    for (let n = 0; n < KILLS; n++) {
      await sleep(BETWEEN_KILLS_MS)
      process.kill(await backendOf(DATABASE_URL), 'SIGKILL')
    }
    await sleep(BETWEEN_KILLS_MS)
    const { answered, refused } = await finders.stop()
    await end(server)
    const [{ rows, sums }] = (await ask(
      DATABASE_URL,
      'select (select count(*) from scans) as rows, (select sum(scans) from scan_quarters) as sums',
    )) as [{ rows: string; sums: string }]
    const lost = answered - Number(rows)
    const isKept = lost === 0 && refused === 0 && rows === sums
    const figure = `${count(KILLS, 'kill')}, ${count(answered, 'answered scan')}, ${lost} lost, ${refused} refused, sums of ${sums}`
    return { figure, isKept }
  } finally {
    await cluster.stop()
  }
}

async function prepare(dataDir: string, databaseUrl: string): Promise<string> {
  const engine = await openEngine({ dataDir, databaseUrl, databasePool: 1 })
  try {
    const db = await engine.queries()
    const person = { name: 'Asha', email: 'asha@example.in', password_hash: null }
    const owner = await insertAccount(db, person, new Date())
    return (await insertCode(db, owner.id)).qr_id
  } finally {
    await engine.close()
  }
}

/** A backend of the server. The connection that runs this query is none of them. */
async function backendOf(url: string): Promise<number> {
  const rows = (await ask(
    url,
    "select pid from pg_stat_activity where application_name = 'driveqr' order by state limit 1",
  )) as { pid: number }[]
  if (!rows[0]) throw new Error('The server has no connection to kill')
  return rows[0].pid
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
