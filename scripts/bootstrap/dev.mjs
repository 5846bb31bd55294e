// Rebuilds and restarts the server whenever a source changes. A build that fails changes nothing.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, watch } from 'node:fs'
import { isatty } from 'node:tty'
import { build, isBuilt, SOURCE_FOLDERS } from './build.mjs'
import { say } from './say.mjs'

const QUIET_MS = 100

let server
let isStopping = false
let timer
let queue = Promise.resolve()

function startServer() {
  const child = spawn(process.execPath, ['dist/server.js'], { stdio: 'inherit' })
  server = child
  child.on('exit', (code) => {
    if (isStopping) process.exit(code ?? 1)
    if (child !== server) return
    server = undefined
    say('The server has ended: waiting for a change')
  })
}

async function stopServer() {
  const child = server
  if (!child) return
  server = undefined
  child.kill('SIGTERM')
  await once(child, 'exit')
}

async function refresh() {
  if (isBuilt()) return
  if (!build(process.execPath)) return say('The build failed: what was running goes on')
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
  // A terminal gives Ctrl-C to the server by itself.
  if (signal === 'SIGTERM' || !isatty(0)) server.kill(signal)
}

for (const signal of ['SIGINT', 'SIGTERM']) process.on(signal, () => stop(signal))
watch('.', onChange)
for (const folder of SOURCE_FOLDERS.filter((name) => existsSync(name))) {
  watch(folder, { recursive: true }, onChange)
}
if (isBuilt() || build(process.execPath)) startServer()
else say('The build failed: waiting for a change')
