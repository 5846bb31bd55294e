import { type Ack, actUntil, type Kind, type Ledger, MIXED, newLedger } from '#lab/drills/_acts.ts'
import { auditPostgres, type ContentOf, filesOf } from '#lab/drills/_audit.ts'
import { count } from '#lab/drills/_drill.ts'
import { openFinders, type Times } from '#lab/drills/_finders.ts'
import { type Folder, isRunning, killHard, makeFolder, serve } from '#lab/drills/_folder.ts'
import { freeUrl, startProxy } from '#lab/drills/_proxy.ts'
import { newTalk, type Talk, talkUntil } from '#lab/drills/_talk.ts'
import { auditTalk } from '#lab/drills/_talk-audit.ts'
import { ask, run, startCluster } from '#tests/support/postgres.ts'
import type { Launch, Launched } from '#tests/support/server.ts'

export type Servers = {
  folder: Folder
  databaseUrl: string
  /** Scans that their logs say are not counted. */
  countUncounted(): number
  /** Starts one more of them. */
  start(given?: Partial<Launch>): Promise<Launched>
}

const DATABASE = 'drill'
/** While the database is away, finders get the page of a scan that is not counted, and the log says so. */
const UNCOUNTED = 'scan not counted'
const CLIENTS = 4
/** Nobody acts without a pause. */
const BETWEEN_ACTS_MS = 10
const BETWEEN_FINDERS_MS = 20

/**
 * Runs `use` with an installation on PostgreSQL, a new one unless `urlOf` says where one is. Its servers
 * share a data folder, and end with it.
 */
export async function withServers<T>(
  work: string,
  use: (servers: Servers) => Promise<T>,
  urlOf?: (database: string) => string,
): Promise<T> {
  const cluster = urlOf ? undefined : await startCluster()
  const find = urlOf ?? (cluster as NonNullable<typeof cluster>).urlOf
  const running: Launched[] = []
  try {
    await run(find('postgres'), `create database ${DATABASE}`)
    const databaseUrl = find(DATABASE)
    const folder = await makeFolder(work, { databaseUrl })
    return await use({
      folder,
      databaseUrl,
      countUncounted: () =>
        running.reduce((sum, { output }) => sum + output().split(UNCOUNTED).length - 1, 0),
      async start(given = {}) {
        const env = { DATABASE_URL: databaseUrl, ...given.env }
        const server = await serve({ dataDir: folder.dataDir, ...given, env })
        running.push(server)
        return server
      },
    })
  } finally {
    await Promise.all(running.filter(isRunning).map(killHard))
    await cluster?.stop()
  }
}

type Proxied = {
  program?: string
  env?: Record<string, string>
  change?: (config: string) => string
}

/** Runs `use` with two web servers behind Caddy in the shipped configuration, changed by `change`. */
export async function withProxiedServers<T>(
  work: string,
  { program, env, change }: Proxied,
  use: (servers: Servers & { url: string; running: Launched[] }) => Promise<T>,
): Promise<T> {
  return withServers(work, async (servers) => {
    const url = await freeUrl()
    const start = (given?: Partial<Launch>) =>
      servers.start({
        program,
        ...given,
        env: { ROLE: 'web', PUBLIC_URL: url, TRUST_PROXY: '1', ...env },
      })
    const running = [await start(), await start()]
    const upstreams = running.map((each) => each.url)
    const config = 'deploy/several/Caddyfile'
    const proxy = await startProxy(work, upstreams, { config, url, change })
    try {
      return await use({ ...servers, start, url, running })
    } finally {
      await proxy.stop()
    }
  })
}

export type Load = Awaited<ReturnType<typeof startLoad>>

