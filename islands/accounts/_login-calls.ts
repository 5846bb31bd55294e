import type { SentOtp } from '#components/accounts/otp-parts.tsx'
import { OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import { callApi, keepSession } from '#islands/_api.ts'
import { ApiProblem } from '#islands/_api-problem.ts'
import { keepResult, showResult } from '#islands/ui/_result.ts'

type SentAnswer = { message?: string; test_otp?: string; expires_in?: number }

/** Sends a registration OTP. One that was sent earlier still works, so its end is answered then. */
export async function sendRegistrationOtp(email: string): Promise<SentOtp> {
  try {
    const answer = await callApi<SentAnswer>('POST', '/auth/send-otp', { email })
    showResult(answer.message ?? '')
    return toSentOtp(answer)
  } catch (error) {
    const wait = waitOf(error)
    if (wait === undefined) throw error
    showResult((error as ApiProblem).message, 'error')
    return { secondsLeft: wait }
  }
}

const RECOVERY_PATHS = { code: '/auth/send-login-otp', forgot: '/auth/forgot-password' }

/** Sends an OTP to the account of a contact, if there is one: the answer does not say whether. */
export async function sendRecoveryOtp(
  mode: keyof typeof RECOVERY_PATHS,
  contact: string,
): Promise<SentOtp> {
  const answer = await callApi<SentAnswer>('POST', RECOVERY_PATHS[mode], { contact })
  showResult(
    answer.test_otp
      ? `OTP Generated: ${answer.test_otp} (Test Mode - No email sent)`
      : 'If there is an account with this contact, an OTP is on its way to its email address.',
    answer.test_otp ? 'success' : 'info',
  )
  return toSentOtp(answer)
}

/** Goes to the dashboard as somebody who is signed in; the form stays busy until it is there. */
export function enterDashboard(token: string, welcome: string): Promise<never> {
  keepSession(token)
  keepResult(welcome)
  return leaveTo('/dashboard')
}

/** Replaces the form's page in the history, because going back to it would lead nowhere. */
export function leaveTo(url: string): Promise<never> {
  location.replace(url)
  return new Promise(() => {})
}

function toSentOtp({ test_otp, expires_in = OTP_VALID_SECONDS }: SentAnswer): SentOtp {
  return { secondsLeft: expires_in, testOtp: test_otp }
}

function waitOf(error: unknown): number | undefined {
  if (!(error instanceof ApiProblem) || error.subject !== 'too_many.otp') return undefined
  return (error.body as { retry_after?: number }).retry_after
}
