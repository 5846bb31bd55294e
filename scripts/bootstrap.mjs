#!/usr/bin/env node
// Prepares a fresh clone (Node, dependencies, build), then runs the command.
// Plain JavaScript for Node 18 without packages, because it runs before they are installed.
import { spawn, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { constants } from 'node:os'
import { delimiter, dirname } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'
import { alone } from './bootstrap/alone.mjs'
import { build, isBuilt } from './bootstrap/build.mjs'
import { findPinnedNode, installPinnedNode, pinOf, whyNotHere } from './bootstrap/pinned-node.mjs'
import { fail, say } from './bootstrap/say.mjs'
import { SERVER, SERVER_ENV } from './bootstrap/server.mjs'

const OLDEST_NODE = [22, 14]
const DEPENDENCIES_STAMP = 'node_modules/.driveqr-stamp'
const NPM_QUIET = ['--no-audit', '--no-fund', '--loglevel=error', '--yes']

const TYPESCRIPT = ['--experimental-strip-types', '--disable-warning=ExperimentalWarning']
/** `needsTools`: the development packages, which take as much time and room as all others. */
const VERBS = {
  start: { needsTools: false, needsBuild: true, run: SERVER, env: SERVER_ENV },
  driveqr: { needsTools: false, needsBuild: true, run: ['dist/driveqr.js'] },
  bench: { needsTools: true, needsBuild: true, run: [...TYPESCRIPT, 'lab/bench/run.ts'] },
  drills: { needsTools: true, needsBuild: true, run: [...TYPESCRIPT, 'lab/drills/run.ts'] },
  size: { needsTools: true, needsBuild: false, run: [...TYPESCRIPT, 'lab/size.ts'] },
  test: { needsTools: true, needsBuild: true, run: ['scripts/bootstrap/test.mjs'] },
  dev: { needsTools: true, needsBuild: false, run: ['scripts/bootstrap/dev.mjs'] },
  check: { needsTools: true, needsBuild: false, run: ['scripts/bootstrap/check.mjs'] },
}

function isNewEnough(version) {
  const [major, minor] = version.split('.').map(Number)
  return major > OLDEST_NODE[0] || (major === OLDEST_NODE[0] && minor >= OLDEST_NODE[1])
}

function npm(args) {
  // Prints to stderr, because the command may write JSON to stdout.
  const { error, status } = spawnSync('npm', args, { stdio: ['ignore', 2, 2] })
  if (error) fail(`npm could not be started (${error.message}). Install npm, then try again.`)
  if (status !== 0) fail(`npm ${args[0]} failed, see above. Is the npm registry reachable?`)
}

/** Identifies the installed packages: lock file, platform, Node version, and whether tools are among them. */
function dependenciesStamp(nodeVersion, hasTools) {
  const lock = createHash('sha256').update(readFileSync('package-lock.json')).digest('hex')
  const machine = `${process.platform}-${process.arch} node ${nodeVersion.split('.')[0]}`
  return `${lock} ${machine}${hasTools ? '' : ' without tools'}\n`
}

function hasDependencies(nodeVersion, needsTools) {
  if (!existsSync(DEPENDENCIES_STAMP)) return false
  const enough = needsTools ? [true] : [true, false]
  const stamp = readFileSync(DEPENDENCIES_STAMP, 'utf8')
  return enough.some((hasTools) => stamp === dependenciesStamp(nodeVersion, hasTools))
}

function installDependencies(nodeVersion, needsTools) {
  say('Installing dependencies (npm ci)')
  // Independent of NODE_ENV. No package needs its install script, because binaries are in the
  // packages.
  const which = needsTools ? '--include=dev' : '--omit=dev'
  npm(['ci', '--ignore-scripts', which, ...NPM_QUIET])
  writeFileSync(DEPENDENCIES_STAMP, dependenciesStamp(nodeVersion, needsTools))
}

/** Packages and programs have no secrets, and the user of a service, who may not change them, reads them. */
const READABLE_UMASK = 0o022

async function prepare(verb) {
  const umask = process.umask(READABLE_UMASK)
  try {
    return await prepareReadable(verb)
  } finally {
    process.umask(umask)
  }
}

async function prepareReadable({ needsTools, needsBuild }) {
  const running = process.versions.node
  const isRunningGood = isNewEnough(running)
  const pin = pinOf()
  if (!isRunningGood && !findPinnedNode(pin)) {
    say(`Node ${process.version} is too old for DriveQR`)
    await alone(() => findPinnedNode(pin) ?? installPinnedNode(pin))
  }
  const node = isRunningGood ? process.execPath : findPinnedNode(pin)
  process.env.PATH = dirname(node) + delimiter + process.env.PATH

  const version = isRunningGood ? running : pin.version
  if (!hasDependencies(version, needsTools)) {
    await alone(
      () => hasDependencies(version, needsTools) || installDependencies(version, needsTools),
    )
  }
  if (needsBuild && !isBuilt()) {
    const built = await alone(() => isBuilt() || build(node))
    if (!built) fail('The build failed, see above.')
  }
  return node
}

function run(node, args, env) {
  const child = spawn(node, args, { stdio: 'inherit', env: { ...env, ...process.env } })
  for (const signal of ['SIGINT', 'SIGTERM']) {
    process.on(signal, () => {
      // A terminal sends Ctrl-C to the child itself; a second one would cut its shutdown short.
      if (signal === 'SIGTERM' || !isatty(0)) child.kill(signal)
    })
  }
  child.on('exit', (code, signal) => process.exit(code ?? 128 + constants.signals[signal]))
}

process.chdir(fileURLToPath(new URL('..', import.meta.url)))
const [verb, ...args] = process.argv.slice(2)
const known = Object.hasOwn(VERBS, verb ?? '') ? VERBS[verb] : undefined
if (!known) fail(`Use one of: ${Object.keys(VERBS).join(', ')}.`, 2)
const whyNot = whyNotHere()
if (whyNot) fail(whyNot)
run(await prepare(known), [...known.run, ...args], known.env)
