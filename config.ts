import { z } from 'zod'

export const LOOPBACK_HOSTS = ['localhost', '127.0.0.1', '[::1]']

const wholeNumber = (min: number, max: number) =>
  z.coerce
    .number(`must be a whole number from ${min} to ${max}`)
    .int(`must be a whole number from ${min} to ${max}`)
    .min(min, `must be a whole number from ${min} to ${max}`)
    .max(max, `must be a whole number from ${min} to ${max}`)

const switchValue = z.enum(['0', '1'], 'must be 0 or 1').transform((value) => value === '1')

const origin = z
  .url({
    protocol: /^https?$/,
    error: 'must be an address like https://keys.example.in',
    abort: true,
  })
  .refine((value) => new URL(value).pathname === '/' && !new URL(value).search, {
    error: 'must be an origin without a path',
  })
  .transform((value) => new URL(value).origin)

const timezone = z.string().refine(isTimezone, { error: 'must be a time zone like Asia/Kolkata' })

const optionalText = z.string().max(200).optional()

const environment = z.object({
  NODE_ENV: z.enum(['development', 'test', 'production']).default('development'),
  PORT: wholeNumber(0, 65535).default(3000),
  HOST: z.string().default('127.0.0.1'),
  PUBLIC_URL: origin.optional(),
  DATA_DIR: z.string().default('./data'),
  TRUST_PROXY: wholeNumber(0, 10).default(0),
  SMTP_URL: z
    .url({ protocol: /^smtps?$/, error: 'must look like smtp://user:pass@host:587' })
    .optional(),
  MAIL_FROM: optionalText,
  TEST_MODE: switchValue.optional(),
  GOOGLE_CLIENT_ID: optionalText,
  GOOGLE_CLIENT_SECRET: optionalText,
  GOOGLE_ISSUER: z
    .url()
    .refine(isSafeIssuer, { error: 'must be an https address, or one of this machine' })
    .default('https://accounts.google.com'),
  PRICE_PREMIUM: wholeNumber(0, 10_000_000).default(999),
  PRICE_ENTERPRISE: wholeNumber(0, 10_000_000).default(9999),
  UPI_ID: optionalText,
  BANK_ACCOUNT_NAME: optionalText,
  BANK_ACCOUNT_NUMBER: optionalText,
  BANK_IFSC: optionalText,
  BANK_NAME: optionalText,
  SUPPORT_EMAIL: optionalText,
  SUPPORT_PHONE: optionalText,
  TIMEZONE: timezone.default('Asia/Kolkata'),
  RATE_LIMITS: z.enum(['on', 'off'], 'must be on or off').default('on'),
})

export type Config = ReturnType<typeof readConfig>

/**
 * Settings from environment variables; an empty variable counts as unset. Throws an Error whose
 * one-line message names the variable that cannot be right.
 */
export function readConfig(env: Record<string, string | undefined> = process.env) {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value?.trim()))
  const parsed = environment.safeParse(given)
  if (!parsed.success) {
    const issue = parsed.error.issues[0]
    throw new Error(`${String(issue?.path[0])} ${issue?.message}`)
  }
  const e = parsed.data
  const publicUrl = e.PUBLIC_URL ?? `http://localhost:${e.PORT}`
  const production =
    e.NODE_ENV === 'production' || !LOOPBACK_HOSTS.includes(new URL(publicUrl).hostname)
  if (production && e.TEST_MODE) {
    throw new Error('TEST_MODE must not be 1 in production: it shows one-time codes to anybody')
  }
  if (Boolean(e.GOOGLE_CLIENT_ID) !== Boolean(e.GOOGLE_CLIENT_SECRET)) {
    throw new Error('GOOGLE_CLIENT_ID and GOOGLE_CLIENT_SECRET go together: set both or none')
  }
  return {
    production,
    port: e.PORT,
    host: e.HOST,
    publicUrl,
    dataDir: e.DATA_DIR,
    trustProxy: e.TRUST_PROXY,
    testMode: !production && (e.TEST_MODE ?? !e.SMTP_URL),
    mail: {
      smtpUrl: e.SMTP_URL,
      from: e.MAIL_FROM ?? `DriveQR <no-reply@${new URL(publicUrl).hostname}>`,
    },
    google: e.GOOGLE_CLIENT_ID
      ? {
          clientId: e.GOOGLE_CLIENT_ID,
          clientSecret: e.GOOGLE_CLIENT_SECRET as string,
          issuer: e.GOOGLE_ISSUER,
        }
      : undefined,
    prices: { premium: e.PRICE_PREMIUM, enterprise: e.PRICE_ENTERPRISE },
    payment: {
      upiId: e.UPI_ID,
      accountName: e.BANK_ACCOUNT_NAME,
      accountNumber: e.BANK_ACCOUNT_NUMBER,
      ifsc: e.BANK_IFSC,
      bank: e.BANK_NAME,
    },
    support: { email: e.SUPPORT_EMAIL, phone: e.SUPPORT_PHONE },
    timezone: e.TIMEZONE,
    rateLimits: e.RATE_LIMITS === 'on',
  }
}

/** What it says of who somebody is must not be changed on the way. */
function isSafeIssuer(value: string): boolean {
  const { protocol, hostname } = new URL(value)
  return protocol === 'https:' || (protocol === 'http:' && LOOPBACK_HOSTS.includes(hostname))
}

function isTimezone(value: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: value })
    return true
  } catch {
    return false
  }
}
