import { readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { type Config, readConfig } from '#config.ts'
import { makeQuickFolder } from '#tests/support/quick-folder.ts'

describe('configuration', () => {
  test('everything has a default for trying it out', () => {
    const config = readConfig({})
    expect(config).toMatchObject({
      port: 3000,
      host: '127.0.0.1',
      publicUrl: 'http://localhost:3000',
      dataDir: './data',
      production: false,
      testMode: true,
      rateLimits: true,
      timezone: 'Asia/Kolkata',
      prices: { premium: 999, enterprise: 9999 },
      google: undefined,
      telegram: { botToken: undefined, apiUrl: 'https://api.telegram.org' },
      allowPrivateTargets: false,
    })
  })

  test.each([
    [{ REGISTRATION: 'Closed' }, 'REGISTRATION must be open or invite or closed'],
    [{ REGISTRATION_DOMAINS: 'example' }, 'REGISTRATION_DOMAINS must be domains like'],
    [{ REGISTRATION_DOMAINS: 'asha@example.in' }, 'REGISTRATION_DOMAINS must be domains like'],
    [{ REGISTRATION_DOMAINS: '*.example.in' }, 'REGISTRATION_DOMAINS must be domains like'],
  ])('who may register is not %j', (env, message) => {
    expect(() => readConfig(env as Record<string, string>)).toThrow(message)
  })

  test('domains of addresses are written as addresses are stored', () => {
    const { registration } = readConfig({ REGISTRATION_DOMAINS: ' Example.in,  पंचायत.भारत ' })
    expect(registration.domains).toEqual(['example.in', 'xn--i1b2c4av1a3g.xn--h2brj9c'])
  })

  test.each(['ZZ', 'AQ', 'IND', 'India', '49', 'toString'])(
    'the country of numbers is not %s',
    (COUNTRY) => {
      expect(() => readConfig({ COUNTRY })).toThrow(
        'COUNTRY must be the ISO code of a country with phone numbers, like IN or DE',
      )
    },
  )

  test('the country of numbers is India, or the one of the setting in any letter case', () => {
    expect([readConfig({}).country, readConfig({ COUNTRY: 'de' }).country]).toEqual(['IN', 'DE'])
  })

  test.each([
    '*',
    'null',
    'shop.example.in',
    'https://shop.example.in/app',
    'https://*.example.in',
    'https://a.example, b',
  ])('API_ORIGINS is not %s', (API_ORIGINS) => {
    expect(() => readConfig({ API_ORIGINS })).toThrow(
      /^API_ORIGINS must be (an address|an origin|whole origins)/,
    )
  })

  test('API_ORIGINS are written as browsers send them', () => {
    const { apiOrigins } = readConfig({
      API_ORIGINS: 'HTTPS://Shop.example.in:443/, http://[::1]:5173',
    })
    expect(apiOrigins).toEqual(['https://shop.example.in', 'http://[::1]:5173'])
  })

  test('a refused secret is not in the message', () => {
    const refusal = () => readConfig({ TELEGRAM_BOT_TOKEN: '123456789:AAE-secret value' })
    expect(refusal).toThrow('TELEGRAM_BOT_TOKEN must look like')
    expect(refusal).not.toThrow('secret')
  })

  test('an empty variable counts as unset', () => {
    expect(readConfig({ PORT: '', TEST_MODE: ' ' }).port).toBe(3000)
  })

  test('blanks around a value, which nobody sees in a file of settings, do not belong to it', () => {
    const DATABASE_URL = 'postgres://u:p@h/d'
    const blank = { DATABASE_URL: ` ${DATABASE_URL}`, DATA_DIR: '/data ', ROLE: 'web\r' }
    expect(readConfig(blank)).toMatchObject({
      databaseUrl: DATABASE_URL,
      dataDir: '/data',
      role: 'web',
    })
  })

  test.each([
    'Asia/Kolkata',
    'Asia/Calcutta',
    'IST',
    'asia/kolkata',
    'Etc/UTC',
    'UTC',
    'US/Pacific',
  ])('TIMEZONE=%s is the same zone to Date, which shows most dates, as to Intl', (TIMEZONE) => {
    const { timezone } = readConfig({ TIMEZONE })
    const winter = new Date('2026-01-01T12:00:00Z')
    const shownBy = (options: Intl.DateTimeFormatOptions) =>
      winter.toLocaleTimeString('en', { ...options, timeStyle: 'short' })
    vi.stubEnv('TZ', timezone)
    onTestFinished(() => void vi.unstubAllEnvs())
    const minutes = 12 * 60 - winter.getTimezoneOffset()
    const shown = new Date(minutes * 60_000).toLocaleTimeString('en', {
      timeZone: 'UTC',
      timeStyle: 'short',
    })
    expect(shown).toBe(shownBy({ timeZone: TIMEZONE }))
  })

  test.each([
    [{ PORT: '99999' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: 'abc' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PORT: '0x10' }, 'PORT must be a whole number from 0 to 65535'],
    [{ SUPPORT_HOURS: '1e2' }, 'SUPPORT_HOURS must be a whole number from 1 to 720'],
    [{ HOST: 'my machine' }, 'HOST must be an IP address or the name of a machine'],
    [{ HOST: '0.0.0.0:80' }, 'HOST must be an IP address or the name of a machine'],
    [{ MAIL_FROM: 'DriveQR' }, 'MAIL_FROM must look like DriveQR <keys@example.in>'],
    [{ MAIL_FROM: 'DriveQR keys@example.in' }, 'MAIL_FROM must look like'],
    [{ MAIL_FROM: 'A <a@example.in>, b@example.in' }, 'MAIL_FROM must look like'],
    [{ SUPPORT_EMAIL: 'the workshop' }, 'SUPPORT_EMAIL must be an email address'],
    [{ UPI_ID: '98190 00482' }, 'UPI_ID must look like name@bank'],
    [{ ROLE: 'sender' }, 'ROLE must be all or web or worker'],
    [{ ROLE: 'web' }, 'ROLE=web needs DATABASE_URL'],
    [{ ROLE: 'worker' }, 'ROLE=worker needs DATABASE_URL'],
    [{ PORT: '80.5' }, 'PORT must be a whole number from 0 to 65535'],
    [{ PUBLIC_URL: 'keys.example.in' }, 'PUBLIC_URL must be an address like'],
    [{ PUBLIC_URL: 'ftp://keys.example.in' }, 'PUBLIC_URL must be an address like'],
    [{ PUBLIC_URL: 'https://keys.example.in/app' }, 'PUBLIC_URL must be an origin without a path'],
    [
      { PUBLIC_URL: 'https://me:pw@keys.example.in' },
      'PUBLIC_URL must be an origin without a path',
    ],
    [{ PUBLIC_URL: 'https://keys.example.in/#top' }, 'PUBLIC_URL must be an origin without a path'],
    [{ PUBLIC_URL: 'https://keys.example.in?a=b' }, 'PUBLIC_URL must be an origin without a path'],
    [{ SMTP_URL: 'mail.example.in' }, 'SMTP_URL must look like'],
    [{ SMTP_URL: 'smtp://keys:50#2@mail.example.in' }, 'SMTP_URL must look like'],
    [{ SMTP_URL: 'smtp://keys:50/2@mail.example.in' }, 'SMTP_URL must look like'],
    [{ SMTP_URL: 'smtp://keys:50?2@mail.example.in' }, 'SMTP_URL must look like'],
    [{ SMTP_URL: 'smtp://mail.example.in/inbox' }, 'SMTP_URL must look like'],
    [{ SMTP_URL: 'smtp://keys@mail.example.in' }, 'SMTP_URL must have both a user'],
    [{ TIMEZONE: 'Mars/Olympus' }, 'TIMEZONE must be a time zone'],
    [{ TIMEZONE: '+05:30' }, 'TIMEZONE must be a time zone like Asia/Kolkata'],
    [{ RATE_LIMITS: 'none' }, 'RATE_LIMITS must be on or off'],
    [{ TEST_MODE: 'yes' }, 'TEST_MODE must be 0 or 1'],
    [{ TELEGRAM_API_URL: 'api.telegram.org' }, 'TELEGRAM_API_URL must be an address like'],
    [{ ALLOW_PRIVATE_TARGETS: 'true' }, 'ALLOW_PRIVATE_TARGETS must be 0 or 1'],
    [{ TELEGRAM_BOT_TOKEN: 'driveqr_bot' }, 'TELEGRAM_BOT_TOKEN must look like 123456789:'],
    [{ TELEGRAM_BOT_TOKEN: '123456789:AAE abc' }, 'TELEGRAM_BOT_TOKEN must look like 123456789:'],
    [{ TELEGRAM_BOT_TOKEN: 'bot123456789:AAE' }, 'TELEGRAM_BOT_TOKEN must look like 123456789:'],
    [{ TELEGRAM_BOT_TOKEN: '1:a/../../x' }, 'TELEGRAM_BOT_TOKEN must look like 123456789:'],
    [{ GOOGLE_CLIENT_ID: 'x' }, 'GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together'],
    [{ GOOGLE_ISSUER: 'http://login.example.in' }, 'GOOGLE_ISSUER must be an https address'],
    [{ OIDC_CLIENT_SECRET: 'x' }, 'OIDC_CLIENT_ID and OIDC_CLIENT_SECRET go together'],
    [{ OIDC_ISSUER: 'http://login.example.in' }, 'OIDC_ISSUER must be an https address'],
    [{ OIDC_NAME: 'x'.repeat(201) }, 'OIDC_NAME must be at most 200 characters'],
    [{ OIDC_NAME: 'Home', GOOGLE_CLIENT_ID: 'x' }, 'OIDC_ and of GOOGLE_ are both set'],
    [{ BACKUP: 'no' }, 'BACKUP must be on or off'],
    [{ BACKUP_KEEP: '14' }, 'BACKUP_KEEP must look like 14d,3m'],
    [{ BACKUP_KEEP: '0d' }, 'BACKUP_KEEP must look like 14d,3m'],
    [{ BACKUP_KEEP: '3m,14d' }, 'BACKUP_KEEP must look like 14d,3m'],
    [{ LOG_LEVEL: 'loud' }, 'LOG_LEVEL must be fatal or error or warn or info'],
    [{ SMTP_URL_FILE: '/nowhere/at/all' }, 'SMTP_URL_FILE names a file that does not exist'],
    [{ METRICS_TOKEN_FILE: '/' }, 'METRICS_TOKEN_FILE names a folder, not a file'],
    [{ STORAGE_URL_FILE: 'x'.repeat(300) }, 'STORAGE_URL_FILE names a file that cannot be read'],
    [{ OIDC_CLIENT_SECRET_FILE: '/dev/null' }, 'OIDC_CLIENT_SECRET_FILE names an empty file'],
    [{ OIDC_ISSUER: 'https://me:pw@login.example.in' }, 'OIDC_ISSUER must be without a user name'],
    [{ TELEGRAM_API_URL: 'https://bot.example.in/?key=1' }, 'TELEGRAM_API_URL must be without'],
    [
      { METRICS_TOKEN_FILE: 'a', METRICS_TOKEN: 'a' },
      'METRICS_TOKEN and METRICS_TOKEN_FILE are both set: keep one',
    ],
    [{ NODE_ENV: 'production', TEST_MODE: '1' }, 'TEST_MODE must not be 1 in production'],
  ])('%j stops the start with one line that names the variable', (env, message) => {
    const refusal = () => readConfig(env)
    expect(refusal).toThrow(message)
    expect(refusal).not.toThrow('\n')
  })

  test('an address that others reach is production, also when NODE_ENV was forgotten', () => {
    const config = readConfig({ PUBLIC_URL: 'https://keys.example.in' })
    expect(config).toMatchObject({ production: true, testMode: false })
    expect(() => readConfig({ PUBLIC_URL: 'https://keys.example.in', TEST_MODE: '1' })).toThrow(
      'TEST_MODE',
    )
    expect(readConfig({ PUBLIC_URL: 'http://127.0.0.1:8080' }).production).toBe(false)
    expect(readConfig({ PUBLIC_URL: 'http://[::1]:8080' }).production).toBe(false)
    expect(readConfig({ PUBLIC_URL: 'http://127.3.2.1:8080' }).production).toBe(false)
  })

  test.each(['0.0.0.0', '::', '192.168.1.20', 'keys', '128.0.0.1'])(
    'a HOST that others reach (%s) is production without any other setting',
    (HOST) => {
      const config = readConfig({ HOST })
      expect(config).toMatchObject({ production: true, testMode: false, host: HOST })
      expect(() => readConfig({ HOST, TEST_MODE: '1' })).toThrow('TEST_MODE must not be 1')
    },
  )

  test.each(['127.0.0.1', '127.3.2.1', '::1', '::ffff:127.0.0.1', 'localhost'])(
    'a HOST of this machine alone (%s) is not',
    (HOST) => expect(readConfig({ HOST })).toMatchObject({ production: false, testMode: true }),
  )

  test('test mode is off as soon as there is a mail server, unless it is asked for', () => {
    const smtp = { SMTP_URL: 'smtp://localhost:2525' }
    expect(readConfig(smtp).testMode).toBe(false)
    expect(readConfig({ ...smtp, TEST_MODE: '1' }).testMode).toBe(true)
    expect(readConfig({ TEST_MODE: '0' }).testMode).toBe(false)
  })
})

describe('a secret in a file', () => {
  function fileOf(text: string): string {
    const folder = makeQuickFolder()
    onTestFinished(() => rmSync(folder, { recursive: true }))
    const file = join(folder, 'a secret')
    writeFileSync(file, text)
    return file
  }

  test.each([
    ['SMTP_URL', 'smtp://u:hidden@mail.example.in', (config) => config.mail.smtpUrl],
    ['DATABASE_URL', 'postgres://u:hidden@h/d', (config) => config.databaseUrl],
    ['TELEGRAM_BOT_TOKEN', '123456789:hidden', (config) => config.telegram.botToken],
    ['METRICS_TOKEN', 'hidden-0123456789', (config) => config.metricsToken],
    ['OIDC_CLIENT_SECRET', 'hidden', (config) => config.google?.clientSecret],
    ['GOOGLE_CLIENT_SECRET', 'hidden', (config) => config.google?.clientSecret],
    ['AWS_SECRET_ACCESS_KEY', 'hidden', (config) => config.storage?.credentials.secretAccessKey],
    ['AWS_SESSION_TOKEN', 'hidden', (config) => config.storage?.credentials.sessionToken],
    ['STORAGE_URL', 's3://keys', (config) => config.storage && `s3://${config.storage.bucket}`],
  ] satisfies [string, string, (config: Config) => string | undefined][])(
    '%s is read without the end of its line, and not shown',
    (name, secret, find) => {
      const rest: Record<string, string> = {
        STORAGE_URL: 's3://bucket',
        AWS_ACCESS_KEY_ID: 'id',
        AWS_SECRET_ACCESS_KEY: 'key',
        [name.startsWith('GOOGLE') ? 'GOOGLE_CLIENT_ID' : 'OIDC_CLIENT_ID']: 'id',
        OIDC_CLIENT_SECRET: name.startsWith('GOOGLE') ? '' : 'secret',
        [name]: '',
      }
      const config = readConfig({ ...rest, [`${name}_FILE`]: fileOf(`${secret}\r\n`) })
      expect(find(config)).toBe(secret)
      const found = config.settings.find((setting) => setting.name === name)
      expect(found).toEqual({ name, value: '', from: 'file', isSecret: true })
      expect(config.misspelt).toEqual([])
    },
  )

  test('of two lines stops the start without its content', () => {
    const refusal = () => readConfig({ OIDC_CLIENT_SECRET_FILE: fileOf('hidden\nhidden') })
    expect(refusal).toThrow(/^OIDC_CLIENT_SECRET_FILE must name a file of one line$/)
    expect(refusal).not.toThrow('hidden')
  })

  test('that was set in place of the path is not shown', () => {
    for (const [name, secret] of [
      ['SMTP_URL_FILE', 'smtp://u:hidden@mail.example.in'],
      ['METRICS_TOKEN_FILE', 'hidden-0123456789'],
    ] as const) {
      const refusal = () => readConfig({ [name]: secret })
      expect(refusal).toThrow(name)
      expect(refusal).not.toThrow('hidden')
    }
  })
})

test('a sign-in provider has the names of OIDC_ or of GOOGLE_, and a name for its button', () => {
  const client = { CLIENT_ID: 'id', CLIENT_SECRET: 'secret' }
  const named = (prefix: string, more: Record<string, string> = {}) => {
    const env = Object.entries({ ...client, ...more })
    return readConfig(Object.fromEntries(env.map(([name, value]) => [prefix + name, value]))).google
  }
  const google = { issuer: 'https://accounts.google.com', name: 'Google' }
  expect(named('GOOGLE_')).toMatchObject(google)
  expect(named('OIDC_')).toEqual({ clientId: 'id', clientSecret: 'secret', ...google })
  const own = { ISSUER: 'https://login.example.in/realms/home' }
  expect(named('OIDC_', own)).toMatchObject({ issuer: own.ISSUER, name: 'login.example.in' })
  expect(named('OIDC_', { ...own, NAME: 'Patil Family' })).toMatchObject({ name: 'Patil Family' })
})

test('the zone is that of TZ where TIMEZONE is not set', () => {
  const zones = (env: Record<string, string>) => {
    const { timezone, terminalZone } = readConfig(env)
    return [timezone, terminalZone]
  }
  expect(zones({})).toEqual(['Asia/Kolkata', 'Asia/Kolkata'])
  expect(zones({ TZ: 'Europe/Berlin' })).toEqual(['Europe/Berlin', 'Europe/Berlin'])
  expect(zones({ TZ: 'Europe/Berlin', TIMEZONE: 'UTC' })).toEqual(['UTC', 'Europe/Berlin'])
  expect(zones({ TZ: ':/etc/localtime' })).toEqual(['Asia/Kolkata', 'Asia/Kolkata'])
})

test('every setting says its value and where it is from', () => {
  const { settings } = readConfig({ PORT: '8080', SMTP_URL: 'smtp://u:hidden@h', TEST_MODE: '0' })
  const find = (name: string) => settings.find((setting) => setting.name === name)
  expect(find('PORT')).toMatchObject({ value: '8080', from: 'environment' })
  expect(find('PUBLIC_URL')).toMatchObject({ value: 'http://localhost:8080', from: 'default' })
  expect(find('TEST_MODE')).toMatchObject({ value: '0', from: 'environment' })
  expect(find('SMTP_URL')).toMatchObject({ value: '', from: 'environment' })
  expect(JSON.stringify(settings)).not.toContain('hidden')
})

describe('a variable that looks like a setting', () => {
  const find = (...names: string[]) =>
    readConfig(Object.fromEntries(names.map((name) => [name, 'x']))).misspelt

  test.each([
    ['SMPT_URL', 'SMTP_URL'],
    ['PUBLIC_URI', 'PUBLIC_URL'],
    ['DATADIR', 'DATA_DIR'],
    ['SMTP_URL_FIL', 'SMTP_URL_FILE'],
    ['DRIVEQR_DATA_DIR', 'DATA_DIR'],
    ['DRIVEQR_COLOUR', undefined],
    ['RETENTION_MAILS_DAYS', undefined],
    ['BANK_SWIFT', undefined],
    ['data_dir', 'DATA_DIR'],
    ['PORT_FILE', 'PORT'],
    ['SMPT_URL_FILE', 'SMTP_URL_FILE'],
  ])('%s is found', (name, like) => {
    expect(find(name)).toEqual([{ name, like }])
  })

  test('is not one of the shell, the system or another program', () => {
    const names =
      'HOME PATH PWD OLDPWD USER SHELL LANG LC_ALL TERM TMP TMPDIR EDITOR MAIL HOSTNAME LOGNAME PS1 _ CI TTY AWS_REGION AWS_PROFILE GOOGLE_CLOUD_PROJECT NODE_OPTIONS npm_config_cache DRIVEQR_SERVICE_HOST DRIVEQR_PORT_3000_TCP INVOCATION_ID JOURNAL_STREAM SHLVL DOMAIN COLUMNS LINES'
    expect(find(...names.split(' '))).toEqual([])
  })

  test('does not count when it is empty', () => {
    expect(readConfig({ SMPT_URL: ' ' }).misspelt).toEqual([])
  })
})

test('the table in docs/settings.md has every setting, and no other', () => {
  const code = readFileSync('config.ts', 'utf8')
  const guide = readFileSync('docs/settings.md', 'utf8')
  const known = Array.from(code.matchAll(/\bread\(\s*'([A-Z_]+)'/g), ([, name]) => name)
  const rows = guide.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g), ([, name]) => name),
  )
  expect(known.length).toBeGreaterThan(20)
  expect(named.toSorted()).toEqual(known.toSorted())
})
