/**
 * Checks `deploy/` with the programs that read it, and runs the scripts of the standby: by hand, because
 * it installs them. What costs little is in `tests/house/deploy.test.ts`.
 */
import { execFileSync, type SpawnSyncOptions, spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseAllDocuments, stringify } from 'yaml'
import { findProgram, installPackages } from '#scripts/bootstrap/debian.mjs'
import { makePrograms } from '#tests/support/programs.ts'
import { launch } from '#tests/support/server.ts'
import { scrape } from './prometheus.ts'
import { failOver } from './standby.ts'

const MONITORING = resolve('deploy/monitoring')
const SEVERAL = resolve('deploy/several')
/** Programs, and the Debian packages that have them. */
const PACKAGES = {
  promtool: 'prometheus',
  'docker-compose': 'docker-compose',
  caddy: 'caddy',
  'systemd-analyze': 'systemd',
}
const KUBERNETES = 'kubernetes-models@5.1.0'

const work = mkdtempSync(join(tmpdir(), 'driveqr-deploy-'))
// The user that PostgreSQL runs as must get through.
execFileSync('chmod', ['711', work])

const programs = await makePrograms()

const checks: Record<string, () => void | Promise<void>> = {
  'alert rules': () => run('promtool', ['check', 'rules', `${MONITORING}/alerts.yml`]),
  'when alerts fire': () => run('promtool', ['test', 'rules', `${MONITORING}/alerts.test.yml`]),
  'scrape configuration': () =>
    run('promtool', ['check', 'config', '--syntax-only', `${MONITORING}/prometheus.yml`]),
  'questions of the dashboard': checkDashboard,
  'names and help of the metrics': checkMetrics,
  'a scrape, and what the dashboard shows': () => scrape(MONITORING, programs.server, work),
  'compose file': checkCompose,
  'systemd units': () =>
    run('systemd-analyze', [
      'verify',
      resolve('deploy/driveqr.service'),
      `${SEVERAL}/driveqr-web@.service`,
      `${SEVERAL}/driveqr-worker.service`,
    ]),
  Caddyfiles: () => {
    for (const file of ['deploy/Caddyfile', `${SEVERAL}/Caddyfile`]) {
      run('caddy', ['validate', '--adapter', 'caddyfile', '--config', file])
    }
  },
  'Kubernetes manifest': checkManifest,
  'standby and promotion': () => failOver(work),
}

const missing = Object.entries(PACKAGES).filter(([program]) => !findProgram([program]))
if (missing.length > 0 && !installPackages(missing.map(([, name]) => name))) {
  throw new Error(`Install ${missing.map(([, name]) => name).join(', ')}`)
}
let failed = 0
for (const [name, check] of Object.entries(checks)) {
  try {
    await check()
    console.log(`kept    ${name}`)
  } catch (error) {
    failed++
    console.log(`FAILED  ${name}\n${(error as Error).message}`)
  }
}
rmSync(work, { recursive: true, force: true })
programs.remove()
console.log(`${Object.keys(checks).length - failed} passed, ${failed} failed`)
process.exitCode = failed > 0 ? 1 : 0

/** Runs a program. Throws with its output when it fails. */
function run(program: string, args: string[], options: SpawnSyncOptions = {}): void {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', ...options })
  if (status !== 0) throw new Error(`${program} ended with ${status}\n${stdout}${stderr}`)
}

/** Each question as a rule of Prometheus, which checks it as its own. */
function checkDashboard(): void {
  const { panels } = JSON.parse(readFileSync(`${MONITORING}/dashboard.json`, 'utf8'))
  const asked = panels.flatMap(({ targets = [] }) => targets as { expr: string }[])
  const rules = asked.map(({ expr }: { expr: string }, n: number) => ({
    record: `question_${n}`,
    expr: expr.replaceAll('$__rate_interval', '5m').replaceAll('$instance', '.*'),
  }))
  const file = join(work, 'dashboard.yml')
  writeFileSync(file, stringify({ groups: [{ name: 'dashboard', rules }] }))
  run('promtool', ['check', 'rules', file])
}

/** Checks a server's metrics by Prometheus' own linter. */
async function checkMetrics(): Promise<void> {
  const server = await launch({ dataDir: join(work, 'data'), program: programs.server })
  try {
    if (!(await server.serves())) throw new Error(server.output())
    await fetch(`${server.url}/metrics`)
    const input = await (await fetch(`${server.url}/metrics`)).text()
    run('promtool', ['check', 'metrics'], { input })
  } finally {
    server.kill('SIGTERM')
    await server.ended
  }
}

function checkCompose(): void {
  // Debian's Compose is older than the name of a project in its file.
  const file = join(work, 'compose.yaml')
  writeFileSync(file, readFileSync(`${SEVERAL}/compose.yaml`, 'utf8').replace(/^name: .*\n/m, ''))
  const needed = { DOMAIN: 'keys.example.in', DATABASE_PASSWORD: 'a', REPLICATION_PASSWORD: 'b' }
  const args = ['--file', file, '--project-directory', SEVERAL, 'config', '--quiet']
  run('docker-compose', args, { env: { ...process.env, ...needed } })
}

type Manifest = { apiVersion: string; kind: string; spec?: Record<string, unknown> }

async function checkManifest(): Promise<void> {
  writeFileSync(join(work, 'package.json'), '{ "private": true }')
  const quiet = ['--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  run('npm', ['install', ...quiet, KUBERNETES], { cwd: work })
  const manifests = parseAllDocuments(readFileSync(`${SEVERAL}/kubernetes.yaml`, 'utf8'), {
    version: '1.1',
  }).map((each) => each.toJS() as Manifest)
  for (const manifest of manifests) await validate(manifest)
  // A control: the schema must refuse something.
  const wrong = { ...manifests[2], spec: { ...manifests[2]?.spec, replicas: 'two' } } as Manifest
  const refused = await validate(wrong).then(
    () => false,
    () => true,
  )
  if (!refused) throw new Error('The schema of Kubernetes accepts a number of replicas in words')
}

async function validate(manifest: Manifest): Promise<void> {
  const { apiVersion, kind } = manifest
  const place = join(work, 'node_modules/kubernetes-models', apiVersion, `${kind}.js`)
  const { [kind]: Model } = await import(place)
  try {
    new Model(manifest).validate()
  } catch (error) {
    throw new Error(`${kind}: ${(error as Error).message}`)
  }
}
