/**
 * `node lab/container/run.ts [x64|arm64]`: builds the image from a base of Debian and the pinned
 * Node, runs it within the limits of compose.yaml, and does the main job in it.
 */
import { strict as assert } from 'node:assert'
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { arch as ownArch, tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import {
  type Arch,
  debianArch,
  makeDebianRoot,
  needPrograms,
  run,
  timed,
  withPrograms,
  withWorkFolder,
} from '#lab/support/debian-root.ts'
import { doMainJob, expectMainJob, register, untilHealthy } from '#lab/support/main-job.ts'
import { residentMb } from '#lab/support/resident.ts'
import { findPinnedNode, installPinnedNode, pinOf } from '#scripts/bootstrap/pinned-node.mjs'
import { oldSpaceMb } from '#scripts/bootstrap/server.mjs'
import { freePort } from '#tests/support/server.ts'
import { type Received, startMailServer, textOf } from '#tests/support/smtp.ts'

const MOST_MB = 250
const START_LIMIT_MS = 120_000
const NAME = 'driveqr-container-test'
/** Where a base for containers has nothing, and debootstrap has something. */
const LEFT_OUT = ['usr/share/doc', 'usr/share/man', 'usr/share/locale', 'usr/share/info']
const CACHES = ['var/cache/apt', 'var/lib/apt/lists']

const arch = (process.argv[2] ?? ownArch()) as Arch
const isEmulated = arch !== ownArch()

/** The service's settings in compose.yaml, each of which must be there. */
const service = /^ {2}driveqr:\n((?: {4}.*\n)+)/m.exec(readFileSync('compose.yaml', 'utf8'))?.[1]
function setting(pattern: RegExp): string {
  const found = pattern.exec(service ?? '')?.[1]
  if (found === undefined) throw new Error(`compose.yaml has no ${pattern.source}`)
  return found
}
const LIMITS = {
  user: setting(/^ +user: "(.+)"$/m),
  memory: setting(/^ +mem_limit: (\d+)m$/m),
  pids: setting(/^ +pids_limit: (\d+)$/m),
  graceSeconds: setting(/^ +stop_grace_period: (\d+)s$/m),
}
const CONFINED = [
  ...['--init', `--read-only=${setting(/^ +read_only: (true)$/m)}`, '--read-only-tmpfs=false'],
  ...['--tmpfs', setting(/^ +tmpfs:\n +- (.+)$/m)],
  ...['--cap-drop', setting(/^ +cap_drop: \[(ALL)\]$/m)],
  ...['--security-opt', setting(/^ +security_opt: \["(no-new-privileges):true"\]$/m)],
  ...['--user', LIMITS.user, '--memory', `${LIMITS.memory}m`, '--pids-limit', LIMITS.pids],
  ...['--stop-timeout', LIMITS.graceSeconds, '--volume', setting(/^ +- (data:\/data)$/m)],
]

needPrograms({
  debootstrap: 'debootstrap',
  podman: 'podman',
  runc: 'runc',
  catatonit: 'catatonit',
})
await withPrograms(arch, () => withWorkFolder(tryImage))

async function tryImage(work: string): Promise<void> {
  // Its own storage, so that the machine's images and containers are neither used nor changed.
  const storage = ['--root', join(work, 'storage'), '--runroot', join(work, 'run')]
  // Without systemd every call would complain that there is no timer for the health check.
  const quiet = ['--log-level', 'fatal']
  const engine = [...storage, ...quiet, '--runtime', 'runc', '--cgroup-manager', 'cgroupfs']
  const podman = (...args: string[]) => run('podman', [...engine, ...args])
  const ask = (...args: string[]) =>
    execFileSync('podman', [...engine, ...args], { encoding: 'utf8', stdio: 'pipe' }).trim()

  const base = /^FROM (node:\S+)/m.exec(readFileSync('Dockerfile', 'utf8'))?.[1]
  const root = join(work, 'root')
  await timed('base image', () => {
    makeBase(root, work)
    const archive = join(work, 'base.tar')
    run('tar', ['-C', root, '-cf', archive, '.'])
    podman('import', '--arch', debianArch(arch), archive, `localhost/${base}`)
    rmSync(archive)
  })
  await timed('image', () => {
    const places = ['--isolation', 'chroot', '--network', 'host', '--pull=never']
    const as = ['--arch', debianArch(arch), '--format', 'docker', '--tag', 'driveqr']
    podman('build', ...as, ...places, '.')
  })
  const mb = Number(ask('image', 'inspect', '--format', '{{.Size}}', 'driveqr')) / 1e6
  console.log(`size: ${mb.toFixed(0)} MB on ${arch}`)
  assert.ok(mb <= MOST_MB, `At most ${MOST_MB} MB`)

  const mail = await startMailServer()
  try {
    await tryLimits(podman, ask, mail)
  } finally {
    await mail.stop()
    podman('rm', '--all', '--force', '--time', '0')
  }
}

/** Makes the base of the Dockerfile: a slim Debian, Node and npm. */
function makeBase(root: string, work: string): void {
  makeDebianRoot(root, arch)
  for (const path of [...LEFT_OUT, ...CACHES]) {
    rmSync(join(root, path), { recursive: true, force: true })
  }
  // The emulator finds the C libraries of Node there, and npm installs packages for that
  // architecture.
  const emulated = { QEMU_LD_PREFIX: root, npm_config_cpu: arch }
  if (isEmulated) Object.assign(process.env, emulated)
  const pin = pinOf('linux', arch)
  const folder = join(work, 'node')
  mkdirSync(folder)
  installPinnedNode(pin, folder)
  for (const name of Object.keys(emulated)) delete process.env[name]
  const node = findPinnedNode(pin, folder)
  if (!node) throw new Error('Node was not installed')
  for (const part of ['bin', 'include']) {
    cpSync(join(dirname(node), '..', part), join(root, 'usr/local', part), { recursive: true })
  }
  run('npm', ['install', '--global', '--prefix', join(root, 'usr/local'), 'npm@11'])
}

type Podman = (...args: string[]) => void
type Ask = (...args: string[]) => string

async function tryLimits(
  podman: Podman,
  ask: Ask,
  mail: Awaited<ReturnType<typeof startMailServer>>,
): Promise<void> {
  const port = await freePort()
  const url = `http://127.0.0.1:${port}`
  const env = { PORT: port, PUBLIC_URL: 'https://keys.example.in', SMTP_URL: mail.url }
  const settings = Object.entries(env).flatMap(([name, value]) => ['--env', `${name}=${value}`])
  // Podman would ask for more files and processes than it may have here, and systemd for the check.
  const host = [
    ...['--ulimit', `nofile=${openFiles()}`, '--ulimit', 'nproc=4096:4096'],
    ...['--health-interval', 'disable'],
  ]
  const where = ['--detach', '--name', NAME, '--network', 'host', '--pull=never']
  podman('run', ...where, ...host, ...CONFINED, ...settings, 'driveqr')
  await timed('start', () => untilHealthy(url, START_LIMIT_MS))
  // An emulated Node takes longer for its start than the check may take.
  if (isEmulated) podman('exec', NAME, ...checkOf(ask))
  else podman('healthcheck', 'run', NAME)

  const server = serverIn(Number(ask('inspect', '--format', '{{.State.Pid}}', NAME)))
  expectConfined(server)
  const write = 'fs.writeFileSync("/app/dist/written", "")'
  assert.throws(() => ask('exec', NAME, 'node', '-e', write), /EROFS/)

  const mailed = register(() => mailedOtp(mail.received))
  const done = await timed('main job', () => doMainJob(url, mailed))
  console.log(`memory: ${residentMb(server).toFixed(0)} MB resident after it`)
  const once = ['run', '--rm', '--network', 'host', '--pull=never', ...host]
  // With an emulator each, two programs do not fit in the memory of one container.
  if (!isEmulated) podman('exec', NAME, 'driveqr', 'doctor')
  podman(...once, ...CONFINED, ...settings, 'driveqr', 'doctor')
  assert.match(ask(...once, 'driveqr', 'qr', 'create', '--help'), /^ {2}\$ driveqr qr create /m)
  expectForeignFolderRefused((folder) =>
    ask(...once, '--user', LIMITS.user, '--volume', `${folder}:/data`, 'driveqr'),
  )

  await timed('stop', () => podman('stop', NAME))
  assert.equal(ask('inspect', '--format', '{{.State.ExitCode}}', NAME), '0')
  podman('start', NAME)
  await timed('second start', () => untilHealthy(url, START_LIMIT_MS))
  await expectMainJob(url, done)
}

/** Checks the one line of a server that may not write to the folder of the machine that it has as `/data`. */
function expectForeignFolderRefused(start: (folder: string) => void): void {
  const folder = mkdtempSync(join(tmpdir(), 'driveqr-mounted-'))
  const line = `it belongs to user 0, and DriveQR runs as user 10001: run chown -R ${LIMITS.user} on it, as root`
  try {
    assert.throws(() => start(folder), new RegExp(line))
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** The command of the image's health check. */
function checkOf(ask: Ask): string[] {
  const check = ask('image', 'inspect', '--format', '{{json .Config.Healthcheck.Test}}', 'driveqr')
  const [kind, ...command] = JSON.parse(check)
  assert.equal(kind, 'CMD')
  return command
}

/** The number of the server's process outside of the container, whose first is the init program. */
function serverIn(init: number): number {
  return Number(readFileSync(`/proc/${init}/task/${init}/children`, 'utf8').trim())
}

/** Checks by the kernel's own account that the limits are in force. */
function expectConfined(pid: number): void {
  const status = readFileSync(`/proc/${pid}/status`, 'utf8')
  const field = (name: string) => new RegExp(`^${name}:\\s+(\\S+)`, 'm').exec(status)?.[1]
  assert.equal(field('Uid'), LIMITS.user.split(':')[0])
  assert.equal(field('NoNewPrivs'), '1')
  for (const set of ['CapPrm', 'CapEff', 'CapBnd']) assert.equal(Number(`0x${field(set)}`), 0, set)
  const command = readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  assert.ok(command.includes(`--max-old-space-size=${oldSpaceMb(Number(LIMITS.memory) * 2 ** 20)}`))
  const memory = inGroup(pid, 'memory', ['memory.max', 'memory.limit_in_bytes'])
  assert.equal(Number(memory), Number(LIMITS.memory) * 1024 * 1024)
  assert.equal(inGroup(pid, 'pids', ['pids.max']), LIMITS.pids)
}

/** A file of the process's control group, of version 2 or 1. */
function inGroup(pid: number, controller: string, names: string[]): string {
  for (const line of readFileSync(`/proc/${pid}/cgroup`, 'utf8').trim().split('\n')) {
    const [, controllers = '', path = ''] = line.split(':')
    if (controllers !== '' && !controllers.split(',').includes(controller)) continue
    for (const name of names) {
      const file = join('/sys/fs/cgroup', controllers, path, name)
      if (existsSync(file)) return readFileSync(file, 'utf8').trim()
    }
  }
  throw new Error(`No control group limits ${controller}`)
}

/** The one-time code of the first mail, which the server sends after its answer. */
async function mailedOtp(received: Received[]): Promise<string> {
  const signal = AbortSignal.timeout(START_LIMIT_MS)
  while (received.length === 0) await sleep(50, undefined, { signal })
  const [mail] = received
  const otp = mail && /\b\d{6}\b/.exec(textOf(mail))?.[0]
  if (!otp) throw new Error('The mail has no one-time code')
  return otp
}

/** The most open files that this process may allow another. */
function openFiles(): string {
  const most = /^Max open files +\d+ +(\d+)/m.exec(readFileSync('/proc/self/limits', 'utf8'))?.[1]
  return `${most}:${most}`
}
