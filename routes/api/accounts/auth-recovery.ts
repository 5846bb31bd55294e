import { z } from '@hono/zod-openapi'
import { toAnyHow } from '#actions/accounts/view.ts'
import { contactForm, loginOtpForm, resetPasswordForm } from '#routes/_http/accounts/forms.ts'
import {
  askRecoveryOtp,
  setPasswordByLink,
  setPasswordByOtp,
  signInByOtp,
} from '#routes/_http/accounts/recovery.ts'
import { showsOneTimeCodes } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { signedIn } from '#routes/api/accounts/_account-schema.ts'

const call = publicCalls('Accounts')

const success = z.object({ success: z.literal(true) })

const sentOtp = success.extend({
  test_mode: z.literal(true).optional(),
  test_otp: z.string().optional(),
})

const sendLoginOtp = call('sendLoginOtp', 'Mail a one-time code for signing in', {
  post: '/send-login-otp',
  body: jsonBody(contactForm, { contact: 'asha@example.in' }),
  200: answer('The same for every contact', sentOtp),
})

const loginOtp = call('logInWithOtp', 'Sign in with the one-time code', {
  post: '/login-otp',
  body: jsonBody(loginOtpForm, { contact: 'asha@example.in', otp: '123456' }),
  200: answer('Signed in', signedIn),
})

const forgotPassword = call('sendPasswordOtp', 'Mail a one-time code for setting a password', {
  post: '/forgot-password',
  body: jsonBody(contactForm, { contact: 'asha@example.in' }),
  200: answer('The same for every contact', sentOtp),
})

const resetPassword = call('resetPassword', 'Set a new password', {
  post: '/reset-password',
  body: jsonBody(resetPasswordForm, {
    contact: 'asha@example.in',
    otp: '123456',
    password: 'correct horse',
  }),
  200: answer('The password is changed, and every session of the account has ended', success),
})

export const recovery = apiRouter()
  .openapi(sendLoginOtp, async (c) => {
    const sent = await askRecoveryOtp(c, 'login', c.req.valid('json'))
    return c.json(toSentOtp(c, sent), 200)
  })
  .openapi(loginOtp, async (c) => {
    return c.json(await toAnyHow(c.var.deps, await signInByOtp(c, c.req.valid('json'))), 200)
  })
  .openapi(forgotPassword, async (c) => {
    const sent = await askRecoveryOtp(c, 'reset', c.req.valid('json'))
    return c.json(toSentOtp(c, sent), 200)
  })
  .openapi(resetPassword, async (c) => {
    const { token, ...form } = c.req.valid('json')
    if (token) await setPasswordByLink(c, { token, password: form.password })
    else await setPasswordByOtp(c, form)
    return c.json({ success: true as const }, 200)
  })

function toSentOtp(
  c: AppContext,
  { testOtp }: { testOtp?: string | undefined },
): z.infer<typeof sentOtp> {
  if (!showsOneTimeCodes(c)) return { success: true }
  return { success: true, test_mode: true, test_otp: testOtp }
}
