import { readFileSync } from 'node:fs'
import { BlockList, isIP } from 'node:net'
import { DEFAULT_COUNTRY } from '#domain/accounts/country.ts'
import { hasNumbers } from '#domain/accounts/short-lines.ts'
import { findMisspelt, type Misspelt } from '#domain/setting-names.ts'
import about from '#package.json' with { type: 'json' }

/** A build puts its commit and the hash of its sources in this place, because builds of one release may differ. */
declare const BUILD_ID: string | undefined

/** The version of this release, written only in `package.json`, with the build after a plus sign. */
export const VERSION =
  typeof BUILD_ID === 'undefined' ? about.version : `${about.version}+${BUILD_ID}`

/** Returns a command as it is typed here: npm sets a name for the programs that it starts, the image and systemd do not. */
export function typedCommand(line: string): string {
  if (process.env.npm_lifecycle_event === undefined) return `driveqr ${line}`
  // npm prints its own lines to stdout, which must not get into files or other programs.
  const silent = / > | --json/.test(line) ? '--silent ' : ''
  return `npm run ${silent}driveqr -- ${line}`
}

const loopbackAddresses = new BlockList()
loopbackAddresses.addSubnet('127.0.0.0', 8, 'ipv4')
loopbackAddresses.addAddress('::1', 'ipv6')

/** Checks whether a host name or an IP address, with or without brackets, is this machine. */
export function isLoopback(host: string): boolean {
  const name = host.replace(/^\[(.*)\]$/, '$1').toLowerCase()
  const version = isIP(name)
  return version === 0
    ? name === 'localhost'
    : loopbackAddresses.check(name, version === 6 ? 'ipv6' : 'ipv4')
}

/** Parses a variable's text. Throws a message that says what the text must be. */
type Read<T> = (text: string) => T

function must(holds: boolean, be: string): void {
  if (!holds) throw new Error(be)
}

function wholeNumber(min: number, max: number): Read<number> {
  return (text) => {
    const value = Number(text)
    const fits = value >= min && value <= max
    must(/^\d+$/.test(text) && fits, `must be a whole number from ${min} to ${max}`)
    return value
  }
}

const rupees = wholeNumber(0, 10_000_000)

/** A number of days, where 0 means forever. */
const keptDays = wholeNumber(0, 36_500)

const flag: Read<boolean> = (text) => oneOf('0', '1')(text) === '1'

function oneOf<const T extends string>(...choices: T[]): Read<T> {
  return (text) => {
    must(choices.includes(text as T), `must be ${choices.join(' or ')}`)
    return text as T
  }
}

function address(protocols: string[], like: string): Read<string> {
  return (text) => {
    const url = URL.canParse(text) ? new URL(text) : undefined
    must(url !== undefined && protocols.includes(url.protocol) && url.host !== '', like)
    return text
  }
}

const web = address(['http:', 'https:'], 'must be an address like https://keys.example.in')
const SMTP_LIKE =
  'must look like smtp://user:pass@host:587, with signs such as #, / and ? in the password percent-encoded'

/** The message omits the value, because it may contain a password. */
const smtp: Read<string> = (text) => {
  const { username, password, pathname, search, hash } = new URL(
    address(['smtp:', 'smtps:'], SMTP_LIKE)(text),
  )
  // An unencoded sign in the password would begin one of these, and its beginning would be the host.
  must(/^\/?$/.test(pathname) && `${search}${hash}` === '', SMTP_LIKE)
  must((username === '') === (password === ''), 'must have both a user and a password, or neither')
  return text
}

const database: Read<string> = (text) => {
  must(namesDatabase(text), 'must look like postgres://user:password@host:5432/name')
  return text
}

function namesDatabase(text: string): boolean {
  try {
    const { protocol, username, password, hostname, pathname } = new URL(text)
    // A literal percent sign throws here, as it would in the driver.
    for (const part of [username, password, hostname, pathname]) decodeURIComponent(part)
    const isPostgres = ['postgres:', 'postgresql:'].includes(protocol)
    return isPostgres && hostname !== '' && /^\/[^/]+$/.test(pathname)
  } catch {
    return false
  }
}

const BUCKET_LIKE =
  'must look like s3://bucket/prefix?endpoint=https://s3.example.in&region=ap-south-1'

export type S3Place = {
  bucket: string
  /** empty, or ends with a slash */
  prefix: string
  /** undefined for Amazon's own */
  endpoint: string | undefined
  region: string
}

