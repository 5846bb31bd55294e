import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/server.ts'

const START_LIMIT_MS = 10_000

export type StartedProxy = { url: string; child: ChildProcess; stop(): Promise<void> }

type Proxied = {
  /** the shipped configuration, with the changes of a drill */
  config?: string
  change?: ((config: string) => string) | undefined
  url?: string
}

/**
 * Caddy with a shipped configuration, in front of servers on loopback, without a certificate.
 */
export async function startProxy(
  work: string,
  upstreams: string[],
  { config = 'deploy/Caddyfile', change = (shipped) => shipped, url: given }: Proxied = {},
): Promise<StartedProxy> {
  const url = given ?? (await freeUrl())
  const file = join(work, 'Caddyfile')
  // The ports of own addresses and of questions, which other programs of this machine may have.
  const ports = `\thttp_port ${await freePort()}\n\thttps_port ${await freePort()}\n`
  const shipped = readFileSync(config, 'utf8')
    .replace(/^\{\n/m, `{\n\tadmin off\n${ports}`)
    .replaceAll('127.0.0.1:2080', `127.0.0.1:${await freePort()}`)
  writeFileSync(file, change(shipped))
  const hosts = upstreams.map((each) => new URL(each).host).join(' ')
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', file], {
    env: {
      PATH: process.env.PATH,
      HOME: work,
      XDG_DATA_HOME: work,
      XDG_CONFIG_HOME: work,
      DOMAIN: url,
      UPSTREAM: hosts,
      UPSTREAMS: hosts,
    },
    stdio: 'ignore',
  })
  const ended = once(child, 'exit')
  const stop = async () => {
    child.kill('SIGKILL')
    await ended
  }
  for (let waited = 0; waited < START_LIMIT_MS; waited += 50) {
    if ((await fetch(`${url}/healthz`).catch(() => undefined))?.ok) return { url, child, stop }
    await sleep(50)
  }
  await stop()
  throw new Error('Caddy did not start')
}

export async function freeUrl(): Promise<string> {
  return `http://localhost:${await freePort()}`
}
