import type { Server } from 'node:http'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Http2Bindings, HttpBindings } from '@hono/node-server'
import { destination, pino } from 'pino'
import { watchHealth } from '#actions/operations/health.ts'
import { watchReadiness } from '#actions/operations/readiness.ts'
import { openRecentLog } from '#actions/operations/recent-log.ts'
import type { App, WorkerApp } from '#app.ts'
import { type Config, isLoopback, readConfig, setProcessZone, VERSION } from '#config.ts'
import { enterAsServer } from '#db/data-folder.ts'
import type { Engine } from '#db/engine.ts'
import { makeDataFolder } from '#db/folder.ts'
import { listPrintedElsewhere, noteStart } from '#db/last-start.ts'
import { openEngine } from '#db/open-engine.ts'
import { isOpenToOthers } from '#db/private-folder.ts'
import { reasonOf } from '#db/reason.ts'
import { damageMessage } from '#db/sqlite/database-file.ts'
import { dialIn } from '#domain/accounts/country.ts'
import { createMetrics } from '#domain/metrics/metrics.ts'
import { switchPlans } from '#domain/plans/offer.ts'
import { createRateLimits } from '#domain/rate-counters.ts'
import { createScanCounter } from '#domain/scans/scan-counter.ts'
import { describeMisspelt } from '#domain/setting-names.ts'
import { reckonIn } from '#domain/time.ts'
import { createMailer } from '#mail/mailer.ts'
import { loadAssets } from '#routes/_http/assets.ts'
import type { Deps, FinderDeps } from '#routes/_http/deps.ts'
import { createFinderApp, isStrangersScan } from '#routes/scan/_finder-app.ts'
import { collectLater } from '#server/collect.ts'
import { addressWarning, greetingFor, nextStep, whyNotListening } from '#server/greeting.ts'
import { createHttpServer } from '#server/http-server.ts'
import type { Work } from '#server/worker.ts'
import { createBackups } from '#storage/backup/runner.ts'
import { checkStorage, openStorage } from '#storage/open-storage.ts'

/** systemd does not restart after this exit code, because the next start would fail too. */
const EXIT_REFUSED = 3
/** Many people share the address of a carrier, and a browser opens six connections. */
const CONNECTIONS_PER_ADDRESS = 512
const LONGEST_DRAIN_MS = 9_500
/** By then, proxies that ask every second or two whether the server is ready have noticed that it leaves. */
const LEAVING_MS = 4_000
/** In this time the server reads requests that have arrived. Until then their connections would count as idle. */
const BEFORE_CLOSING_MS = 100
/** Delays other work until the first requests are answered. */
const AFTER_START_MS = 1_000

/** All files are created for this user alone. */
process.umask(0o077)
// Not awaited, because it loads modules that import this one again.
void start().catch(refuse)

async function start(): Promise<void> {
  const startedAt = new Date()
  const config = readConfig()
  setProcessZone(config)
  reckonIn(config.timezone)
  switchPlans(config.plans)
  dialIn(config.country)
  const recentLog = openRecentLog(await logOutput(config), {
    days: config.retention.log,
    clock: () => new Date(),
  })
  const log = pino({ level: config.logLevel }, recentLog)
  await checkStorage(config)
  // Before the database is opened, which may migrate it beneath the other server.
  const leaveFolder = config.databaseUrl === undefined ? enterFolder(config.dataDir) : undefined
  const engine = await openEngine(config, 'server', async (schemas) => {
    const { backUpBeforeMigration } = await import('#storage/backup/before-migration.ts')
    const note = log.info.bind(log)
    await backUpBeforeMigration({ ...config, now: startedAt }, note)(schemas)
  })
  const clock = engine.clock ?? (() => new Date())
  const { dataDir } = config
  const program = fileURLToPath(new URL('../driveqr.js', import.meta.url))
  const openBackups = () => createBackups({ program, ...config }, { clock, log })
  const backups = openBackups()
  const metrics = createMetrics()
  const files = await openStorage(config, engine.installId)
  const deps: FinderDeps = {
    config,
    clock,
    log,
    recentLog,
    health: watchHealth(clock, engine.findDamage, engine.isChecked),
    metrics,
    readiness: watchReadiness({ readVersion: engine.readVersion, files, log }),
    listPools: engine.listPools,
    scanPath: engine.openScanPath(clock, metrics.noteCommit),
    scanCounter: createScanCounter(),
    secretKey: engine.secretKey,
    rateLimits: createRateLimits(config),
    files,
    backups,
    mailer: createMailer(config),
    assets: loadAssets(fileURLToPath(new URL('../assets/', import.meta.url))),
  }
  let work: Work | undefined
  let completing: Promise<Deps> | undefined
  const complete = () => (completing ??= completeDeps(deps, engine, () => work?.wake?.()))
  const answer = config.role === 'worker' ? answerLooks(complete) : answerWith(deps, complete)
  const server = createHttpServer(answer, {
    // Behind a proxy all connections are the proxy's.
    perAddress: config.trustProxy === 0 ? CONNECTIONS_PER_ADDRESS : undefined,
  })
  await listen(server, config)
  if (!engine.isChecked) checkBeside(deps)
  collectLater(AFTER_START_MS)
  afterStart(async () => {
    const { startWork } = await import('#server/work.ts')
    work = await startWork({ deps, complete, engine, openBackups, startedAt })
    await readNumbers(deps, engine)
    await warnOfPrints(deps, engine)
    collectLater(AFTER_START_MS)
  })
  stopOnSignal(server, {
    leave: () => leave(deps),
    endStreams: async () => (await completing)?.conversationWatch.stop(),
    async release() {
      await Promise.all([work?.stop(), backups.stop()])
      await deps.scanPath.close()
      await engine.close()
      // The lock ends with its connection, which is collected when nothing names it.
      leaveFolder?.()
      log.info('stopped')
    },
  })
  const from = noteStart(dataDir, { version: VERSION, publicUrl: config.publicUrl }, startedAt)
  if (from !== undefined) log.info({ from, to: VERSION }, 'upgraded')
  // Last, so that a program that reads this can stop the server.
  greet(deps, await engine.hasAccounts())
}

