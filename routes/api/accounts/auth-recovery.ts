import { z } from '@hono/zod-openapi'
import { toAnyHow } from '#actions/accounts/view.ts'
import { contactForm, loginOtpForm, resetPasswordForm } from '#routes/_http/accounts/forms.ts'
import { askRecoveryOtp, setPasswordByOtp, signInByOtp } from '#routes/_http/accounts/recovery.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { setPasswordByLink } from '#routes/_http/families/reset-links.ts'
import { showsOneTimeCodes } from '#routes/_http/local-request.ts'
import { answer, apiRouter, jsonBody } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { signedIn } from '#routes/api/accounts/_account-schema.ts'

const success = z.object({ success: z.literal(true) })

const sentOtp = success.extend({
  test_mode: z.literal(true).optional(),
  test_otp: z.string().optional(),
})

const sendLoginOtp = apiCall({
  operationId: 'sendLoginOtp',
  summary: 'Mail a one-time code for signing in',
  subject: 'Accounts',
  security: [],
  method: 'post',
  path: '/send-login-otp',
  request: { body: jsonBody(contactForm, { contact: 'asha@example.in' }) },
  responses: { 200: answer('The same for every contact', sentOtp) },
})

const loginOtp = apiCall({
  operationId: 'logInWithOtp',
  summary: 'Sign in with the one-time code',
  subject: 'Accounts',
  security: [],
  method: 'post',
  path: '/login-otp',
  request: { body: jsonBody(loginOtpForm, { contact: 'asha@example.in', otp: '123456' }) },
  responses: { 200: answer('Signed in', signedIn) },
})

const forgotPassword = apiCall({
  operationId: 'sendPasswordOtp',
  summary: 'Mail a one-time code for setting a password',
  subject: 'Accounts',
  security: [],
  method: 'post',
  path: '/forgot-password',
  request: { body: jsonBody(contactForm, { contact: 'asha@example.in' }) },
  responses: { 200: answer('The same for every contact', sentOtp) },
})

const resetPassword = apiCall({
  operationId: 'resetPassword',
  summary: 'Set a new password',
  subject: 'Accounts',
  security: [],
  method: 'post',
  path: '/reset-password',
  request: {
    body: jsonBody(resetPasswordForm, {
      contact: 'asha@example.in',
      otp: '123456',
      password: 'correct horse',
    }),
  },
  responses: {
    200: answer('The password is changed, and every session of the account has ended', success),
  },
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
