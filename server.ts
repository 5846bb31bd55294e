import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { destination, pino } from 'pino'
import type { App } from '#app.ts'
import { type Config, readConfig } from '#config.ts'
import { hasAccounts } from '#db/admin/inspection.ts'
import type { Engine } from '#db/engine.ts'
import { openEngine } from '#db/open-engine.ts'
import { isOpenToOthers } from '#db/private-folder.ts'
import { loadSecretKey } from '#db/secrets.ts'
import { damageMessage } from '#db/sqlite/database-file.ts'
import { createRateLimits } from '#domain/rate-counters.ts'
import { createScanCounter } from '#domain/scans/scan-counter.ts'
import { createMailer } from '#mail/mailer.ts'
import { type Sender, startSender } from '#mail/sender.ts'
import type { Bot } from '#mail/telegram/bot.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'
import { createFinderApp, isStrangersScan } from '#routes/scan/_finder-app.ts'
import { loadAssets } from '#server/assets.ts'
import { collectLater } from '#server/collect.ts'
import { addressWarning, greetingFor, whyNotListening } from '#server/greeting.ts'
import { watchHealth } from '#server/health.ts'
import { createHttpServer } from '#server/http-server.ts'
import { openRecentLog } from '#server/recent-log.ts'
import { createBackups } from '#storage/backup/runner.ts'
import { openFileStore } from '#storage/files.ts'

/** systemd does not restart after this exit code, because the next start would fail too. */
const EXIT_REFUSED = 3
/** Many people share the address of a carrier, and a browser opens six connections. */
const CONNECTIONS_PER_ADDRESS = 512
const LONGEST_DRAIN_MS = 9_500
/** Lets requests that have arrived be read; before that their connections would count as idle. */
const BEFORE_CLOSING_MS = 100
/** Delays other work until the first requests are answered. */
const AFTER_START_MS = 1_000
const clock = () => new Date()

/** All files are created for this user alone. */
process.umask(0o077)
await start().catch(refuse)

async function start(): Promise<void> {
  const startedAt = clock()
  const config = readConfig()
  const recentLog = openRecentLog(await logOutput(config))
  const log = pino({}, recentLog)
  const engine = await openEngine(config)
  const { dataDir, timezone } = config
  const program = fileURLToPath(new URL('../driveqr.js', import.meta.url))
  const backups = createBackups({ program, dataDir, timezone }, { clock, log })
  const deps: FinderDeps = {
    config,
    clock,
    log,
    recentLog,
    health: watchHealth(clock, engine.findDamage, engine.isChecked),
    scanPath: engine.openScanPath(clock),
    scanCounter: createScanCounter(),
    secretKey: loadSecretKey(config.dataDir),
    rateLimits: createRateLimits(config),
    files: openFileStore(config.dataDir),
    backups,
    mailer: createMailer(config),
    assets: loadAssets(fileURLToPath(new URL('../assets/', import.meta.url))),
  }
  let completing: Promise<Deps> | undefined
  const complete = () => (completing ??= completeDeps(deps, engine))
  const server = createHttpServer(answerWith(deps, complete), {
    // Behind a proxy all connections are the proxy's.
    perAddress: config.trustProxy === 0 ? CONNECTIONS_PER_ADDRESS : undefined,
  })
  await listen(server, config)
  greet(deps)
  if (!engine.isChecked) checkBeside(deps)
  backups.keepNightly(async () => hasAccounts((await complete()).db))
  collectLater(AFTER_START_MS)
  let sender: Sender | undefined
  let bot: Bot | undefined
  let stopAlerts = async () => {}
  let stopSweeping = async () => {}
  let stopReminding = async () => {}
  afterStart(async () => {
    const completed = await complete()
    sender = startSender(completed)
    if (completed.telegram) {
      const { startTelegramBot } = await import('#actions/alerts/telegram.ts')
      bot = startTelegramBot(completed)
    }
    const later = await import('#server/after-start.ts')
    stopAlerts = later.startScanAlerts(completed, completed.scanCounter).stop
    stopSweeping = later.keepSweeping(completed)
    stopReminding = later.keepReminding(completed)
    await later.sweepFiles(completed, startedAt)
  })
  const endStreams = async () => (await completing)?.conversationWatch.stop()
  stopOnSignal(server, endStreams, async () => {
    await Promise.all([sender?.stop(), bot?.stop(), backups.stop(), stopAlerts()])
    await Promise.all([stopSweeping(), stopReminding()])
    await deps.scanPath.close()
    await engine.close()
    log.info('stopped')
  })
}