function enterFolder(dataDir: string) {
  makeDataFolder(dataDir)
  return enterAsServer(dataDir)
}

/** Reads numbers that fitted no country again, with another `COUNTRY` than before. */
async function readNumbers({ config, log }: FinderDeps, engine: Engine): Promise<void> {
  const { country } = config
  const { readNumbersAgain } = await import('#db/numbers/country-change.ts')
  const fitting = await readNumbersAgain(await engine.queries(), country)
  if (fitting) log.info({ country, fitting }, 'numbers that fitted no country were read again')
}

/** Warns of codes whose prints lead to an address of before, which no setting can change. */
async function warnOfPrints({ config, log }: FinderDeps, engine: Engine): Promise<void> {
  const { dataDir, publicUrl } = config
  if (isLoopback(new URL(publicUrl).hostname)) return
  for (const printed of await listPrintedElsewhere(await engine.queries(), dataDir, publicUrl)) {
    log.warn(printed, 'codes were made under another PUBLIC_URL: their prints lead there')
  }
}

/** Returns an output for JSON lines, or for readable lines at a terminal outside production. */
async function logOutput({ production }: Config): Promise<{ write(line: string): unknown }> {
  const stdout = destination(1)
  if (production || !process.stdout.isTTY) return stdout
  const { toReadable } = await import('#server/readable-log.ts')
  return toReadable(stdout)
}

/** Does work that need not delay the start. A failure ends the server, as it would during the start. */
function afterStart(work: () => Promise<void>): void {
  setTimeout(() => work().catch(refuse), AFTER_START_MS).unref()
}

function refuse(error: unknown): never {
  console.error(`DriveQR cannot start: ${reasonOf(error)}`)
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

/** Answers health checks of a worker. */
function answerLooks(complete: () => Promise<Deps>) {
  let loading: Promise<WorkerApp> | undefined
  return async function answer(
    request: Request,
    env: HttpBindings | Http2Bindings,
  ): Promise<Response> {
    loading ??= complete().then(async (deps) => (await import('#app.ts')).createWorkerApp(deps))
    return (await loading).fetch(request, env)
  }
}

/** Completes the dependencies. The outbox calls `wake` for each new entry. */
async function completeDeps(deps: FinderDeps, engine: Engine, wake: () => void): Promise<Deps> {
  const rest = await import('#server/after-start.ts')
  collectLater(AFTER_START_MS)
  const completed = await rest.completeDeps(deps, engine)
  completed.outbox.watch(wake)
  return completed
}

async function loadApplication(deps: Deps): Promise<App> {
  const { createApp } = await import('#app.ts')
  const { openGoogle } = await import('#actions/accounts/google.ts')
  collectLater(AFTER_START_MS)
  return createApp(Object.assign(deps, { google: openGoogle(deps.config, deps.clock) }))
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

function greet({ config, log }: FinderDeps, hasAccounts: boolean): void {
  log.info({ publicUrl: config.publicUrl, production: config.production }, 'listening')
  // In production every line of the log is JSON.
  const warnings = [addressWarning(config), hasAccounts ? undefined : nextStep(config, hasAccounts)]
  if (!config.production || process.stdout.isTTY) console.log(greetingFor(config, hasAccounts))
  else for (const warning of warnings) if (warning) log.warn(warning)
  if (config.misspelt.length > 0) log.warn(describeMisspelt(config.misspelt))
  if (isOpenToOthers(config.dataDir)) log.warn('other users of this machine can read DATA_DIR')
}

/** Waits until proxies send requests to other servers, if one asks this server whether it is ready. */
async function leave({ config, readiness }: FinderDeps): Promise<void> {
  const isProbed = readiness.leave()
  if (isProbed && config.role !== 'worker') await sleep(LEAVING_MS)
}

type Stopping = Record<'leave' | 'endStreams' | 'release', () => Promise<void>>

/**
 * Stops the server on SIGTERM or SIGINT: tells proxies that it leaves, ends event streams, accepts no new
 * connections, finishes requests in progress, and closes idle sockets. A plain `close()` would wait for
 * every keep-alive client.
 */
function stopOnSignal(server: Server, { leave, endStreams, release }: Stopping): void {
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
    await leave()
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
