import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { copyFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { parse, stringify } from 'yaml'
import { freePort, launch } from '#tests/support/server.ts'

const TOKEN = 'a-token-of-monitoring'
const LONGEST_MS = 30_000
/** Questions about PostgreSQL, which a server on SQLite does not answer. */
const OF_POSTGRES = /pool/

/**
 * Runs Prometheus with this configuration and these rules against a running server, and asks every
 * question of the dashboard.
 */
export async function scrape(monitoring: string, program: string, work: string): Promise<void> {
  const server = await launch({
    dataDir: join(work, 'scraped'),
    program,
    env: { METRICS_TOKEN: TOKEN },
  })
  const port = await freePort()
  const folder = join(work, 'prometheus')
  mkdirSync(folder)
  copyFileSync(join(monitoring, 'alerts.yml'), join(folder, 'alerts.yml'))
  writeFileSync(join(folder, 'token'), TOKEN)
  const config = parse(readFileSync(join(monitoring, 'prometheus.yml'), 'utf8'))
  config.global = { scrape_interval: '500ms', evaluation_interval: '500ms' }
  const [job] = config.scrape_configs
  job.authorization.credentials_file = join(folder, 'token')
  job.static_configs = [{ targets: [new URL(server.url).host], labels: { role: 'web' } }]
  writeFileSync(join(folder, 'prometheus.yml'), stringify(config))
  const prometheus = spawn(
    'prometheus',
    [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore' },
  )
  try {
    if (!(await server.serves())) throw new Error(server.output())
    await fetch(`${server.url}/scan/AAAAAAAAAAAA`)
    const ask = async (question: string) => {
      const url = `http://127.0.0.1:${port}/api/v1/query?query=${encodeURIComponent(question)}`
      const { status, error, data } = await (await fetch(url)).json()
      if (status !== 'success') throw new Error(`${question}: ${error}`)
      return data.result as { value: [number, string] }[]
    }
    await until(async () => (await ask('count(up == 1)'))[0]?.value[1] === '1')
    await until(async () => (await ask('sum(driveqr_ready)'))[0]?.value[1] === '3')
    const { panels } = JSON.parse(readFileSync(join(monitoring, 'dashboard.json'), 'utf8'))
    for (const { targets = [], title } of panels) {
      for (const { expr } of targets) {
        const question = expr.replaceAll('$__rate_interval', '1m').replaceAll('$instance', '.*')
        // A series that only errors have is empty, which is an answer.
        const mayBeEmpty = OF_POSTGRES.test(question) || question.includes('5..')
        await until(async () => (await ask(question)).length > 0 || mayBeEmpty, title)
      }
    }
  } finally {
    prometheus.kill('SIGTERM')
    if (prometheus.exitCode === null) await once(prometheus, 'exit')
    server.kill('SIGTERM')
    await server.ended
  }
}

async function until(isSo: () => Promise<boolean>, what = 'Prometheus'): Promise<void> {
  const giveUpAt = performance.now() + LONGEST_MS
  let last: unknown
  while (performance.now() < giveUpAt) {
    const answer = await isSo().catch((error: Error) => {
      last = error
      return false
    })
    if (answer) return
    await sleep(250)
  }
  throw new Error(`${what} has no answer`, { cause: last })
}