/** JSON lines; readable lines at a terminal outside production. */
async function logOutput({ production }: Config): Promise<{ write(line: string): unknown }> {
  const stdout = destination(1)
  if (production || !process.stdout.isTTY) return stdout
  const { toReadable } = await import('#server/readable-log.ts')
  return toReadable(stdout)
}

/** Work that need not delay the start. A failure ends the server, as it would during the start. */
function afterStart(work: () => Promise<void>): void {
  setTimeout(() => work().catch(refuse), AFTER_START_MS).unref()
}

function refuse(error: unknown): never {
  console.error(`DriveQR cannot start: ${(error as Error).message}`)
  process.exit(EXIT_REFUSED)
}

/** Answers scans without a session at once. The first other request loads the application. */
function answerWith(deps: FinderDeps, complete: () => Promise<Deps>) {
  const finder = createFinderApp(deps)
  let loading: Promise<App> | undefined
  let app: App | undefined
  return async function answer(
    request: Request,
    env: HttpBindings | Http2Bindings,
  ): Promise<Response> {
    if (isStrangersScan(env.incoming)) return finder.fetch(request, env)
    loading ??= complete().then(loadApplication)
    app ??= await loading
    return app.fetch(request, env)
  }
}

async function completeDeps(deps: FinderDeps, engine: Engine): Promise<Deps> {
  const rest = await import('#server/after-start.ts')
  collectLater(AFTER_START_MS)
  return rest.completeDeps(deps, engine)
}

async function loadApplication(deps: Deps): Promise<App> {
  const { createApp } = await import('#app.ts')
  const { openGoogle } = await import('#actions/accounts/google.ts')
  collectLater(AFTER_START_MS)
  return createApp(Object.assign(deps, { google: openGoogle(deps.config, clock) }))
}

function listen(server: Server, { port, host }: Config): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', (error) => reject(whyNotListening(error, { port, host })))
    server.listen(port, host, resolve)
  })
}

/** Checks a large database while the first requests are served. Damage ends the server. */
function checkBeside({ health, log }: FinderDeps): void {
  const checker = setTimeout(async () => {
    try {
      const { damage } = await health.checkDatabase()
      if (!damage) return
      console.error(damageMessage(damage))
      process.exit(EXIT_REFUSED)
    } catch (error) {
      log.error({ err: error }, 'the database check failed')
    }
  }, AFTER_START_MS)
  checker.unref()
}

function greet({ config, log }: FinderDeps): void {
  log.info({ publicUrl: config.publicUrl, production: config.production }, 'listening')
  // In production every line of the log is JSON.
  const warning = addressWarning(config)
  if (!config.production || process.stdout.isTTY) console.log(greetingFor(config))
  else if (warning) log.warn(warning)
  if (isOpenToOthers(config.dataDir)) log.warn('other users of this machine can read DATA_DIR')
}

/**
 * On SIGTERM or SIGINT: ends event streams, accepts no new connections, finishes requests in progress,
 * and closes idle sockets. A plain `close()` would wait for every keep-alive client.
 */
function stopOnSignal(
  server: Server,
  endStreams: () => Promise<void>,
  release: () => Promise<void>,
): void {
  let stopping = false
  const stop = () => {
    if (stopping) return
    stopping = true
    server.prependListener('request', (_request, response) => {
      response.setHeader('Connection', 'close')
    })
    void close()
  }
  const close = async () => {
    await endStreams()
    await sleep(BEFORE_CLOSING_MS)
    // One turn accepts a connection, the next one reads its request.
    for (let turn = 0; turn < 3; turn++) await nextTurn()
    const sweep = setInterval(() => server.closeIdleConnections(), 50)
    const giveUp = setTimeout(() => server.closeAllConnections(), LONGEST_DRAIN_MS)
    server.close(async () => {
      clearInterval(sweep)
      clearTimeout(giveUp)
      await release()
      process.exit(0)
    })
  }
  process.on('SIGTERM', stop)
  process.on('SIGINT', stop)
}
