import { execFileSync, spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { openEngine } from '#db/open-engine.ts'
import { findOrFail } from '#scripts/bootstrap/programs.mjs'
import { endPools } from '#tests/support/kept-pools.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

/** The only role that needs its password. */
export const GUARDED = 'guarded'

const TEMPLATE = 'template_of_tests'

export type Cluster = Awaited<ReturnType<typeof startCluster>>

/**
 * A PostgreSQL server of its own, which is reached by a socket in its folder. It refuses to run as
 * root, so root lends it another user. It flushes as others do, in memory where there is room.
 * `under` is a command that runs it.
 */
export async function startCluster(folder = makeQuickFolder(), under: string[] = []) {
  const programs = await findOrFail('postgres')
  const as = process.getuid?.() === 0 ? lentUser() : undefined
  const data = join(folder, 'data')
  mkdirSync(data, { mode: 0o700 })
  for (const path of [folder, data]) if (as) chownSync(path, as.uid, as.gid)
  const settings = ['--username=driveqr', '--auth=trust', '--encoding=UTF8', '--locale=C.UTF-8']
  execFileSync(join(programs, 'initdb'), ['-D', data, '-N', ...settings], {
    ...as,
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const whoMay = `local all ${GUARDED} scram-sha-256\nlocal all all trust\n`
  writeFileSync(join(data, 'pg_hba.conf'), whoMay)
  const options = {
    listen_addresses: '',
    unix_socket_directories: folder,
    max_connections: '300',
    shared_buffers: '64MB',
  }
  const settled = Object.entries(options).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const [command = '', ...args] = [...under, join(programs, 'postgres'), '-D', data, ...settled]
  const start = () =>
    spawn(command, args, { ...as, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
  let server = start()
  const messages: string[] = []
  server.stderr.on('data', (text) => messages.push(String(text)))
  const urlOf = (database: string) => `postgres://driveqr@${encodeURIComponent(folder)}/${database}`
  for (let left = 200; ; left--) {
    if (server.exitCode !== null || left === 0) throw new Error(messages.join(''))
    if (await answers(urlOf('postgres'))) break
    await new Promise((resolve) => setTimeout(resolve, 50))
  }
  return {
    folder,
    urlOf,
    pid: () => server.pid ?? 0,
    async stop() {
      server.kill('SIGQUIT')
      if (server.exitCode === null) await once(server, 'exit')
      rmSync(folder, { recursive: true, force: true })
    },
    async restart() {
      server = start()
    },
  }
}

/** A user without rights: Debian's own for PostgreSQL where it is, or nobody. */
export function lentUser(): { uid: number; gid: number } {
  const idOf = (kind: string, name: string) =>
    Number(spawnSync('id', [kind, name], { encoding: 'utf8' }).stdout) || undefined
  const name = idOf('-u', 'postgres') ? 'postgres' : 'nobody'
  return { uid: idOf('-u', name) ?? 65534, gid: idOf('-g', name) ?? 65534 }
}

async function answers(url: string): Promise<boolean> {
  const client = new pg.Client(url)
  try {
    await client.connect()
    return true
  } catch {
    return false
  } finally {
    await client.end().catch(() => {})
  }
}

/** Makes the migrated database from which those of the tests are copied. */
export async function makeDatabaseTemplate({ urlOf }: Cluster, dataDir: string): Promise<void> {
  // It would visit each of hundreds of databases in turn, all the time, and none of them lives long.
  await run(urlOf('postgres'), 'alter system set autovacuum = off', 'select pg_reload_conf()')
  await run(urlOf('postgres'), `create database ${TEMPLATE}`)
  const settings = { dataDir, databaseUrl: urlOf(TEMPLATE), databasePool: 1 }
  await (await openEngine(settings)).close()
  // The data folders of the tests have keys of their own.
  await run(urlOf(TEMPLATE), "delete from meta where key = 'secret_key_fingerprint'")
}

export function run(url: string, ...statements: string[]): Promise<void> {
  return withClient(url, async (client) => {
    for (const statement of statements) await client.query(statement)
  })
}

/** Works over a connection of its own. */
async function withClient<T>(url: string, work: (client: pg.Client) => Promise<T>): Promise<T> {
  const client = new pg.Client(url)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}

const SETTING = 'DRIVEQR_TEST_POSTGRES'

/** For the tests of this run, which are other processes. */
export function announce({ folder }: Cluster): void {
  process.env[SETTING] = folder
}

export const isOnPostgres = () => process.env[SETTING] !== undefined

function urlOf(database: string): string {
  return `postgres://driveqr@${encodeURIComponent(process.env[SETTING] ?? '')}/${database}`
}

/** The name of a test's database. */
export const databaseOf = (url: string) => url.slice(url.lastIndexOf('/') + 1)

/** The rows of a statement, over a connection of its own. */
export function ask(url: string, statement: string): Promise<unknown[]> {
  return withClient(url, async (client) => (await client.query(statement)).rows)
}

/** A database without anything in it, gone with its server. */
export async function makeEmptyDatabase(): Promise<string> {
  const name = nameDatabase()
  await run(urlOf('postgres'), `create database ${name}`)
  return urlOf(name)
}

/** A database like another one, to which no test may be connected. Gone with its server. */
export async function copyDatabase(url: string): Promise<string> {
  const name = nameDatabase()
  await disconnect(url)
  await run(urlOf('postgres'), `create database ${name} template ${databaseOf(url)}`)
  return urlOf(name)
}

function nameDatabase(): string {
  return `test_${process.pid}_${++made}_${Math.random().toString(36).slice(2, 8)}`
}

/** Databases of this process that no test uses any more: emptying one takes less time than a copy. */
const free: string[] = []
let made = 0

/** An empty database, to be given back. */
export async function takeDatabase(): Promise<{ url: string; giveBack: () => Promise<void> }> {
  const url = free.pop() ?? (await copyDatabase(urlOf(TEMPLATE)))
  return {
    url,
    async giveBack() {
      if (await empty(url)) return void free.push(url)
      await disconnect(url)
      await run(urlOf('postgres'), `drop database ${databaseOf(url)} with (force)`)
    },
  }
}

let whole: Promise<string> | undefined

/** Empties a database, unless a test has taken something of its schema away or put it aside. */
async function empty(url: string): Promise<boolean> {
  whole ??= withClient(urlOf(TEMPLATE), readSchema)
  const expected = await whole
  const client = await clientOf(url)
  if ((await readSchema(client)) !== expected) return false
  await client.query('select pg_temp.empty_all()')
  return true
}

/**
 * These clients stay connected, because a new connection reads the catalog of the tables again,
 * which takes four times as long.
 */
const clients = new Map<string, pg.Client>()

async function clientOf(url: string): Promise<pg.Client> {
  const known = clients.get(url)
  if (known) return known
  const client = new pg.Client(url)
  // Its server may end before this process.
  client.on('error', () => clients.delete(url))
  await client.connect()
  await client.query(MAKE_EMPTIER)
  clients.set(url, client)
  return client
}

async function disconnect(url: string): Promise<void> {
  await endPools(url)
  await clients.get(url)?.end()
  clients.delete(url)
}

async function readSchema(client: pg.Client): Promise<string> {
  const { rows } = await client.query(`
    select string_agg(nspname || ' ' || relname || ' ' || relnatts, ',' order by 1) as found
    from pg_class join pg_namespace on pg_namespace.oid = relnamespace
    where nspname not like 'pg\\_%' and nspname <> 'information_schema'`)
  return rows[0].found
}

/**
 * Makes a function that empties all tables, without triggers and references; what the template has in `meta`
 * stays. Its session keeps the plans of its statements, whose making took most of the time.
 */
const MAKE_EMPTIER = `do $$
declare
  statements text;
begin
  set session_replication_role = replica;
  select string_agg(
    case relname when 'meta' then 'delete from meta where key <> ''install_id'';'
      else format('delete from %I;', relname) end, ' ')
  into statements from pg_class
  where relnamespace = 'public'::regnamespace and relkind = 'r' and relname <> 'schema_version';
  execute format('create function pg_temp.empty_all() returns void language plpgsql as %L',
    'begin ' || statements || ' end');
end $$`