/** The message omits the value, because it may contain a password. */
const bucket: Read<S3Place> = (text) => {
  must(URL.canParse(text), BUCKET_LIKE)
  const { protocol, host, pathname, search, hash, username, password } = new URL(text)
  must(protocol === 's3:' && /^[a-z0-9][a-z0-9.-]{1,61}[a-z0-9]$/.test(host), BUCKET_LIKE)
  must(`${username}${password}${hash}` === '', BUCKET_LIKE)
  const path = pathname.replace(/^\/|\/$/g, '')
  must(/^([\w.-]+(\/[\w.-]+)*)?$/.test(path) && !path.split('/').includes('..'), BUCKET_LIKE)
  const {
    endpoint,
    region = 'us-east-1',
    ...others
  } = Object.fromEntries(new URLSearchParams(search))
  must(Object.keys(others).length === 0 && /^[a-z0-9-]+$/.test(region), BUCKET_LIKE)
  const isRight = ({ protocol, username, password, search, hash }: URL) =>
    /^https?:$/.test(protocol) && `${username}${password}${search}${hash}` === ''
  must(
    endpoint === undefined || (URL.canParse(endpoint) && isRight(new URL(endpoint))),
    BUCKET_LIKE,
  )
  return { bucket: host, prefix: path && `${path}/`, endpoint, region }
}

const origin: Read<string> = (text) => {
  const { origin, href } = new URL(web(text))
  must(href === `${origin}/`, 'must be an origin without a path, a user name or anything else')
  return origin
}

/** The address of a service, under which its paths are. A secret in it would be shown. */
const service: Read<string> = (text) => {
  const { username, password, search, hash } = new URL(web(text))
  must(`${username}${password}${search}${hash}` === '', 'must be without a user name, ? and #')
  return text
}

const originList: Read<string[]> = (text) => {
  const origins = text
    .split(/[\s,]+/)
    .filter(Boolean)
    .map(origin)
  must(!origins.some((each) => each.includes('*')), 'must be whole origins, without *')
  return origins
}

/** Needs https, so that identities cannot be forged in transit. */
const issuer: Read<string> = (text) => {
  const { protocol, hostname } = new URL(service(text))
  const safe = protocol === 'https:' || isLoopback(hostname)
  must(safe, 'must be an https address, or one of this machine')
  return text
}

/** The message omits the value, because it is a secret. */
const botToken: Read<string> = (text) => {
  must(/^\d+:[\w-]+$/.test(text), 'must look like 123456789:AAE-abc_xyz, as BotFather gives it')
  return text
}

const shortText: Read<string> = (text) => {
  must(text.length <= 200, 'must be at most 200 characters')
  return text
}

/** The message omits the value, because it is a secret. */
const metricsToken: Read<string> = (text) => {
  must(/^[\w.~+/=-]{16,200}$/.test(text), 'must be 16 to 200 letters, digits or -._~+/=')
  return text
}

const hostName: Read<string> = (text) => {
  const isName = /^\w([\w.-]*\w)?$/.test(text)
  must(isName || isIP(text) !== 0, 'must be an IP address or the name of a machine')
  return text
}

/** The sender of mails. The domain needs no dot, because a local mail server may have none. */
const sender: Read<string> = (text) => {
  const like = 'must look like DriveQR <keys@example.in>'
  must(/^([^<>@]*<[^\s<>@]+@[^\s<>@]+>|[^\s<>@]+@[^\s<>@]+)$/.test(shortText(text)), like)
  return text
}

