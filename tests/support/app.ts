import { rmSync } from 'node:fs'
import { Readable } from 'node:stream'
import { pino } from 'pino'
import { onTestFinished, vi } from 'vitest'
import { openGoogle } from '#actions/accounts/google.ts'
import { aboutUnreachable } from '#actions/alerts/channels.ts'
import { startScanAlerts } from '#actions/alerts/scan-alerts.ts'
import { watchConversations } from '#actions/conversations/watch.ts'
import { watchHealth } from '#actions/operations/health.ts'
import { watchReadiness } from '#actions/operations/readiness.ts'
import { openRecentLog } from '#actions/operations/recent-log.ts'
import { createApp } from '#app.ts'
import { type Config, readConfig } from '#config.ts'
import { insertAccount, type NewAccount } from '#db/accounts/accounts.ts'
import { createSessions } from '#db/accounts/sessions.ts'
import { openOutbox } from '#db/outbox.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword, loadSecretKey } from '#db/secrets.ts'
import { DEFAULT_COUNTRY, dialIn } from '#domain/accounts/country.ts'
import { CommandError, DomainError } from '#domain/error.ts'
import type { Mail } from '#domain/mail.ts'
import { createMetrics } from '#domain/metrics/metrics.ts'
import { SHEETS } from '#domain/page-sheets.ts'
import { switchPlans } from '#domain/plans/offer.ts'
import { createRateLimits } from '#domain/rate-counters.ts'
import { createScanCounter } from '#domain/scans/scan-counter.ts'
import { SCAN_SHEETS, type ScanSheet } from '#domain/scans/scan-sheets.ts'
import type { Channels } from '#mail/channels/channel.ts'
import { createChannels } from '#mail/channels/index.ts'
import type { DomainProof } from '#mail/domain-proof.ts'
import { startSender } from '#mail/sender.ts'
import type { Telegram } from '#mail/telegram/api.ts'
import { type Assets, cssHashes, eachFinderPage, toInlined } from '#routes/_http/assets.ts'
import type { Deps } from '#routes/_http/deps.ts'
import { makeBackup } from '#storage/backup/make.ts'
import { archivesFolder, newBackupFile } from '#storage/backup/place.ts'
import { openTestDatabase } from '#tests/support/database.ts'
import { assertDescribed } from '#tests/support/described.ts'
import { makeDataFolder } from '#tests/support/folders.ts'
import { openTestStorage, storageSettings } from '#tests/support/storage.ts'

export const PASSWORD = 'correct horse'
/** A cheap hash of PASSWORD, for tests with many logins. */
export const QUICK_HASH =
  '$argon2id$v=19$m=8,t=1,p=1$fSGl1CUHasI9ZrO6JmQF8Q$vwFwIk/2Felw3Wgz5tBnEpXCBY6e9i7IAteyrYweriI'
export const NOW = '2026-11-20T10:00:00.000Z'
/** A page, although its path is under /api. */
const UNDESCRIBED = /^\/api\/docs(?:$|[/?])/
const scanCss = Object.fromEntries(
  SCAN_SHEETS.map((sheet) => [sheet, `i.${sheet}{color:#1a1710}`]),
) as Record<ScanSheet, string>

const assets: Assets = {
  dir: 'components/icons',
  boot: '/assets/boot-TEST.js',
  scripts: {},
  css: Object.fromEntries(
    SHEETS.map((sheet) => [sheet, `/assets/${sheet}-TEST.css`]),
  ) as Assets['css'],
  scanCss,
  scanCssHashes: cssHashes(scanCss),
  inlined: eachFinderPage((page) => toInlined(`body{color:#1a1710}.${page}{}`)),
  finderScripts: {
    message: '/assets/message-TEST.js',
    conversation: '/assets/conversation-TEST.js',
    photo: '/assets/photo.js',
  },
  pictures: {
    hidden: '/assets/hidden.webp',
    reminders: '/assets/reminders.webp',
    languages: '/assets/languages.webp',
  },
  serviceWorker: "addEventListener('push', () => {})",
}

export type TestApp = Awaited<ReturnType<typeof openTestApp>>
type Who = { bearerToken: string }
type Ask = {
  /** the test itself reads the body, piece by piece */
  isStream?: boolean
  as?: Who
  /** the address of the socket */
  peer?: string
  json?: unknown
  body?: BodyInit
  headers?: Record<string, string>
}

/**
 * The whole application on a fresh database, with a clock fixed at `now` until `advance` moves it.
 * Everything is closed and removed after the test.
 */
