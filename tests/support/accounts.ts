import { vi } from 'vitest'
import { PASSWORD, type TestApp } from '#tests/support/app.ts'

export const EMAIL = 'asha@example.in'
/** Configures mail; the test's mailer collects the mails. */
export const WITH_MAIL = { env: { SMTP_URL: 'smtp://127.0.0.1:25' } }

export type Answered = {
  status: number
  // biome-ignore lint/suspicious/noExplicitAny: the tests check the content of answers
  body: any
  headers: Headers
}

/** Makes a call under /api/auth and reads its answer. */
export async function post(
  app: Pick<TestApp, 'ask'>,
  call: string,
  json: unknown,
  headers: Record<string, string> = {},
): Promise<Answered> {
  const response = await app.ask('POST', `/api/auth/${call}`, { json, headers })
  return { status: response.status, body: await response.json(), headers: response.headers }
}

/** The OTP that test mode shows, for a call that sends one. */
export async function otpFrom(app: TestApp, call: string, json: object): Promise<string> {
  const { body } = await post(app, call, json)
  if (!/^\d{6}$/.test(body.test_otp)) throw new Error(`No OTP from ${call}`)
  return body.test_otp
}

/** The OTP in the last mail. */
export function mailedOtp({ mails }: Pick<TestApp, 'mails'>): string {
  const otp = mails.at(-1)?.text.match(/\b\d{6}\b/)?.[0]
  if (!otp) throw new Error('No OTP was mailed')
  return otp
}

/** The path of the last mailed link that takes a change or a deletion back. */
export function wayBackIn({ mails }: Pick<TestApp, 'mails'>): string {
  const texts = mails.map(({ text }) => text).join('\n')
  return texts.match(/\/way-back\/[\w-]{43}/g)?.at(-1) ?? ''
}

export const registration = (otp: string) => ({
  email: EMAIL,
  name: 'Asha Patil',
  password: PASSWORD,
  otp,
})

/**
 * Nobody waits too long for a password's turn, until the end of the test: on a busy machine a crowd takes
 * longer than a server is patient. For the clock of `openTestApp`.
 */
export function waitForTurns(): void {
  vi.useFakeTimers({ toFake: ['Date', 'setTimeout', 'clearTimeout'], now: Date.now() })
}

/** Another OTP than this one; every `n` is a different one. */
export function wrongOtp(otp: string, n = 1): string {
  return String((Number(otp) + n) % 1_000_000).padStart(6, '0')
}

/** The cookies that an answer sets, as a browser sends them back. */
export function cookieOf({ headers }: { headers: Headers }): string {
  return (headers.get('Set-Cookie') ?? '').split(';')[0] ?? ''
}

export async function countAccounts({ db }: TestApp): Promise<number> {
  const rows = await db.selectFrom('accounts').select('id').execute()
  return rows.length
}
