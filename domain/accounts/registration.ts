import { isEmail, readMobile } from '#domain/accounts/contact.ts'
import { phoneProblem, readPhone } from '#domain/accounts/phone.ts'
import { phoneRefusal } from '#domain/codes/phones.ts'
import { asciiDigits } from '#domain/digits.ts'
import { DomainError } from '#domain/error.ts'
import { cleanLine, LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Refusal, RefusalCode } from '#locales/refusal.ts'

export const OTP_LENGTH = 6
export const OTP_VALID_SECONDS = 600
export const OTP_MAX_TRIES = 5
/** for all browsers together, other than the one that requested the code */
export const OTP_MAX_TRIES_ELSEWHERE = 15
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

/** The refusals of `passwordProblem`. */
export const PASSWORD_REFUSALS = [
  'invalid.password_missing',
  'invalid.password_short',
  'invalid.password_long',
  'invalid.passwords_differ',
] as const satisfies RefusalCode[]

export type NewPassword = { password: string; confirmPassword?: string }

/** Returns the reason why no OTP can be sent to this address. */
export function sendOtpProblem(email: string): Refusal | undefined {
  if (!cleanLine(email)) return 'invalid.your_email_missing'
  if (!isEmail(email.trim())) return 'invalid.email'
}

/** Returns the first problem of a registration, in the order of the form. */
export function registrationProblem(
  form: NewPassword & { name: string; otp: string },
): Refusal | undefined {
  return nameProblem(form.name) ?? passwordProblem(form) ?? otpProblem(form.otp)
}

export function nameProblem(typed: string): Refusal | undefined {
  const name = cleanLine(typed)
  return name ? lengthProblem('Name', name, LENGTHS.name) : 'invalid.name_missing'
}

/** Returns the problem of a change of name and mobile number. Undefined keeps a value, null removes it. */
export function profileProblem({
  name,
  mobile,
  mobile_anyway,
}: {
  name?: string | undefined
  mobile?: string | null | undefined
  mobile_anyway?: boolean | undefined
}): Refusal | undefined {
  const problem = name === undefined ? undefined : nameProblem(name)
  return problem ?? (mobile ? mobileProblem(mobile, mobile_anyway) : undefined)
}

/** Returns a change of the profile as it is stored. */
export function readProfile({ name, mobile }: Parameters<typeof profileProblem>[0]) {
  return { name: cleanLine(name) ?? undefined, mobile: readMobile(mobile) }
}

/** Returns the problem of an account's mobile number. A line such as 112 is nobody's. */
export function mobileProblem(typed: string, anyway?: boolean): Refusal | undefined {
  const problem = readPhone(typed)?.e164 === null ? 'invalid' : phoneProblem(typed, anyway)
  return problem && phoneRefusal('contact_phone', problem)
}

/** Returns the problem of a new password. API calls may leave out the confirmation. */
export function passwordProblem({ password, confirmPassword }: NewPassword): Refusal | undefined {
  if (!password) return 'invalid.password_missing'
  if (password.length < PASSWORD_MIN) {
    return { code: 'invalid.password_short', values: { least: PASSWORD_MIN } }
  }
  if (password.length > PASSWORD_MAX) {
    return { code: 'invalid.password_long', values: { most: PASSWORD_MAX } }
  }
  if (confirmPassword !== undefined && confirmPassword !== password) {
    return 'invalid.passwords_differ'
  }
}

export function otpProblem(otp: string): Refusal | undefined {
  return /^\d{6}$/.test(otp) ? undefined : 'invalid.otp_digits'
}

export function loginProblem(form: { contact: string; password: string }): Refusal | undefined {
  return (
    contactProblem(form.contact) ?? (form.password ? undefined : 'invalid.your_password_missing')
  )
}

/** Returns the problem of a form whose only field is the contact: a one-time code, a forgotten password. */
export function contactProblem(contact: string): Refusal | undefined {
  return cleanLine(contact) ? undefined : 'invalid.contact_missing'
}

/** Returns the first problem of a reset by OTP. A reset by link needs only `passwordProblem`. */
export function resetPasswordProblem(
  form: NewPassword & { contact: string; otp: string },
): Refusal | undefined {
  return contactProblem(form.contact) ?? passwordProblem(form) ?? otpProblem(form.otp)
}

/** Returns an OTP as it is compared: without the spaces and dashes of its groups, in digits of any script. */
export function cleanOtp(typed: string): string {
  return asciiDigits(typed).replace(/[\s\p{Cf}\p{Pd}]/gu, '')
}

/** Keeps the digits of typed or pasted text, up to the length of an OTP. */
export function stripOtp(text: string): string {
  return asciiDigits(text).replace(/\D/g, '').slice(0, OTP_LENGTH)
}

/** Returns a countdown as `m:ss`, rounded up to whole seconds. */
export function minutesSeconds(seconds: number): string {
  const left = Math.max(0, Math.ceil(seconds))
  return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, '0')}`
}

/** Returns the text of a countdown for screen readers: once a minute and at the end, not every second. */
export function countdownText(seconds: number): string {
  if (seconds === 0) return 'The OTP has expired'
  return seconds <= 60 ? 'The OTP expires in a minute' : ''
}

/** Returns an OTP as it is shown, in two groups. */
export function showOtp(otp: string): string {
  return `${otp.slice(0, 3)} ${otp.slice(3)}`
}

/** Returns the refusal of another OTP while an earlier one is valid, in seconds. */
export function earlierOtp(retryAfter: number): DomainError {
  const values = { time: minutesSeconds(retryAfter) }
  return new DomainError({ code: 'too_many.otp', values }, { retryAfter })
}