/** Domains of addresses, as `normalizeEmail` writes them. */
const domainList: Read<string[]> = (text) => {
  const typed = text.split(/[\s,]+/).filter(Boolean)
  const domains = typed.map((each) => URL.parse(`http://${each}`)?.hostname ?? each)
  const isDomain = (domain: string) => /^([a-z0-9-]+\.)+[a-z0-9-]*[a-z][a-z0-9-]*$/.test(domain)
  const isPlain = typed.every((each) => !/[/?#:@\\]/.test(each))
  must(isPlain && domains.every(isDomain), 'must be domains like example.in, example.org')
  return domains
}

const upiId: Read<string> = (text) => {
  must(/^[^\s@]+@[^\s@]+$/.test(shortText(text)), 'must look like name@bank')
  return text
}

const isMailAddress = (text: string) => /^[^\s@:]+@[^\s@]+\.[^\s@]+$/.test(text)

const mailAddress: Read<string> = (text) => {
  must(isMailAddress(shortText(text)), 'must be an email address')
  return text
}

/** An email address, or the https URL of a page, as RFC 9116 requires. It requires `mailto:` too. */
const securityContact: Read<string> = (text) => {
  const isPage = URL.canParse(text) && new URL(text).protocol === 'https:'
  const typed = text.replace(/^mailto:/i, '')
  must(isPage || isMailAddress(typed), 'must be an email or an https address')
  return isPage ? text : `mailto:${typed}`
}

const gstin: Read<string> = (text) => {
  must(/^\d{2}[A-Z]{5}\d{4}[A-Z][\dA-Z]Z[\dA-Z]$/.test(text), 'must look like 27AAAAA0000A1Z5')
  return text
}

/** The numbers of nights and of months whose backups stay. */
const backupKeep: Read<string> = (text) => {
  const like = 'must look like 14d,3m: nights, and months whose first backup stays'
  must(/^[1-9]\d{0,3}d(,\d{1,3}m)?$/.test(text), like)
  return text
}

const country: Read<string> = (text) => {
  const code = text.toUpperCase()
  must(hasNumbers(code), 'must be the ISO code of a country with phone numbers, like IN or DE')
  return code
}

const timezone: Read<string> = (text) => {
  const zone = findZone(text)
  if (zone === undefined) throw new Error('must be a time zone like Asia/Kolkata')
  return zone
}

export type Config = ReturnType<typeof readConfig>

/** Reads the settings of the environment, with some of them replaced. */
export function readConfigWith(instead: Record<string, string>): Config {
  return readConfig({ ...process.env, ...instead })
}

/**
 * Reads the settings from environment variables; an empty variable counts as unset. Throws an Error with
 * a one-line message that names the invalid variable.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const settings: Setting[] = []
  const read = createReader(env, settings)
  const config = { ...readNetwork(read), ...readServices(read), ...readOperator(read) }
  const misspelt: Misspelt[] = findMisspelt(
    Object.keys(env).filter((name) => env[name]?.trim()),
    settings.flatMap(({ name, isSecret }) => (isSecret ? [name, fileNameOf(name)] : [name])),
  )
  return { ...config, settings, misspelt }
}

/** Reads the addresses, folders and limits of the server itself. */
function readNetwork(read: Reader) {
  const nodeEnv = read('NODE_ENV', oneOf('development', 'test', 'production'))
  const port = read('PORT', wholeNumber(0, 65535), 3000)
  const publicUrl = read('PUBLIC_URL', origin, `http://localhost:${port}`)
  const { hostname } = new URL(publicUrl)
  const host = read('HOST', hostName, '127.0.0.1')
  const production = nodeEnv === 'production' || !isLoopback(hostname) || !isLoopback(host)
  const smtpUrl = read('SMTP_URL', smtp)
  const testMode = read('TEST_MODE', flag)
  if (production && testMode) {
    throw new Error(
      'TEST_MODE must not be 1 in production, because it shows one-time codes. Production is also any HOST or PUBLIC_URL that others can reach.',
    )
  }
  const databaseUrl = read('DATABASE_URL', database)
  // A TZ that is no name of a zone is not this program's.
  const terminalZone = read('TZ', findZone)
  const zone = read('TIMEZONE', timezone, terminalZone ?? 'Asia/Kolkata')
  const role = read('ROLE', oneOf('all', 'web', 'worker'), 'all')
  if (role !== 'all' && databaseUrl === undefined) {
    throw new Error(
      `ROLE=${role} needs DATABASE_URL: with SQLite one process does everything, which is ROLE=all`,
    )
  }
  return {
    production,
    port,
    host,
    publicUrl,
    dataDir: read('DATA_DIR', String, './data'),
    apiOrigins: read('API_ORIGINS', originList) ?? [],
    databaseUrl,
    databasePool: read('DATABASE_POOL', wholeNumber(1, 500), 10),
    role,
    secretKeyFile: read('SECRET_KEY_FILE', String),
    trustProxy: read('TRUST_PROXY', wholeNumber(0, 10), 0),
    testMode: !production && (testMode ?? !smtpUrl),
    mail: { smtpUrl, from: read('MAIL_FROM', sender, `DriveQR <no-reply@${hostname}>`) },
    logLevel: read('LOG_LEVEL', oneOf(...LOG_LEVELS), 'info'),
    timezone: zone,
    terminalZone: terminalZone ?? zone,
    requireSecondFactor: read(
      'REQUIRE_SECOND_FACTOR',
      oneOf('none', 'admin', 'all'),
      production ? 'admin' : 'none',
    ),
  }
}

/** Those of pino. */
const LOG_LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent'] as const

/** Reads the settings of services that the server uses, and of the data that it keeps. */
function readServices(read: Reader) {
  return {
    storage: storageOf(read('STORAGE_URL', bucket), {
      accessKeyId: read('AWS_ACCESS_KEY_ID', String),
      secretAccessKey: read('AWS_SECRET_ACCESS_KEY', String),
      sessionToken: read('AWS_SESSION_TOKEN', String),
    }),
    telegram: {
      botToken: read('TELEGRAM_BOT_TOKEN', botToken),
      apiUrl: read('TELEGRAM_API_URL', service, 'https://api.telegram.org').replace(/\/$/, ''),
    },
    allowPrivateTargets: read('ALLOW_PRIVATE_TARGETS', flag, false),
    google: readProvider(read),
    country: read('COUNTRY', country, DEFAULT_COUNTRY),
    defaultContactMode: read('DEFAULT_CONTACT_MODE', oneOf('public', 'relay'), 'public'),
    registration: {
      mode: read('REGISTRATION', oneOf('open', 'invite', 'closed'), 'open'),
      domains: read('REGISTRATION_DOMAINS', domainList) ?? [],
    },
    backups: {
      isOn: read('BACKUP', oneOf('on', 'off'), 'on') === 'on',
      /** undefined: in the data folder */
      folder: read('BACKUP_DIR', String),
      keep: keptOf(read('BACKUP_KEEP', backupKeep, '14d')),
    },
    retention: {
      scans: read('RETENTION_SCANS_DAYS', keptDays, 400),
      views: read('RETENTION_VIEWS_DAYS', keptDays, 400),
      audit: read('RETENTION_AUDIT_DAYS', keptDays, 1100),
      log: read('RETENTION_LOG_DAYS', keptDays, 365),
    },
    metricsToken: read('METRICS_TOKEN', metricsToken),
    rateLimits: read('RATE_LIMITS', oneOf('on', 'off'), 'on') === 'on',
  }
}

function keptOf(text: string): { days: number; months: number } {
  const [days = 0, months = 0] = text.split(',').map((part) => Number.parseInt(part, 10))
  return { days, months }
}

/** A setting in force. A secret has no value here. */
export type Setting = {
  name: string
  value: string
  from: 'default' | 'environment' | 'file'
  isSecret: boolean
}

/** Reads one variable. Returns undefined, or `otherwise`, for an unset one. */
type Reader = {
  <T>(name: string, as: Read<T>): T | undefined
  <T>(name: string, as: Read<T>, otherwise: NonNullable<T>): NonNullable<T>
}

/** These may be in a file, whose path is in the variable of `fileNameOf`. */
const SECRET = /^(SMTP|DATABASE|STORAGE)_URL$|_(SECRET|SECRET_ACCESS_KEY|TOKEN)$/

const fileNameOf = (name: string) => `${name}_FILE`

/** Creates the function that reads one variable and adds it to `settings`. */
function createReader(env: Record<string, string | undefined>, settings: Setting[]): Reader {
  // A space at the end of a line in a settings file is invisible.
  const textOf = (name: string) => env[name]?.trim() || undefined

  return function read<T>(name: string, as: Read<T>, otherwise?: T): T | undefined {
    const isSecret = SECRET.test(name)
    const file = isSecret ? textOf(fileNameOf(name)) : undefined
    const typed = textOf(name)
    if (file && typed) throw new Error(`${name} and ${fileNameOf(name)} are both set: keep one`)
    const text = file ? readSecretFile(fileNameOf(name), file) : typed
    const given = text === undefined ? undefined : parse(name, as, text)
    const from = given === undefined ? 'default' : file ? 'file' : 'environment'
    const value = isSecret ? '' : shown(given ?? otherwise, text)
    settings.push({ name, value, from, isSecret })
    return given ?? otherwise
  } as Reader
}

function parse<T>(name: string, as: Read<T>, text: string): T {
  try {
    return as(text)
  } catch (error) {
    throw new Error(`${name} ${(error as Error).message}`)
  }
}

/** Shows a value as it is written in a variable. */
function shown(value: unknown, text = ''): string {
  if (typeof value === 'object') return text
  return typeof value === 'boolean' ? String(Number(value)) : String(value ?? '')
}

/** Reads the one line of a file. The message omits its content and its path, which may be the secret by mistake. */
function readSecretFile(name: string, file: string): string {
  const text = readWhole(name, file).trim()
  if (text === '') throw new Error(`${name} names an empty file`)
  if (/[\r\n]/.test(text)) throw new Error(`${name} must name a file of one line`)
  return text
}

const UNREADABLE: Record<string, string> = {
  ENOENT: 'names a file that does not exist',
  EISDIR: 'names a folder, not a file',
  EACCES: 'names a file that this user may not read',
}

function readWhole(name: string, file: string): string {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    const { code = '' } = error as NodeJS.ErrnoException
    throw new Error(`${name} ${UNREADABLE[code] ?? `names a file that cannot be read (${code})`}`)
  }
}

/** Reads the operator's prices, contacts and legal details. */
function readOperator(read: Reader) {
  return {
    plans: read('PLANS', oneOf('on', 'off'), 'on') === 'on',
    prices: {
      premium: read('PRICE_PREMIUM', rupees, 999),
      enterprise: read('PRICE_ENTERPRISE', rupees, 9999),
    },
    payment: {
      upiId: read('UPI_ID', upiId),
      accountName: read('BANK_ACCOUNT_NAME', shortText),
      accountNumber: read('BANK_ACCOUNT_NUMBER', shortText),
      ifsc: read('BANK_IFSC', shortText),
      bank: read('BANK_NAME', shortText),
    },
    support: {
      email: read('SUPPORT_EMAIL', mailAddress),
      phone: read('SUPPORT_PHONE', shortText),
      hours: read('SUPPORT_HOURS', wholeNumber(1, 720), 24),
    },
    securityContact: read('SECURITY_CONTACT', securityContact),
    privacyContact: read('PRIVACY_CONTACT', securityContact),
    noticeVersion: read('NOTICE_VERSION', shortText, '1'),
    requireAdult: read('REQUIRE_ADULT', flag, false),
    operator: {
      name: read('OPERATOR_NAME', shortText),
      address: read('OPERATOR_ADDRESS', shortText),
      gstin: read('GSTIN', gstin),
      gstRate: read('GST_RATE', wholeNumber(0, 100), 18),
    },
  }
}

export type Storage = S3Place & {
  credentials: { accessKeyId: string; secretAccessKey: string; sessionToken?: string | undefined }
}

type Credentials = { [name in keyof Storage['credentials']]: string | undefined }

function storageOf(place: S3Place | undefined, given: Credentials): Storage | undefined {
  const { accessKeyId, secretAccessKey, sessionToken } = given
  if (!place) return undefined
  if (!accessKeyId || !secretAccessKey) {
    throw new Error('STORAGE_URL needs AWS_ACCESS_KEY_ID and AWS_SECRET_ACCESS_KEY')
  }
  return { ...place, credentials: { accessKeyId, secretAccessKey, sessionToken } }
}

const GOOGLE_ISSUER = 'https://accounts.google.com'

/** Reads the sign-in provider. Its settings had the names of Google before it could be another one. */
function readProvider(read: Reader) {
  const oidc = {
    name: read('OIDC_NAME', shortText),
    issuer: read('OIDC_ISSUER', issuer),
    clientId: read('OIDC_CLIENT_ID', shortText),
    clientSecret: read('OIDC_CLIENT_SECRET', shortText),
  }
  const google = {
    issuer: read('GOOGLE_ISSUER', issuer),
    clientId: read('GOOGLE_CLIENT_ID', shortText),
    clientSecret: read('GOOGLE_CLIENT_SECRET', shortText),
  }
  const [isOidc, isGoogle] = [oidc, google].map((each) => Object.values(each).some(Boolean))
  if (isOidc && isGoogle) {
    throw new Error('Settings of OIDC_ and of GOOGLE_ are both set: keep those of OIDC_')
  }
  const { clientId, clientSecret, issuer: at = GOOGLE_ISSUER } = isGoogle ? google : oidc
  if (Boolean(clientId) !== Boolean(clientSecret)) {
    const of = isGoogle ? 'GOOGLE' : 'OIDC'
    throw new Error(`${of}_CLIENT_ID and ${of}_CLIENT_SECRET go together: set both or none`)
  }
  const { name = at === GOOGLE_ISSUER ? 'Google' : new URL(at).hostname } = oidc
  return clientId && clientSecret ? { clientId, clientSecret, issuer: at, name } : undefined
}

/** Sets the time zone of `Date` to the zone of the settings. */
export function setProcessZone({ timezone }: Pick<Config, 'timezone'>): void {
  process.env.TZ = timezone
}

/** Finds the name of a zone that `Date` accepts too: it takes IST, asia/kolkata and +05:30 for UTC. */
function findZone(name: string): string | undefined {
  const zones = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  // Only a zone that is known by another name, such as Asia/Kolkata, needs a formatter, which takes 8 MB.
  if (zones.includes(name)) return name
  const found = lookUpZone(name)
  if (found && /^([A-Z][a-z]\w*|US)(\/[A-Z][\w+-]*)+$/.test(name)) return name
  return zones.find((zone) => zone === found)
}

function lookUpZone(timeZone: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en', { timeZone }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}
