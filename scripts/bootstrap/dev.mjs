// Rebuilds and restarts the server whenever a source changes. A failed build leaves it running.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, watch } from 'node:fs'
import { join } from 'node:path'
import { isatty } from 'node:tty'
import { build, fingerprint, isBuilt, SOURCE_FOLDERS } from './build.mjs'
import { say } from './say.mjs'
import { SERVER, SERVER_ENV } from './server.mjs'

const QUIET_MS = 100

let server
let isStopping = false
let timer
let queue = Promise.resolve()
let watchers = []
// The sources of the last build, so that a failed one is not repeated.
let tried = fingerprint()

function startServer() {
  const child = spawn(process.execPath, SERVER, {
    stdio: 'inherit',
    env: { ...SERVER_ENV, ...process.env },
  })
  server = child
  child.on('exit', (code) => {
    if (isStopping) process.exit(code ?? 1)
    if (child !== server) return
    server = undefined
    say('The server has stopped: waiting for a change')
  })
}

async function stopServer() {
  const child = server
  if (!child) return
  server = undefined
  child.kill('SIGTERM')
  await once(child, 'exit')
}

/**
 * One watcher per folder, created again after every change. A recursive watcher loses files that an
 * editor replaces on saving.
 */
function watchSources() {
  for (const watcher of watchers) watcher.close()
  const tops = SOURCE_FOLDERS.filter((folder) => existsSync(folder))
  const folders = ['.', ...tops, ...tops.flatMap(foldersBelow)]
  watchers = folders.map((folder) => watch(folder, onChange))
}

function foldersBelow(top) {
  const entries = readdirSync(top, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isDirectory())
    .map((entry) => join(entry.parentPath, entry.name))
}

async function refresh() {
  watchSources()
  const sources = fingerprint()
  if (sources === tried) return
  tried = sources
  if (!build(process.execPath)) return say('The build failed: the server keeps running as it was')
  await stopServer()
  if (!isStopping) startServer()
}

function onChange() {
  clearTimeout(timer)
  timer = setTimeout(() => {
    queue = queue.then(refresh)
  }, QUIET_MS)
}

function stop(signal) {
  isStopping = true
  if (!server) process.exit(0)
  // A terminal sends Ctrl-C to the server itself.
  if (signal === 'SIGTERM' || !isatty(0)) server.kill(signal)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
watchSources()
if (isBuilt() || build(process.execPath)) startServer()
else say('The build failed: waiting for a change')
