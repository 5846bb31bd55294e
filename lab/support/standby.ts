import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  chmodSync,
  chownSync,
  mkdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { connect, createServer, type Socket } from 'node:net'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { findOrFail } from '#scripts/bootstrap/programs.mjs'
import { lentUser } from '#tests/support/postgres.ts'
import { freePort } from '#tests/support/server.ts'

const SCRIPTS = 'deploy/several'
const PASSWORD = 'letters'
const LONGEST_MS = 30_000
const CONFIRMS = "select count(*)::int as n from pg_stat_replication where sync_state = 'sync'"
const FOLLOWS = 'select count(*)::int as n from pg_stat_replication'

export type Pair = Awaited<ReturnType<typeof startPair>>

/**
 * A primary with a standby that confirms its commits, by `primary.sh` and `standby.sh` run as the image of
 * PostgreSQL does. Other users must get through `work`.
 */
export async function startPair(work: string, { confirms = true } = {}) {
  const programs = await findOrFail('postgres')
  const as = process.getuid?.() === 0 ? lentUser() : undefined
  const port = await freePort()
  const line = await openLine({ host: '127.0.0.3', port }, { host: '127.0.0.1', port })
  /** Each has an address of its own, because the standby copies the primary's settings. */
  const open = (name: string, address: string) => {
    const folder = join(work, name)
    const bin = join(folder, 'bin')
    mkdirSync(bin, { recursive: true })
    const shim = join(bin, 'postgres')
    const given = `-c listen_addresses=${address} -c unix_socket_directories=${folder}`
    writeFileSync(shim, `#!/bin/sh\nexec ${programs}/postgres ${given} "$@"\n`)
    chmodSync(shim, 0o755)
    if (as) for (const path of [folder, bin]) chownSync(path, as.uid, as.gid)
    const env = {
      PATH: `${bin}:${programs}:${process.env.PATH}`,
      PGDATA: join(folder, 'data'),
      PGPORT: String(port),
      PGHOST: folder,
      POSTGRES_USER: 'driveqr',
      REPLICATION_PASSWORD: PASSWORD,
      PRIMARY_HOST: '127.0.0.3',
    }
    const options = { ...as, env, cwd: folder }
    return {
      folder,
      url: urlOf(folder, port, 'postgres'),
      call: (program: string, ...args: string[]) =>
        execFileSync(program, args, { ...options, stdio: ['ignore', 'ignore', 'pipe'] }),
      spawn: (program: string, ...args: string[]) =>
        spawn(program, args, { ...options, stdio: 'ignore' }),
      given,
      data: env.PGDATA,
    }
  }
  const [primary, standby] = [open('primary', '127.0.0.1'), open('standby', '127.0.0.2')]
  const running: ChildProcess[] = []
  const name = join(work, 'database')
  /** Where connections to the name go from now on. */
  const leadTo = ({ folder }: typeof primary) => {
    rmSync(name, { force: true })
    symlinkSync(folder, name)
  }
  async function stop(): Promise<void> {
    line.cut()
    for (const each of running) {
      if (each.exitCode !== null || each.signalCode !== null) continue
      each.kill('SIGQUIT')
      await once(each, 'exit')
    }
  }
  try {
    const locale = ['--encoding=UTF8', '--locale=C.UTF-8']
    primary.call('initdb', '--username=driveqr', '--auth=trust', '--no-sync', ...locale)
    // The image's own configuration lets everybody try from everywhere.
    appendFileSync(join(primary.data, 'postgresql.conf'), "listen_addresses = '*'\n")
    // It starts the program beside itself, and not ours.
    primary.call('pg_ctl', 'start', '--wait', '--log=/dev/null', '--options', primary.given)
    primary.call('bash', join(process.cwd(), SCRIPTS, 'primary.sh'))
    primary.call('pg_ctl', 'stop', '--wait')
    const setting = confirms ? [] : ['-c', 'synchronous_standby_names=']
    const first = primary.spawn('postgres', ...setting)
    running.push(first)
    await untilIs(primary.url, 'select 1 as n', 1)
    running.push(standby.spawn('bash', join(process.cwd(), SCRIPTS, 'standby.sh')))
    await untilIs(primary.url, confirms ? CONFIRMS : FOLLOWS, 1)
    leadTo(primary)
    return {
      /** By the name, which leads to the primary, and to the standby from its promotion on. */
      urlOf: (database: string) => urlOf(name, port, database),
      /** The delay of each byte between the two from now on. */
      moveApart: line.prolong,
      /** All of its processes at once, as when its machine fails. */
      async killPrimary(): Promise<void> {
        line.cut()
        killWithChildren(first.pid ?? 0)
        await once(first, 'exit')
      },
      promote(): void {
        standby.call('pg_ctl', 'promote', '--wait')
        leadTo(standby)
      },
      stop,
    }
  } catch (error) {
    await stop()
    throw error
  }
}

const urlOf = (folder: string, port: number, database: string) =>
  `postgres://driveqr@${encodeURIComponent(folder)}:${port}/${database}`

/** Its backends have groups of their own, and would go on for a moment. */
function killWithChildren(pid: number): void {
  process.kill(pid, 'SIGSTOP')
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').match(/\d+/g) ?? []
  for (const each of [...children, pid]) process.kill(Number(each), 'SIGKILL')
}

type Address = { host: string; port: number }

/** Opens a line to a server on which each byte takes a while, until it is cut and bytes on their way are lost. */
async function openLine(near: Address, far: Address) {
  const ends = new Set<Socket>()
  let [isCut, delayMs] = [false, 0]
  const carry = (from: Socket, to: Socket) => {
    ends.add(from)
    const later = (act: () => void) => setTimeout(() => isCut || act(), delayMs)
    from.on('data', (piece) => later(() => to.write(piece)))
    from.on('close', () => later(() => to.destroy()))
    // The side that breaks it closes it too.
    from.on('error', () => {})
  }
  const server = createServer((asked) => {
    const answering = connect(far)
    carry(asked, answering)
    carry(answering, asked)
  })
  server.listen(near.port, near.host)
  await once(server, 'listening')
  return {
    prolong(ms: number): void {
      delayMs = ms
    },
    cut(): void {
      isCut = true
      server.close()
      for (const end of ends) end.destroy()
    },
  }
}

/** Asks until the answer is `n`. */
export async function untilIs(url: string, question: string, n: number): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_MS
  for (;;) {
    const rows = await askSoon(url, question).catch((error: Error) => error)
    if (!(rows instanceof Error) && rows[0]?.n === n) return
    if (performance.now() > giveUpAt)
      throw new Error(`${question} is not ${n}: ${JSON.stringify(rows)}`)
    await sleep(100)
  }
}

/** Fails when there is no answer for a while, as when nobody confirms. */
export async function askSoon(url: string, statement: string): Promise<{ n: number }[]> {
  const client = new pg.Client({ connectionString: url, query_timeout: 10_000 })
  await client.connect()
  try {
    return (await client.query(statement)).rows
  } finally {
    await client.end()
  }
}