export async function openTestApp({
  now = NOW,
  env = {},
  dataDir: filled,
  channels,
  telegram,
  domainProof = async () => undefined,
}: {
  now?: string
  env?: Record<string, string>
  /** a prepared folder instead of an empty one */
  dataDir?: string
  /** instead of those of the settings */
  channels?: Channels
  /** a bot on a server of the test */
  telegram?: Telegram
  /** instead of name servers */
  domainProof?: DomainProof
} = {}) {
  vi.useFakeTimers({ toFake: ['Date'], now: new Date(now) })
  const clock = () => new Date()
  const dataDir = filled ?? makeDataFolder()
  const database = await openTestDatabase(dataDir)
  const { db } = database
  const storage = await storageSettings(dataDir)
  const config = readConfig({
    DATA_DIR: dataDir,
    ...storage,
    NODE_ENV: 'test',
    DATABASE_URL: database.url,
    ...env,
  })
  switchPlans(config.plans)
  dialIn(config.country)
  const logged: string[] = []
  const recentLog = openRecentLog(
    { write: (line: string) => logged.push(line) },
    { days: config.retention.log, clock },
  )
  const mails: Mail[] = []
  const secretKey = loadSecretKey(dataDir)
  const configured = Boolean(config.mail.smtpUrl)
  const log = pino({ level: 'debug' }, recentLog)
  const metrics = createMetrics()
  const files = await openTestStorage(dataDir, storage)
  const rateLimits = createRateLimits(config)
  const deps: Deps = {
    config,
    db,
    clock,
    log,
    recentLog,
    health: watchHealth(clock, database.findDamage, true),
    metrics,
    readiness: watchReadiness({ readVersion: database.readVersion, files, log }),
    listPools: database.listPools,
    scanPath: database.openScanPath(clock, metrics.noteCommit),
    scanCounter: createScanCounter(),
    sessions: createSessions(db, clock, config.timezone),
    secretKey,
    rateLimits,
    files,
    backups: { make: () => backUp(config) },
    mailer: { configured, load: async () => {}, send: async (mail) => void mails.push(mail) },
    google: openGoogle(config, clock),
    outbox: openOutbox(db, secretKey, clock, configured, config.timezone, rateLimits),
    channels: channels ?? createChannels({ config, secretKey, clock, telegram }),
    telegram,
    domainProof,
    conversationWatch: watchConversations({ db, clock, log, isLimited: config.rateLimits }),
    assets,
  }
  deps.outbox.onUnreachable(aboutUnreachable(deps))
  const app = createApp(deps)
  // Reads the mailer each time, because a test may replace it.
  const sender = startSender({
    ...deps,
    mailer: { ...deps.mailer, send: (...args) => deps.mailer.send(...args) },
  })
  const scanAlerts = startScanAlerts(deps, deps.scanCounter)
  onTestFinished(async () => {
    vi.useRealTimers()
    switchPlans(true)
    dialIn(DEFAULT_COUNTRY)
    await scanAlerts.stop()
    deps.conversationWatch.stop()
    await sender.stop()
    await deps.scanPath.close()
    await database.close()
    rmSync(dataDir, { recursive: true, force: true })
  })

  async function ask(method: string, path: string, options: Ask = {}) {
    const { as, peer = '127.0.0.1', json, body, headers = {}, isStream = false } = options
    const all = new Headers({ Host: 'localhost', ...headers })
    if (as) all.set('Authorization', `Bearer ${as.bearerToken}`)
    if (json !== undefined) all.set('Content-Type', 'application/json')
    const sent = json === undefined ? body : JSON.stringify(json)
    const init = { method, headers: all, body: sent, duplex: 'half' } as const
    const request = new Request(`http://localhost${path}`, init)
    const response = await app.request(request, undefined, socketOf(request, peer))
    await sender.settled()
    if (path.startsWith('/api/') && !UNDESCRIBED.test(path) && !isStream && !isEvents(response)) {
      await assertDescribed({ method, path }, response, readDescription, config.plans)
    }
    return response
  }

  /** Opens a page or sends a form, as a browser does. */
  async function browse(method: string, path: string, body?: BodyInit, as?: { cookie: string }) {
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...(as && { Cookie: as.cookie }) }
    const answer = await ask(method, path, { headers, ...(body && { body }) })
    const { status, headers: answered } = answer
    return { status, headers: answered, to: answered.get('location'), html: await answer.text() }
  }

  async function readDescription() {
    const request = new Request('http://localhost/api/openapi.json')
    return (await app.request(request, undefined, socketOf(request, '127.0.0.1'))).json()
  }

  /** A signed-in account with the password PASSWORD. Its address is verified, unless it is a child. */
  async function signUp(
    account: Partial<NewAccount> = {},
  ): Promise<Account & Who & { cookie: string }> {
    const row = await insertAccount(
      db,
      {
        name: 'Asha Patil',
        email: `account${Math.random().toString(36).slice(2)}@example.in`,
        email_verified_at:
          account.email === null || account.parent_id ? null : clock().toISOString(),
        password_hash: await sharedHash(),
        ...account,
      },
      clock(),
    )
    const { cookieToken, bearerToken } = await deps.sessions.start(row)
    return { ...row, bearerToken, cookie: `driveqr=${cookieToken}` }
  }

  return {
    app,
    deps,
    db,
    connection: database.connection,
    sender,
    scanAlerts,
    mails,
    logged,
    dataDir,
    ask,
    browse,
    signUp,
    advance: (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1000),
  }
}

function isEvents({ headers }: Response): boolean {
  return headers.get('Content-Type') === 'text/event-stream'
}

/** The part of a socket that the server passes on. */
function socketOf({ body }: Request, peer: string) {
  async function* pieces() {
    yield* (body ?? new Blob().stream()).values({ preventCancel: true })
  }
  const incoming = Readable.from(pieces(), { objectMode: false })
  return { incoming: Object.assign(incoming, { socket: { remoteAddress: peer } }) }
}

let hash: Promise<string> | undefined
function sharedHash(): Promise<string> {
  hash ??= hashPassword(PASSWORD)
  return hash
}

/** Makes a backup in this process. A server's own process for it fails with the same status and text. */
async function backUp(config: Config) {
  const now = new Date()
  try {
    return await makeBackup(
      { ...config, now },
      newBackupFile(archivesFolder(config), now),
      () => () => {},
    )
  } catch (error) {
    if (!(error instanceof CommandError)) throw error
    throw new DomainError({ code: 'unavailable.backup', values: { why: error.message } })
  }
}
