import { readFileSync } from 'node:fs'
import { describe, expect, onTestFinished, test, vi } from 'vitest'
import { readConfig } from '#config.ts'

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

test('the table in docs/operating.md has every setting, and no other', () => {
  const code = readFileSync('config.ts', 'utf8')
  const guide = readFileSync('docs/operating.md', 'utf8')
  const [, section = ''] = guide.split(/^## /m)
  const known = Array.from(code.matchAll(/\bread\('([A-Z_]+)'/g), ([, name]) => name)
  const rows = section.split('\n').filter((line) => line.startsWith('| `'))
  const named = rows.flatMap((row) =>
    Array.from((row.split('|')[1] ?? '').matchAll(/`([A-Z_]+)`/g), ([, name]) => name),
  )
  expect(known.length).toBeGreaterThan(20)
  expect(named.toSorted()).toEqual(known.toSorted())
})
