import { isEmail, normalizeMobile } from '#domain/accounts/contact.ts'
import { cleanLine, LENGTHS, lengthProblem } from '#domain/text.ts'

export const OTP_LENGTH = 6
export const OTP_VALID_SECONDS = 600
export const OTP_MAX_TRIES = 5
/** for all browsers together, other than the one that requested the code */
export const OTP_MAX_TRIES_ELSEWHERE = 15
export const PASSWORD_MIN = 6
export const PASSWORD_MAX = 128

export type NewPassword = { password: string; confirmPassword?: string }

/** Returns the reason why no OTP can be sent to this address. */
export function sendOtpProblem(email: string): string | undefined {
  if (!cleanLine(email)) return 'Please enter your email address'
  if (!isEmail(email.trim())) return 'Please enter a valid email address'
}

/** Returns the first problem of a registration, in the order of the form. */
export function registrationProblem(
  form: NewPassword & { name: string; otp: string },
): string | undefined {
  return nameProblem(form.name) ?? passwordProblem(form) ?? otpProblem(form.otp)
}

export function nameProblem(typed: string): string | undefined {
  const name = cleanLine(typed)
  return name ? lengthProblem('Name', name, LENGTHS.name) : 'Please enter your name'
}

/** Returns the problem of a change of name and mobile number. Undefined keeps a value, null removes it. */
export function profileProblem({
  name,
  mobile,
}: {
  name?: string | undefined
  mobile?: string | null | undefined
}): string | undefined {
  const problem = name === undefined ? undefined : nameProblem(name)
  const isNumber = !mobile || normalizeMobile(mobile) !== undefined
  return problem ?? (isNumber ? undefined : 'Please enter a valid mobile number')
}

/** Returns the problem of a new password. API calls may leave out the confirmation. */
export function passwordProblem({ password, confirmPassword }: NewPassword): string | undefined {
  if (!password) return 'Please enter a password'
  if (password.length < PASSWORD_MIN) return 'Password must be at least 6 characters long'
  if (password.length > PASSWORD_MAX) return 'Password must be at most 128 characters long'
  if (confirmPassword !== undefined && confirmPassword !== password) return 'Passwords do not match'
}

export function otpProblem(otp: string): string | undefined {
  return /^\d{6}$/.test(otp) ? undefined : 'Please enter the 6-digit OTP'
}

export function loginProblem(form: { contact: string; password: string }): string | undefined {
  return contactProblem(form.contact) ?? (form.password ? undefined : 'Please enter your password')
}

/** Returns the problem of a form whose only field is the contact: a one-time code, a forgotten password. */
export function contactProblem(contact: string): string | undefined {
  return cleanLine(contact) ? undefined : 'Please enter your email or mobile number'
}

/** Returns the first problem of a reset by OTP. A reset by link needs only `passwordProblem`. */
export function resetPasswordProblem(
  form: NewPassword & { contact: string; otp: string },
): string | undefined {
  return contactProblem(form.contact) ?? passwordProblem(form) ?? otpProblem(form.otp)
}

/** Keeps the digits of typed or pasted text, up to the length of an OTP. */
export function stripOtp(text: string): string {
  return text.replace(/\D/g, '').slice(0, OTP_LENGTH)
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

export function resendWaitMessage(seconds: number): string {
  return `Please wait ${minutesSeconds(seconds)} before requesting new OTP.`
}

/** Returns whether a refusal means that an earlier OTP is still valid, so the form can ask for it. */
export function isResendWait(message: string): boolean {
  return /^Please wait \d+:\d\d before requesting new OTP\.$/.test(message)
}
