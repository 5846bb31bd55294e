import { z } from '@hono/zod-openapi'
import type { TypedFactor } from '#db/accounts/second-factors.ts'
import { keyNameProblem } from '#domain/accounts/api-key.ts'
import { normalizeEmail, normalizeMobile } from '#domain/accounts/contact.ts'
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
  registrationProblem,
  resetPasswordProblem,
  sendOtpProblem,
  stripOtp,
} from '#domain/accounts/registration.ts'
import { factorProblem, type TypedCodes } from '#domain/accounts/second-factor.ts'
import { cleanLine, LENGTHS } from '#domain/text.ts'
import { passkeyAnswer } from '#routes/_http/accounts/passkey-forms.ts'
import { flag, follows, notAnObject, requires, secret, text } from '#routes/_http/schema.ts'

/** Only forms have this field; API calls may leave it out. */
export const confirm_password = z
  .string({ error: 'confirm_password must be text' })
  .optional()
  .openapi({ maxLength: PASSWORD_MAX })

const email = text('email').openapi({ format: 'email' })
const otp = text('otp').openapi({ maxLength: OTP_LENGTH, pattern: '^\\d+$' })
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

/** The mobile number in place of the e-mail names an account that has none. */
export const deletionForm = requires(z.object({ email: text('email') }), { email: 1 }).transform(
  ({ email }) => ({ email: email ?? '' }),
)

export const wayBackForm = requires(z.object({ token: secret('token') }), { token: 1 })

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

const shownFactor = {
  code: text('code', 20).openapi({ description: 'of the authenticator app, in place of it' }),
  passkey: passkeyAnswer.optional().openapi({ description: 'its answer, in place of it' }),
}

/** The proofs of a confirmation. */
export const shownForm = z.object({ password: secret('password'), ...shownFactor })

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
export const profileChange = z
  .object(
    {
      name: z.string('name must be text').optional().openapi({ maxLength: LENGTHS.name }),
      mobile: z
        .string('mobile must be text')
        .max(LENGTHS.other, `mobile must be at most ${LENGTHS.other} characters`)
        .nullish()
        .openapi({ description: 'empty or null for none' }),
    },
    notAnObject,
  )
  .superRefine(follows(profileProblem))
  .transform(({ name, mobile }) => ({
    name: cleanLine(name) ?? undefined,
    mobile: mobile ? normalizeMobile(mobile) : mobile === undefined ? undefined : null,
  }))

export const emailOtp = requires(z.object({ otp }, notAnObject), { otp: OTP_LENGTH })
  .transform(({ otp }) => ({ otp: otp ?? '' }))
  .superRefine(follows(({ otp }) => otpProblem(otp)))

const code = text('code', 20).transform((typed) => stripOtp(typed ?? ''))

/** A code of an authenticator app. */
export const factorCode = requires(z.object({ code }, notAnObject), {
  code: OTP_LENGTH,
}).superRefine(follows(({ code }) => factorProblem({ code })))

/** The second step of a sign-in: a code of the app or a recovery code. */
export const secondFactor = requires(
  z.object(
    {
      ticket: text('ticket'),
      code: text('code', 20),
      recovery_code: text('recovery_code', 40).openapi({ description: 'in place of code' }),
      trust: flag('trust').optional().openapi({ description: 'skip the code here for 30 days' }),
    },
    notAnObject,
  ),
  { ticket: 1 },
)
  .superRefine(follows(factorProblem))
  .transform(({ ticket, code, recovery_code, trust = false }) => ({
    ticket: ticket ?? '',
    typed: toTypedFactor({ code, recovery_code }),
    trust,
  }))

/** A code of the app, unless a recovery code was typed. */
function toTypedFactor({ code, recovery_code }: TypedCodes): TypedFactor {
  return recovery_code ? { recoveryCode: recovery_code } : { code: stripOtp(code ?? '') }
}

/** The payload of the form and of the API call. */
export const newApiKey = requires(
  z.object(
    { name: text('Name', Number.POSITIVE_INFINITY).openapi({ maxLength: LENGTHS.name }) },
    notAnObject,
  ),
  { name: 1 },
)
  .superRefine(follows(({ name }) => keyNameProblem(name)))
  .transform(({ name }) => ({ name: name as string }))

export const permission = requires(
  z.object({
    user_id: text('user_id').transform((id) => id ?? ''),
    permission_type: z.enum(PERMISSION_TYPES, {
      error: `permission_type must be ${PERMISSION_TYPES.slice(0, -1).join(', ')} or ${PERMISSION_TYPES.at(-1)}`,
    }),
    expires_at: text('expires_at').openapi({
      description: 'ISO 8601; without an offset in TIMEZONE; null never expires',
    }),
  }),
  { user_id: 1 },
)
