/**
 * `node lab/arm64/run.ts [folder]`: in a new Debian of arm64, `npm start` from a clean clone, the main
 * job, a backup and its restore, then the commands of the manual for a Raspberry Pi. Emulated by
 * qemu, unless this machine is arm64 itself. A folder keeps the Debian with its packages, which takes most
 * of the time, for the next run.
 */
import { strict as assert } from 'node:assert'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { commandsIn, settingsIn } from '#lab/arm64/manual.ts'
import {
  makeDebianRoot,
  needPrograms,
  run,
  timed,
  withPrograms,
  withWorkFolder,
} from '#lab/support/debian-root.ts'
import { doMainJob, expectMainJob, signInAsAdmin, untilHealthy } from '#lab/support/main-job.ts'
import { freePort } from '#tests/support/server.ts'

/** Node, the packages and the build, all emulated. */
const FIRST_START_LIMIT_MS = 3_600_000
const START_LIMIT_MS = 300_000
/** Packages of Raspberry Pi OS that the smallest Debian lacks. */
const OF_THE_PI = ['systemd']
const REPOSITORY = '/srv/driveqr.git'
const CLONE = '/root/driveqr'
const INSTALLED = '/opt/driveqr'
const DATA = '/root/data'
const RESTORED = '/root/restored'
const BACKUP = '/root/driveqr.tar'
const SETTINGS = '/etc/driveqr.env'
const ADMIN = { contact: 'you@example.in', password: 'many keys lost on the long way home' }

/** Runs a command, given after the options, as the service's user with the service's settings. */
const SYSTEMD_RUN = `#!/bin/sh
set -e
while read -r line; do export "$line"; done < ${SETTINGS}
cd ${INSTALLED}
while :; do
  case "$1" in
    --setenv=*) export "\${1#--setenv=}" ;;
    --*) ;;
    *) break ;;
  esac
  shift
done
exec setpriv --reuid=driveqr --regid=driveqr --clear-groups "$@"
`

type Env = Record<string, string>
type Root = ReturnType<typeof inRoot>

const started: ChildProcess[] = []

needPrograms({ debootstrap: 'debootstrap', git: 'git' })
const kept = process.argv[2]
await withPrograms('arm64', () =>
  withWorkFolder(async (work) => {
    const base = join(kept ?? work, 'base')
    if (!existsSync(`${base}.done`)) await makeBase(base)
    const root = join(work, 'root')
    run('cp', ['--archive', '--reflink=auto', base, root])
    run('mount', ['-t', 'proc', 'proc', join(root, 'proc')])
    run('git', ['clone', '--quiet', '--bare', '--no-hardlinks', '.', join(root, REPOSITORY)])
    try {
      await tryByHand(inRoot(root))
      await tryManual(inRoot(root))
    } finally {
      endStarted()
    }
  }),
)

/** A Debian with the packages that the manual wants first. */
async function makeBase(base: string): Promise<void> {
  rmSync(base, { recursive: true, force: true })
  await timed('Debian', () => makeDebianRoot(base, 'arm64', OF_THE_PI))
  run('mount', ['-t', 'proc', 'proc', join(base, 'proc')])
  try {
    const [packages = ''] = commandsIn('On a Raspberry Pi')
    await timed('packages', () => inRoot(base).say('/root', packages))
  } finally {
    run('umount', [join(base, 'proc')])
  }
  writeFileSync(`${base}.done`, '')
}

/** Follows the README. */
async function tryByHand(root: Root): Promise<void> {
  root.say('/root', `git clone --quiet ${REPOSITORY} ${CLONE}`)
  const url = await urlOfFreePort()
  const settings = { PORT: new URL(url).port, PUBLIC_URL: url }
  const driveqr = (dataDir: string, rest: string) =>
    root.say(CLONE, `npm run --silent driveqr -- ${rest}`, { ...settings, DATA_DIR: dataDir })
  const serve = (dataDir: string, limitMs: number) => {
    const child = root.start(CLONE, ['npm', 'start'], { ...settings, DATA_DIR: dataDir })
    return untilServing(child, url, limitMs)
  }

  const first = await timed('first start, with Node, packages and build', () =>
    serve(DATA, FIRST_START_LIMIT_MS),
  )
  const done = await timed('main job', () => doMainJob(url))
  await timed('backup', () => driveqr(DATA, `backup ${BACKUP}`))
  await timed('doctor', () => driveqr(DATA, 'doctor'))
  await timed('stop', () => stop(first))

  await timed('restore', () => driveqr(RESTORED, `restore ${BACKUP}`))
  const second = await timed('second start', () => serve(RESTORED, START_LIMIT_MS))
  await expectMainJob(url, done)
  assert.equal(await stop(second), 0)
}

