import { z } from '@hono/zod-openapi'
import { keyNameProblem } from '#domain/accounts/api-key.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import { PERMISSION_TYPES } from '#domain/accounts/permission.ts'
import {
  contactProblem,
  loginProblem,
  otpProblem,
  passwordProblem,
  registrationProblem,
  resetPasswordProblem,
  sendOtpProblem,
} from '#domain/accounts/registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { follows, notAnObject, secret, text } from '#routes/_http/schema.ts'

/** Only a page's form has one; calls of the API may leave it out. */
export const confirm_password = z.string({ error: 'confirm_password must be text' }).optional()

export const sendOtpForm = z
  .object({ email: text('email') })
  .transform(({ email }) => ({ email: normalizeEmail(email ?? '') }))
  .superRefine(follows(({ email }) => sendOtpProblem(email)))

export const registrationForm = z
  .object({
    email: text('email'),
    name: text('name', LENGTHS.name),
    password: secret('password'),
    confirm_password,
    otp: text('otp'),
  })
  .transform((form) => ({
    email: normalizeEmail(form.email ?? ''),
    name: form.name ?? '',
    password: form.password,
    confirmPassword: form.confirm_password,
    otp: form.otp ?? '',
  }))
  .superRefine(follows((form) => sendOtpProblem(form.email) ?? registrationProblem(form)))

export const loginForm = z
  .object({ contact: text('contact'), password: secret('password') })
  .transform(({ contact, password }) => ({ contact: contact ?? '', password }))
  .superRefine(follows(loginProblem))

export const contactForm = z
  .object({ contact: text('contact') })
  .transform(({ contact }) => ({ contact: contact ?? '' }))
  .superRefine(follows(({ contact }) => contactProblem(contact)))

export const loginOtpForm = z
  .object({ contact: text('contact'), otp: text('otp') })
  .transform(({ contact, otp }) => ({ contact: contact ?? '', otp: otp ?? '' }))
  .superRefine(follows(({ contact, otp }) => contactProblem(contact) ?? otpProblem(otp)))

/** A new password by the OTP of a contact, or by a link alone. */
export const resetPasswordForm = z
  .object({
    token: text('token').openapi({ description: 'of a reset link, in place of contact and otp' }),
    contact: text('contact'),
    otp: text('otp'),
    password: secret('password'),
    confirm_password,
  })
  .transform((form) => ({
    token: form.token,
    contact: form.contact ?? '',
    otp: form.otp ?? '',
    password: form.password,
    confirmPassword: form.confirm_password,
  }))
  .superRefine(follows((form) => (form.token ? passwordProblem(form) : resetPasswordProblem(form))))

export const newApiKey = z
  .object({ name: text('Name', Number.POSITIVE_INFINITY) }, notAnObject)
  .openapi({ required: ['name'] })
  .superRefine(follows(({ name }) => keyNameProblem(name)))
  .transform(({ name }) => ({ name: name as string }))

export const permission = z.object({
  user_id: text('user_id').transform((id) => id ?? ''),
  permission_type: z.enum(PERMISSION_TYPES, {
    error: `permission_type must be ${PERMISSION_TYPES.slice(0, -1).join(', ')} or ${PERMISSION_TYPES.at(-1)}`,
  }),
  expires_at: text('expires_at').openapi({
    description: 'ISO 8601; without an offset it is the time in TIMEZONE; null is for good',
  }),
})
