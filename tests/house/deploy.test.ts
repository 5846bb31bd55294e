import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { describe, expect, test } from 'vitest'
import { readConfig } from '#config.ts'

const read = (file: string) => readFileSync(file, 'utf8')
const DOCKERFILE = read('Dockerfile')
const IGNORED = read('.dockerignore')
const COMPOSE = read('compose.yaml')
const CADDYFILE = read('deploy/Caddyfile')
const UNIT = read('deploy/driveqr.service')
const BOOTSTRAP = read('scripts/bootstrap/pinned-node.mjs')

/** Instructions with their continuation lines joined, without comments. */
const steps = DOCKERFILE.replace(/^#.*\n/gm, '')
  .replace(/\\\n\s*/g, '')
  .split('\n')
  .filter(Boolean)
  .map((line) => ({ name: line.split(' ', 1)[0] ?? '', rest: line.replace(/^\w+ /, '') }))
const all = (name: string) => steps.filter((step) => step.name === name).map(({ rest }) => rest)

/** What the build is sent: a file at the top, or a folder. */
const sent = IGNORED.split('\n')
  .filter((line) => line.startsWith('!'))
  .map((line) => line.slice(1))

/** The settings that config.ts knows. */
const SETTINGS = [...read('config.ts').matchAll(/\bread\w*\('([A-Z_]+)'/g)].map(([, name]) => name)

describe('the image', () => {
  test('has the Node that the bootstrap pins, exactly, in every stage', () => {
    const pinned = /PINNED_NODE = '([\d.]+)'/.exec(BOOTSTRAP)?.[1]
    const images = all('FROM').map((from) => from.split(' ', 1)[0])
    expect(images).toEqual(Array(3).fill(`node:${pinned}-slim`))
  })

  test('is sent every folder that the product is built from, and no other', () => {
    const built = /SOURCE_FOLDERS = \[([^\]]+)\]/.exec(read('scripts/bootstrap/build.mjs'))?.[1]
    const folders = [...(built ?? '').matchAll(/'(\w+)'/g)].map(([, name]) => name)
    expect(sent.filter((name) => !name.includes('.')).sort()).toEqual(folders.sort())
    for (const name of sent.filter((each) => each !== '*.ts'))
      expect([name, existsSync(name)]).toEqual([name, true])
    expect(IGNORED).toMatch(/^\*$/m)
  })

  test('copies only what is sent, or what a stage before has made', () => {
    const stages = all('FROM').flatMap((from) => from.split(' AS ')[1] ?? [])
    for (const copy of all('COPY')) {
      const stage = /^--from=(\w+)/.exec(copy)?.[1]
      if (stage) expect(stages).toContain(stage)
      else if (copy !== '. .') {
        for (const file of copy.split(' ').slice(0, -1)) expect(sent).toContain(file)
      }
    }
  })

  test('runs scripts that are there, and what the build makes', () => {
    const commands = [...all('RUN'), ...all('CMD'), ...all('HEALTHCHECK')].join('\n')
    const scripts = [...commands.matchAll(/\b(scripts\/[\w/.]+|dist\/\w+)\.(?:ts|mjs|js)/g)]
    expect(scripts.length).toBeGreaterThan(3)
    for (const [path] of scripts) {
      const isMade = /^dist\/(server|driveqr)\.js$/.test(path)
      expect([path, isMade || existsSync(path)]).toEqual([path, true])
    }
    expect(read('scripts/_programs.ts')).toContain("for (const name of ['server', 'driveqr'])")
  })

  test('has a compile cache made by the user that runs it, because Node uses no other user’s', () => {
    const at = (wanted: string) => steps.findIndex(({ rest }) => rest.includes(wanted))
    const compiled = at('driveqr.js --help')
    const users = (from: typeof steps) => from.filter(({ name }) => name === 'USER')
    const runs = users(steps).at(-1)?.rest
    expect(runs).toBe('10001:10001')
    expect(users(steps.slice(0, compiled)).at(-1)?.rest).toBe(runs)
    expect(at('chmod -R a+rX dist/compile-cache')).toBeGreaterThan(compiled)
  })

  test('takes away only what the database driver does not load there', () => {
    const driver = 'node_modules/better-sqlite3'
    const binaries = readdirSync(`${driver}/prebuilds`)
    expect(binaries).toEqual(expect.arrayContaining(['linux-arm64.node', 'linux-x64.node']))
    expect(DOCKERFILE).toContain('! -name "linux-$(node -p process.arch).node" -delete')
    for (const folder of ['deps', 'src']) expect(existsSync(`${driver}/${folder}`)).toBe(true)
  })

  test('runs as an unprivileged user, has a health check, and stops by a signal that reaches it', () => {
    expect(all('USER').at(-1)).toBe('10001:10001')
    expect(steps.findLastIndex(({ name }) => name === 'USER')).toBeGreaterThan(
      steps.findLastIndex(({ name }) => name === 'RUN'),
    )
    expect(all('HEALTHCHECK')[0]).toContain('/healthz')
    expect(JSON.parse(all('CMD')[0] ?? '')).toEqual(['node', 'dist/server.js'])
  })

  test('has the settings of a container', () => {
    const pairs = all('ENV').flatMap((line) => line.split(' ').map((pair) => pair.split('=')))
    const env = Object.fromEntries(pairs)
    expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(env)))
    expect(readConfig(env)).toMatchObject({ production: true, host: '0.0.0.0', dataDir: '/data' })
  })
})

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
    const check = ['validate', '--adapter', 'caddyfile', '--config', 'deploy/Caddyfile']
    execFileSync('caddy', check, { stdio: 'pipe', env: { ...process.env, HOME: tmpdir() } })
  })

  test('believe one proxy, and let nothing be written but the volume', () => {
    for (const line of ['TRUST_PROXY: "1"', 'read_only: true', 'cap_drop: [ALL]', 'init: true']) {
      expect(COMPOSE).toContain(line)
    }
    expect(COMPOSE).toContain('no-new-privileges:true')
  })
})

describe('the systemd unit', () => {
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(UNIT)?.[1] ?? ''

  test('starts what is there, with settings that are known', () => {
    expect(value('ExecStart')).toBe('/usr/bin/env node scripts/bootstrap.mjs start')
    const env = Object.fromEntries(
      value('Environment')
        .split(' ')
        .map((pair) => pair.split('=')),
    )
    expect(SETTINGS).toEqual(expect.arrayContaining(Object.keys(env)))
    expect(env.DATA_DIR).toBe(`/var/lib/${value('StateDirectory')}`)
    expect(readConfig(env)).toMatchObject({ production: true, trustProxy: 1 })
  })

  test('leads to the manual that has its installation', () => {
    const manuals = [...UNIT.matchAll(/docs\/[a-z]+\.md/g)].map(([path]) => path)
    expect(new Set(manuals)).toEqual(new Set(['docs/installing.md']))
    expect(read('docs/installing.md')).toContain('deploy/driveqr.service')
  })

  test('does not start again what was refused', () => {
    expect(value('RestartPreventExitStatus')).toBe('3')
    expect(read('server.ts')).toContain('const EXIT_REFUSED = 3')
  })

  test.skipIf(!existsSync('/usr/bin/systemd-analyze'))(
    'is understood by systemd, and strict',
    () => {
      const unit = ['--offline=true', '--threshold=20', 'deploy/driveqr.service']
      // Fails above an exposure of 2.0 of 10.
      execFileSync('systemd-analyze', ['security', ...unit], { stdio: 'pipe' })
    },
  )
})
