import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort } from '#tests/support/server.ts'

const START_LIMIT_MS = 10_000

export type StartedProxy = { url: string; child: ChildProcess; stop(): Promise<void> }

/**
 * Caddy with the shipped configuration, in front of a server on loopback, without a certificate.
 */
export async function startProxy(work: string, upstream: string): Promise<StartedProxy> {
  const url = `http://localhost:${await freePort()}`
  const config = join(work, 'Caddyfile')
  const shipped = readFileSync('deploy/Caddyfile', 'utf8')
  // The ports of own addresses, which other programs of this machine may have.
  const ports = `\thttp_port ${await freePort()}\n\thttps_port ${await freePort()}\n`
  writeFileSync(config, shipped.replace(/^\{\n/m, `{\n\tadmin off\n${ports}`))
  const child = spawn('caddy', ['run', '--adapter', 'caddyfile', '--config', config], {
    env: {
      PATH: process.env.PATH,
      HOME: work,
      XDG_DATA_HOME: work,
      XDG_CONFIG_HOME: work,
      DOMAIN: url,
      UPSTREAM: new URL(upstream).host,
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
