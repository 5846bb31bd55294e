import { execFileSync } from 'node:child_process'
import { existsSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { describe, expect, test } from 'vitest'
import { parse, parseAllDocuments } from 'yaml'
import { readConfig } from '#config.ts'
import { SOURCE_FOLDERS } from '#scripts/bootstrap/build.mjs'
import { pinOf } from '#scripts/bootstrap/pinned-node.mjs'
import { oldSpaceMb, SERVER, SERVER_ENV } from '#scripts/bootstrap/server.mjs'

const read = (file: string) => readFileSync(file, 'utf8')
const COMPOSE = read('compose.yaml')
const CADDYFILE = read('deploy/Caddyfile')

/** The settings that config.ts knows, and those of several servers that come beside it. */
const SETTINGS = [
  ...Array.from(read('config.ts').matchAll(/\bread\w*\('([A-Z_]+)'/g), ([, name]) => name),
  ...['ROLE', 'STORAGE_URL', 'SECRET_KEY_FILE', 'AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY'],
]

describe('the image', () => {
  test('is sent every folder that the product is built from, and no other', () => {
    const sent = read('.dockerignore').matchAll(/^!(\w+)$/gm)
    expect(Array.from(sent, ([, name]) => name).sort()).toEqual(SOURCE_FOLDERS.toSorted())
  })

  test('has the Node that the bootstrap pins', () => {
    const { version } = pinOf('linux', 'x64') ?? {}
    expect(read('Dockerfile')).toContain(`FROM node:${version}-slim AS packages\n`)
  })

  test('runs the server with the flags and variables of npm start', () => {
    const dockerfile = read('Dockerfile').split('\n')
    expect(dockerfile.slice(-3)).toEqual(['ENTRYPOINT ["driveqr"]', 'CMD ["start"]', ''])
    // The program of that name, which has no shell to run it, in an image that `lab/container` starts.
    expect(statSync('scripts/bootstrap/image.mjs').mode & 0o111).toBe(0o111)
    expect(read('scripts/bootstrap/image.mjs')).toContain("import { SERVER } from './server.mjs'")
    const variables = Object.entries(SERVER_ENV).map(([name, value]) => `${name}=${value}`)
    expect(dockerfile).toContain(`ENV ${variables.join(' ')}`)
  })

  test.each([
    [0, 320],
    [2 ** 60, 320],
    [1024, 320],
    [512, 320],
    [384, 240],
    [256, 160],
  ])('with %i MB of memory old objects have %i at most', (limit, most) => {
    const memory = limit > 2 ** 30 ? limit : limit * 2 ** 20
    expect(oldSpaceMb(memory)).toBe(most)
    expect(SERVER).toContain(`--max-old-space-size=${oldSpaceMb(process.constrainedMemory())}`)
  })
})

/** A value of compose.yaml with the variables of .env in it, which Compose and sh write in the same way. */
function expand(value: string, env: Record<string, string>): string {
  return execFileSync('/bin/sh', ['-uc', `printf %s "${value}"`], { env, encoding: 'utf8' })
}

/** The settings in the container. */
function settingsIn(env: Record<string, string>) {
  const values: Record<string, string> = parse(COMPOSE).services.driveqr.environment
  const expanded = Object.entries(values).map(([name, value]) => [name, expand(value, env)])
  return readConfig(Object.fromEntries(expanded))
}

describe('compose.yaml and the Caddyfile', () => {
  test('are about the same image, volume, port and names', () => {
    expect(COMPOSE).toContain('- data:/data')
    expect(COMPOSE).toContain('user: "10001:10001"')
    expect(COMPOSE).toContain('UPSTREAM: driveqr:3000')
    expect(COMPOSE).toContain('./deploy/Caddyfile:/etc/caddy/Caddyfile:ro')
    const names = [...CADDYFILE.matchAll(/\{\$(\w+):/g)].map(([, name]) => name)
    for (const name of names) expect(COMPOSE).toMatch(new RegExp(`^ +${name}: `, 'm'))
  })

  test.skipIf(!existsSync('/usr/bin/caddy'))('are understood by Caddy', () => {
    for (const file of ['deploy/Caddyfile', 'deploy/several/Caddyfile']) {
      const check = ['validate', '--adapter', 'caddyfile', '--config', file]
      execFileSync('caddy', check, { stdio: 'pipe', env: { ...process.env, HOME: tmpdir() } })
    }
  })

  test('use no connection that the server is about to close', () => {
    const closedAfter = /keepAliveTimeout: (\d)_000/.exec(read('server/http-server.ts'))?.[1]
    for (const file of ['deploy/Caddyfile', 'deploy/several/Caddyfile']) {
      const usedFor = /^\s+keepalive (\d)s$/m.exec(read(file))?.[1]
      expect(Number(usedFor)).toBeLessThan(Number(closedAfter))
    }
  })

  test('believe one proxy unless .env says another number', () => {
    expect(read('deploy/several/compose.yaml')).toMatch(/^ +TRUST_PROXY: \$\{TRUST_PROXY:-1\}$/m)
    const domain = { DOMAIN: 'keys.example.in' }
    expect(settingsIn(domain)).toMatchObject({ trustProxy: 1 })
    expect(settingsIn({ ...domain, TRUST_PROXY: '2' })).toMatchObject({ trustProxy: 2 })
  })

  test('need no domain without Caddy, and take one or the address of another proxy', () => {
    const { driveqr, caddy } = parse(COMPOSE).services
    expect([driveqr.profiles, caddy.profiles]).toEqual([undefined, ['domain']])
    expect(read('docs/installing.md')).toContain("echo 'COMPOSE_PROFILES=domain' > .env\n")
    expect(COMPOSE).not.toMatch(/\$\{\w+:?\?/)
    const addressIn = (env: Record<string, string>) => settingsIn(env).publicUrl
    expect(settingsIn({})).toMatchObject({ publicUrl: 'http://localhost:3000', trustProxy: 0 })
    expect(expand(driveqr.ports[0], {})).toBe('127.0.0.1:3000:3000')
    expect(expand(driveqr.ports[0], { PUBLISH: '8080' })).toBe('8080:3000')
    expect(addressIn({ DOMAIN: 'keys.example.in' })).toBe('https://keys.example.in')
    const PUBLIC_URL = 'http://192.168.1.20:3000'
    expect(addressIn({ PUBLIC_URL })).toBe(PUBLIC_URL)
  })

  test('let nothing be written but the volume', () => {
    for (const line of ['read_only: true', 'cap_drop: [ALL]', 'init: true']) {
      expect(COMPOSE).toContain(line)
    }
    expect(COMPOSE).toContain('no-new-privileges:true')
  })
})

describe('several servers', () => {
  const folder = 'deploy/several'
  type Service = { image: string; environment: Record<string, string>; depends_on?: object }
  const compose: Record<string, Service> = parse(read(`${folder}/compose.yaml`), {
    merge: true,
  }).services
  const manifests = parseAllDocuments(read(`${folder}/kubernetes.yaml`)).map((each) => each.toJS())
  const of = (kind: string) => manifests.filter((each) => each.kind === kind)

  test('are two web servers, a worker, a database with a standby, and Caddy', () => {
    const roles = Object.values(compose).map(({ environment }) => environment.ROLE)
    expect(roles.filter(Boolean).toSorted()).toEqual(['web', 'web', 'worker'])
    expect(Object.keys(compose)).toEqual(expect.arrayContaining(['primary', 'standby', 'caddy']))
    const deployed = of('Deployment').map(({ spec }) => [
      spec.template.spec.containers[0].env[0].value,
      spec.replicas,
    ])
    expect(deployed).toEqual([
      ['web', 2],
      ['worker', 1],
    ])
    expect(of('StatefulSet').map(({ metadata }) => metadata.name)).toEqual([
      'driveqr-primary',
      'driveqr-standby',
    ])
  })

  test('have settings that are known', () => {
    const named = Object.values(compose)
      .filter(({ image }) => image === 'driveqr')
      .flatMap(({ environment }) => Object.keys(environment))
    const mapped = Object.keys(of('ConfigMap')[0].data)
    expect(named.length).toBeGreaterThan(20)
    expect(SETTINGS).toEqual(expect.arrayContaining([...named, ...mapped]))
  })

  test('have the same settings, but for the role', () => {
    const [web1, web2, worker] = ['web1', 'web2', 'worker'].map((name) => compose[name])
    expect(web2).toEqual(web1)
    const asWeb = { ...worker, environment: { ...worker?.environment, ROLE: 'web' } }
    expect(asWeb).toEqual(web1)
  })

  test('are exchanged one by one, and asked for readiness alone', () => {
    const [web] = of('Deployment')
    expect(web.spec.strategy.rollingUpdate).toEqual({ maxSurge: 1, maxUnavailable: 0 })
    const probed = of('Deployment').map(({ spec }) => {
      const [container] = spec.template.spec.containers
      expect(container.livenessProbe).toBeUndefined()
      return container.readinessProbe.httpGet.path
    })
    expect(probed).toEqual(['/healthz', '/readyz'])
    expect(read(`${folder}/Caddyfile`)).toContain('health_uri /readyz')
  })

  test('keep the nightly backups when the worker is exchanged', () => {
    const [, worker] = of('Deployment')
    const { volumes, containers } = worker.spec.template.spec
    const { DATA_DIR } = of('ConfigMap')[0].data
    const { name } = containers[0].volumeMounts.find((each: { mountPath: string }) =>
      DATA_DIR.startsWith(`${each.mountPath}/`),
    )
    const { persistentVolumeClaim } = volumes.find((each: { name: string }) => each.name === name)
    expect(of('PersistentVolumeClaim').map(({ metadata }) => metadata.name)).toEqual([
      persistentVolumeClaim.claimName,
    ])
    // The old worker has the volume until it has ended.
    expect(worker.spec.strategy).toEqual({ type: 'Recreate' })
  })

  test('select what there is', () => {
    const pods = [...of('Deployment'), ...of('StatefulSet')].map(({ spec }) => spec)
    for (const { selector, template } of pods) {
      expect(template.metadata.labels).toMatchObject(selector.matchLabels)
    }
    for (const { spec } of of('Service')) {
      const found = pods.filter(({ template }) =>
        Object.entries(spec.selector).every(
          ([key, value]) => template.metadata.labels[key] === value,
        ),
      )
      expect(found).toHaveLength(1)
    }
  })

  test('are led to by the scripts and names that the others have', () => {
    const { files } = parse(read(`${folder}/kustomization.yaml`)).configMapGenerator[0]
    for (const name of files) {
      expect([name, statSync(join(folder, name)).mode & 0o111]).toEqual([name, 0o111])
      expect(read(`${folder}/compose.yaml`)).toContain(`./${name}:/`)
      expect(read(`${folder}/kubernetes.yaml`)).toContain(name)
    }
    expect(compose.caddy?.environment.UPSTREAMS).toBe('web1:3000 web2:3000')
    const { scrape_configs } = parse(read('deploy/monitoring/prometheus.yml'))
    const targets = scrape_configs[0].static_configs.flatMap(
      (each: { targets: string[] }) => each.targets,
    )
    expect(targets.map((each: string) => each.split(':')[0])).toEqual(['web1', 'web2', 'worker'])
  })
})

test('the dashboard opens in any Grafana: its panels name its own choice of Prometheus', () => {
  const dashboard = JSON.parse(read('deploy/monitoring/dashboard.json'))
  expect(dashboard.templating.list[0]).toMatchObject({ name: 'datasource', type: 'datasource' })
  type Panel = { id: number; type: string; datasource: object; targets: object[]; gridPos: Place }
  type Place = { x: number; y: number; w: number; h: number }
  const panels: Panel[] = dashboard.panels
  expect(new Set(panels.map(({ id }) => id)).size).toBe(panels.length)
  const choice = { type: 'prometheus', uid: expect.stringMatching(/^\$\{datasource\}$/) }
  for (const { type, datasource, targets } of panels) {
    if (type === 'row') continue
    expect(datasource).toEqual(choice)
    for (const target of targets) expect(target).toMatchObject({ datasource: choice })
  }
  const cells = panels.flatMap(({ gridPos: { x, y, w, h } }) =>
    Array.from({ length: w * h }, (_, n) => `${x + (n % w)},${y + Math.floor(n / w)}`),
  )
  expect(new Set(cells).size).toBe(cells.length)
  expect(Math.max(...panels.map(({ gridPos: { x, w } }) => x + w))).toBeLessThanOrEqual(24)
})

describe.each([
  ['driveqr.service', 'docs/installing.md'],
  ['several/driveqr-web@.service', 'docs/growing.md'],
  ['several/driveqr-worker.service', 'docs/growing.md'],
])('the systemd unit %s', (file, manual) => {
  const UNIT = read(`deploy/${file}`)
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(UNIT)?.[1] ?? ''
  /** The variables that lines of a kind set, of the server on port 3001. */
  const pairsIn = (key: string): Record<string, string> => {
    const lines = UNIT.matchAll(new RegExp(`^${key}=(.*)$`, 'gm'))
    const words = Array.from(lines, ([, line = '']) => line.replace('%i', '3001').split(' ')).flat()
    return Object.fromEntries(
      words.filter((word) => word.includes('=')).map((word) => word.split('=')),
    )
  }

  test('starts what is there, with settings that are known', () => {
    expect(value('ExecStart')).toMatch(
      /^\/usr\/bin\/env ([A-Z]+=\S+ )*node scripts\/bootstrap\.mjs start$/,
    )
    const env = { ...pairsIn('Environment'), ...pairsIn('ExecStart') }
    expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(env)))
    expect(env.DATA_DIR).toBe(`/var/lib/${value('StateDirectory')}`)
    // From a file that nobody else can read.
    const secret = file.startsWith('several/') && { DATABASE_URL: 'postgres://driveqr@db/driveqr' }
    expect(readConfig({ ...env, ...secret })).toMatchObject({ production: true, trustProxy: 1 })
  })

  test.runIf(file.startsWith('several/'))(
    'has its own role and port instead of those in the file',
    () => {
      const ofFile = { ROLE: 'all', PORT: '8080', DATABASE_URL: 'postgres://driveqr@db/driveqr' }
      // systemd.exec(5): what EnvironmentFile= says overrides Environment=, in any order.
      const env = { ...pairsIn('Environment'), ...ofFile, ...pairsIn('ExecStart') }
      const own = file.includes('web')
        ? { role: 'web', port: 3001 }
        : { role: 'worker', port: 3000 }
      expect(readConfig(env)).toMatchObject(own)
    },
  )

  test('leads to the manual that has its installation', () => {
    const manuals = [...UNIT.matchAll(/docs\/[a-z]+\.md/g)].map(([path]) => path)
    expect(new Set(manuals)).toEqual(new Set([manual]))
    expect(read(manual)).toContain(`deploy/${file}`)
  })

  test('does not start again what was refused', () => {
    expect(value('RestartPreventExitStatus')).toBe('3')
    expect(read('server.ts')).toContain('const EXIT_REFUSED = 3')
  })

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))(
    'is understood by systemd, and strict',
    () => {
      const unit = ['--offline=true', '--threshold=20', `deploy/${file}`]
      // Fails above an exposure of 2.0 of 10.
      execFileSync('systemd-analyze', ['security', ...unit], { stdio: 'pipe' })
      execFileSync('systemd-analyze', ['verify', resolve('deploy', file)], { stdio: 'pipe' })
    },
  )
})
