import { z } from '@hono/zod-openapi'
import { toUserView } from '#actions/accounts/view.ts'
import { askEmailOtp, verifyNewEmail } from '#routes/_http/accounts/account.ts'
import { emailOtp, sendOtpForm } from '#routes/_http/accounts/forms.ts'
import { showsOneTimeCodes } from '#routes/_http/client-address.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { accountCall } from '#routes/api/accounts/_account-call.ts'
import { sentOtp, user } from '#routes/api/accounts/_account-schema.ts'

const send = accountCall('sendEmailOtp', 'Mail a one-time code to a new email address', {
  post: '/',
  body: jsonBody(sendOtpForm, { email: 'asha@example.in' }),
  200: answer('The same whether the address is free or not', sentOtp),
})

const verify = accountCall('changeEmail', 'Change your email address with the one-time code', {
  post: '/verify',
  body: jsonBody(emailOtp, { otp: '123456' }),
  200: answer('Changed; the earlier address can take it back for 72 hours', z.object({ user })),
  problems: [409],
})

/** The two steps to another address. */
export const accountEmail = apiRouter()
  .openapi(send, async (c) => {
    const { secondsLeft, testOtp } = await askEmailOtp(c, c.req.valid('json').email)
    const sent = { message: 'OTP sent to the new address', expires_in: secondsLeft }
    return c.json({ ...sent, test_mode: showsOneTimeCodes(c), test_otp: testOtp }, 200)
  })
  .openapi(verify, async (c) => {
    const { db, clock } = c.var.deps
    const changed = await verifyNewEmail(c, c.req.valid('json').otp)
    return c.json({ user: await toUserView(db, changed, clock()) }, 200)
  })