/** Clients, finders and an owner at each of the addresses, until they are stopped. */
export async function startLoad(folder: Folder, urls: string[], kinds: Kind[] = MIXED) {
  const over = new AbortController()
  const talk = await newTalk()
  const ledgers = urls.map(newLedger)
  const acting = urls.flatMap((url, i) => {
    const options = { clients: CLIENTS, firstClient: i * CLIENTS, kinds, everyMs: BETWEEN_ACTS_MS }
    const ledger = ledgers[i] ?? newLedger()
    return [
      actUntil({ url, folder, ledger }, over.signal, options),
      talkUntil({ url, folder, talk }, over.signal),
    ]
  })
  const pages = urls.flatMap((url) => folder.codes.map((code) => `${url}/scan/${code}`))
  const headers = { 'User-Agent': 'Mozilla/5.0 Mobile' }
  const finders = openFinders({ urls: mixed(pages), everyMs: BETWEEN_FINDERS_MS, headers })
  return {
    talk,
    ledgers,
    /** Everything that is acknowledged from now on at each address, by kind. */
    sinceNow() {
      const before = ledgers.map(({ acks }) => acks.length)
      return () => ledgers.map(({ acks }, i) => kindsOf(acks.slice(before[i])))
    },
    takeTimes: finders.take,
    async stop(): Promise<Times> {
      over.abort()
      await Promise.all(acting)
      const times = await finders.take()
      await finders.stop()
      return times
    },
  }
}

function kindsOf(acks: Ack[]): Set<Kind> {
  return new Set(acks.map(({ kind }) => kind))
}

/** Neighbours are at different addresses. */
function mixed(pages: string[]): string[] {
  return pages.map((_, i) => pages[(i * 101) % pages.length] ?? '')
}

/**
 * Counts what the database and the files lack of a load that is over, and the refusals with another status
 * than those expected.
 */
export async function assessLoad(
  { folder, databaseUrl, countUncounted }: Servers,
  { talk, ledgers }: { talk: Talk; ledgers: Ledger[] },
  times: Times,
  statuses: number[],
  contentOf: ContentOf = filesOf(folder.dataDir),
) {
  const acks = ledgers.flatMap((each) => each.acks)
  const writes = acks.filter(({ kind }) => kind !== 'scan')
  const { lost, damage } = await auditPostgres(databaseUrl, writes, contentOf)
  const messages = await auditTalk({ ...folder, databaseUrl }, talk.said, [], contentOf)
  const answered = countScans(acks, times)
  const stored = await ask(databaseUrl, 'select qr_id, count(*)::int as n from scans group by 1')
  const storedOf = new Map(
    (stored as { qr_id: string; n: number }[]).map((row) => [row.qr_id, row.n]),
  )
  const scans = [...answered.values()].reduce((sum, n) => sum + n, 0)
  const missing = [...answered].map(([code, n]) => Math.max(0, n - (storedOf.get(code) ?? 0)))
  const said = countUncounted()
  // The log names no codes.
  const uncounted = Math.max(0, missing.reduce((sum, n) => sum + n, 0) - said)
  const refused = [...ledgers.flatMap((each) => each.refused), ...talk.refused]
  const wrong = refused.filter(({ status }) => !statuses.includes(status))
  const expected =
    statuses.length > 0 ? `, ${wrong.length} of them not with ${statuses.join(' or ')}` : ''
  const first = wrong[0] ? ` (${JSON.stringify(wrong[0])})` : ''
  return {
    figure: [
      `${count(scans, 'scan page')} served, ${said} not counted by the log, ${uncounted} others lost`,
      `${count(writes.length, 'other acknowledged write')}, ${lost.length} lost`,
      `${count(talk.said.length, 'acknowledged message')}, ${messages.lost.length} lost, ${messages.doubled.length} stored twice`,
      `${refused.length} refused${expected}${first}`,
      ...damage,
    ].join('; '),
    losses: lost.length + messages.lost.length + uncounted,
    refusedScans: ledgers.flatMap((each) => each.refused).filter(({ kind }) => kind === 'scan')
      .length,
    others: messages.doubled.length + wrong.length + damage.length,
  }
}

/** Counts the pages of each code that finders and clients got. */
function countScans(acks: Ack[], { served }: Times): Map<string, number> {
  const scans = new Map<string, number>()
  const add = (code: string, n: number) => scans.set(code, (scans.get(code) ?? 0) + n)
  for (const ack of acks) if (ack.kind === 'scan') add(ack.qr_id, 1)
  for (const [page, n] of Object.entries(served)) add(page.slice(page.lastIndexOf('/') + 1), n)
  return scans
}