/** Follows the manual for a Raspberry Pi, with stand-ins for systemd, which cannot run here. */
async function tryManual(root: Root): Promise<void> {
  const [install = '', service = '', command = ''] = commandsIn('Under systemd')
  await timed('manual: user, clone, packages and build', () =>
    root.say('/root', install.replace('<the repository>', REPOSITORY)),
  )
  const url = await urlOfFreePort()
  appendFileSync(root.path(SETTINGS), `${settingsIn('Under systemd')}PORT=${new URL(url).port}\n`)
  // Nothing can be started without systemd.
  root.say(INSTALLED, service.replace(' --now', ''))
  root.say('/root', 'caddy validate --config /etc/caddy/Caddyfile')
  writeFileSync(root.path('/usr/local/bin/systemd-run'), SYSTEMD_RUN, { mode: 0o755 })

  const unit = readFileSync('deploy/driveqr.service', 'utf8')
  const value = (key: string) => new RegExp(`^${key}=(.*)$`, 'm').exec(unit)?.[1] ?? ''
  const asUnit = value('Environment')
    .split(' ')
    .map((pair) => `--setenv=${pair}`)
  const server = await timed('manual: start', () => {
    const given = ['systemd-run', ...asUnit, ...value('ExecStart').split(' ')]
    return untilServing(root.start(INSTALLED, given), url, START_LIMIT_MS)
  })
  await timed('manual: command line', () => root.say('/root', command))
  await timed('manual: first admin', () => {
    for (const line of commandsIn('The first admin').join('').trim().split('\n')) {
      root.say('/root', line.replace('npm run driveqr --', 'driveqr'), {}, ADMIN.password)
    }
  })
  await timed('manual: code, scan, upload and label', () => doMainJob(url, signInAsAdmin(ADMIN)))
  assert.equal(await stop(server), 0)
}

/** Returns a command that runs in a root, in a folder there, with these settings and no others. */
function inRoot(root: string) {
  const args = (folder: string, command: string[], settings: Env): string[] => {
    const own = {
      HOME: '/root',
      PATH: '/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin',
      DEBIAN_FRONTEND: 'noninteractive',
      // Commands of systemd change files, and report the acts that they skip.
      SYSTEMD_OFFLINE: '1',
    }
    const env = Object.entries({ ...own, ...settings }).map(([name, value]) => `${name}=${value}`)
    return [root, 'env', '--ignore-environment', '--chdir', folder, ...env, ...command]
  }
  return {
    path: (inside: string) => join(root, inside),
    /** Runs lines of a shell, and throws if one fails. */
    say(folder: string, lines: string, settings: Env = {}, input = ''): void {
      run('chroot', args(folder, ['sh', '-e', '-c', lines], settings), input)
    },
    start(folder: string, command: string[], settings: Env = {}): ChildProcess {
      const stdio = ['ignore', 'inherit', 'inherit'] as const
      const options = { stdio: [...stdio], detached: true }
      const child = spawn('chroot', args(folder, command, settings), options)
      started.push(child)
      return child
    },
  }
}

/** Ends the processes that a failure left behind, with their children. */
function endStarted(): void {
  for (const { pid, exitCode, signalCode } of started) {
    if (pid && exitCode === null && signalCode === null) process.kill(-pid, 'SIGKILL')
  }
}

async function urlOfFreePort(): Promise<string> {
  return `http://localhost:${await freePort()}`
}

async function untilServing(child: ChildProcess, url: string, limitMs: number) {
  const ended = once(child, 'exit').then(([code]) => {
    throw new Error(`The server ended with ${code}`)
  })
  await Promise.race([untilHealthy(url, limitMs), ended])
  return child
}

/** Returns the exit code. */
async function stop(child: ChildProcess): Promise<number | null> {
  const ended = once(child, 'exit')
  child.kill('SIGTERM')
  const [code] = await ended
  return code
}
