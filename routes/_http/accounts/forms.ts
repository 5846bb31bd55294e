import { z } from '@hono/zod-openapi'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import { PERMISSION_TYPES } from '#domain/accounts/permission.ts'
import {
  contactProblem,
  loginProblem,
  OTP_LENGTH,
  otpProblem,
  PASSWORD_MAX,
  PASSWORD_MIN,
  passwordProblem,
  profileProblem,
  readProfile,
  registrationProblem,
  resetPasswordProblem,
  sendOtpProblem,
} from '#domain/accounts/registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { otp, shownFactor } from '#routes/_http/accounts/factor-forms.ts'
import { anywayTick } from '#routes/_http/codes/choice-fields.ts'
import {
  anyText,
  atMost,
  follows,
  oneOf,
  payload,
  requires,
  secret,
  text,
} from '#routes/_http/schema.ts'

/** Only forms have this field; API calls may leave it out. */
export const confirm_password = anyText('confirm_password')
  .optional()
  .openapi({ maxLength: PASSWORD_MAX })

const email = text('email').openapi({ format: 'email' })
/** A password that is set; one that is checked may be longer. */
export const newPassword = secret('password').openapi({ maxLength: PASSWORD_MAX })

export const sendOtpForm = requires(z.object({ email }), { email: 1 })
  .transform(({ email }) => ({ email: normalizeEmail(email ?? '') }))
  .superRefine(follows(({ email }) => sendOtpProblem(email)))

export const registrationForm = requires(
  z.object({
    email,
    name: text('name', LENGTHS.name),
    password: newPassword,
    confirm_password,
    otp,
  }),
  { email: 1, name: 1, password: PASSWORD_MIN, otp: OTP_LENGTH },
)
  .transform((form) => ({
    email: normalizeEmail(form.email ?? ''),
    name: form.name ?? '',
    password: form.password,
    confirmPassword: form.confirm_password,
    otp: form.otp ?? '',
  }))
  .superRefine(follows((form) => sendOtpProblem(form.email) ?? registrationProblem(form)))

export const loginForm = requires(
  z.object({ contact: text('contact'), password: secret('password') }),
  { contact: 1, password: 1 },
)
  .transform(({ contact, password }) => ({ contact: contact ?? '', password }))
  .superRefine(follows(loginProblem))

export const contactForm = requires(z.object({ contact: text('contact') }), { contact: 1 })
  .transform(({ contact }) => ({ contact: contact ?? '' }))
  .superRefine(follows(({ contact }) => contactProblem(contact)))

export const loginOtpForm = requires(z.object({ contact: text('contact'), otp }), {
  contact: 1,
  otp: OTP_LENGTH,
})
  .transform(({ contact, otp }) => ({ contact: contact ?? '', otp: otp ?? '' }))
  .superRefine(follows(({ contact, otp }) => contactProblem(contact) ?? otpProblem(otp)))

/** A new password, by contact and OTP or by the token of a link. */
export const resetPasswordForm = requires(
  z.object({
    token: text('token').openapi({ description: 'of a reset link, in place of contact and otp' }),
    contact: text('contact'),
    otp,
    password: newPassword,
    confirm_password,
  }),
  { password: PASSWORD_MIN },
)
  .transform((form) => ({
    token: form.token,
    contact: form.contact ?? '',
    otp: form.otp ?? '',
    password: form.password,
    confirmPassword: form.confirm_password,
  }))
  .superRefine(follows((form) => (form.token ? passwordProblem(form) : resetPasswordProblem(form))))

/**
 * A new password for the signed-in account; a factor can replace the present one. Whether it is long enough
 * depends on the account: see `ownPasswordProblem`.
 */
export const ownPassword = requires(
  z.object({
    current_password: secret('current_password').openapi({
      description: 'left out by an account without a password',
    }),
    ...shownFactor,
    password: newPassword,
    confirm_password,
  }),
  { password: PASSWORD_MIN },
).transform((form) => ({
  current: form.current_password,
  code: form.code,
  passkey: form.passkey,
  password: form.password,
  confirmPassword: form.confirm_password,
}))

/** A change of the profile. A missing field stays unchanged. */
export const profileChange = payload({
  name: anyText('name').optional().openapi({ maxLength: LENGTHS.name }),
  mobile: anyText('mobile')
    .max(LENGTHS.other, atMost('mobile', LENGTHS.other))
    .nullish()
    .openapi({ description: 'empty or null for none' }),
  mobile_anyway: anywayTick('mobile_anyway'),
})
  .superRefine(follows(profileProblem))
  .transform(readProfile)

export const emailOtp = requires(payload({ otp }), { otp: OTP_LENGTH })
  .transform(({ otp }) => ({ otp: otp ?? '' }))
  .superRefine(follows(({ otp }) => otpProblem(otp)))

export const permission = requires(
  z.object({
    user_id: text('user_id').transform((id) => id ?? ''),
    permission_type: oneOf(PERMISSION_TYPES, 'permission_type'),
    expires_at: text('expires_at').openapi({
      description: 'ISO 8601; without an offset in TIMEZONE; null never expires',
    }),
  }),
  { user_id: 1 },
)
