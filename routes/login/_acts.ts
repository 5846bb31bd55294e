import type { LoginMode } from '#components/accounts/login-form.tsx'
import type { SentOtp } from '#components/accounts/otp-parts.tsx'
import { secondsAfter, secondsUntil, toInstant } from '#db/cast.ts'
import { earlierOtp, OTP_VALID_SECONDS } from '#domain/accounts/registration.ts'
import type { DomainError } from '#domain/error.ts'
import { secondFactor } from '#routes/_http/accounts/factor-forms.ts'
import {
  contactForm,
  loginForm,
  loginOtpForm,
  registrationForm,
  resetPasswordForm,
  sendOtpForm,
} from '#routes/_http/accounts/forms.ts'
import { askRegistrationOtp } from '#routes/_http/accounts/one-time-codes.ts'
import { askRecoveryOtp, setPasswordByOtp, signInByOtp } from '#routes/_http/accounts/recovery.ts'
import {
  type HalfSignedIn,
  login,
  passSecondFactor,
  registerAndSignIn,
  type SignedIn,
} from '#routes/_http/accounts/sign-in.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { parseForm } from '#routes/_http/schema.ts'

export type Fields = Record<string, string>
/** Where a form that was posted without script leads: on, or to its step with the OTP. */
type Outcome = { location: string } | { sent: SentOtp } | HalfSignedIn

/** Runs the act of a form of the login page. They are the acts of the API. */
export async function actOnLoginForm(
  c: AppContext,
  mode: Exclude<LoginMode, 'choice'>,
  fields: Fields,
): Promise<Outcome> {
  if (mode === 'password') {
    return toOutcome(await login(c, parseForm(loginForm, fields)))
  }
  if (mode === 'second') {
    await passSecondFactor(c, parseForm(secondFactor, { ...fields, trust: fields.trust === 'on' }))
    return IN
  }
  if (fields.resend) assertOtpEnded(c, fields)
  if (fields.otp === undefined || fields.resend) return { sent: await sendOtp(c, mode, fields) }
  if (mode === 'forgot') {
    await setPasswordByOtp(c, parseForm(resetPasswordForm, fields))
    return { location: '/login?mode=password&reset=true' }
  }
  if (mode === 'code') return toOutcome(await signInByOtp(c, parseForm(loginOtpForm, fields)))
  await registerAndSignIn(c, parseForm(registrationForm, fields))
  return IN
}

const IN = { location: '/dashboard' }

function toOutcome(signedIn: SignedIn | HalfSignedIn): Outcome {
  return 'ticket' in signedIn ? signedIn : IN
}

async function sendOtp(
  c: AppContext,
  mode: 'register' | 'code' | 'forgot',
  fields: Fields,
): Promise<SentOtp> {
  const sent =
    mode === 'register'
      ? await askRegistrationOtp(c, parseForm(sendOtpForm, fields))
      : await askRecoveryOtp(c, mode === 'code' ? 'login' : 'reset', parseForm(contactForm, fields))
  return { ...sentFor(c, OTP_VALID_SECONDS), testOtp: sent.testOtp }
}

/** The page's rule for all modes. Who sends another end meets the limits of each mode. */
function assertOtpEnded(c: AppContext, fields: Fields): void {
  const retryAfter = secondsLeftOf(c, fields)
  if (retryAfter === 0) return
  throw earlierOtp(retryAfter)
}

/** Returns the OTP that counts after a refusal: the expected one, or the one requested too early. */
export function sentBefore(
  c: AppContext,
  fields: Fields,
  refusal: DomainError,
): SentOtp | undefined {
  const isAskedTooEarly = refusal.code === 'too_many.otp'
  if (!isAskedTooEarly && fields.otp === undefined) return undefined
  const secondsLeft = isAskedTooEarly ? (refusal.retryAfter ?? 0) : secondsLeftOf(c, fields)
  return { ...sentFor(c, secondsLeft), testOtp: fields.test_otp }
}

/** Until the end of the OTP that the form waits for, as the form itself has it. */
function secondsLeftOf(c: AppContext, { expires_at = '' }: Fields): number {
  return Math.min(secondsUntil(expires_at, c.var.deps.clock()) || 0, OTP_VALID_SECONDS)
}

function sentFor(c: AppContext, secondsLeft: number): SentOtp {
  return { secondsLeft, expiresAt: toInstant(secondsAfter(c.var.deps.clock(), secondsLeft)) }
}
