import { z } from '@hono/zod-openapi'
import { toUserView } from '#actions/accounts/view.ts'
import { askEmailOtp, verifyNewEmail } from '#routes/_http/accounts/account.ts'
import { emailOtp, sendOtpForm } from '#routes/_http/accounts/forms.ts'
import { showsOneTimeCodes } from '#routes/_http/local-request.ts'
import { answer, apiRouter, jsonBody, problems } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { sentOtp, user } from '#routes/api/accounts/_account-schema.ts'
import { asHolder } from '#routes/api/accounts/_as-holder.ts'

const send = apiCall({
  ...asHolder,
  operationId: 'sendEmailOtp',
  summary: 'Mail a one-time code to a new email address',
  method: 'post',
  path: '/',
  request: { body: jsonBody(sendOtpForm, { email: 'asha@example.in' }) },
  responses: { 200: answer('The same whether the address is free or not', sentOtp) },
})

const verify = apiCall({
  ...asHolder,
  operationId: 'changeEmail',
  summary: 'Change your email address with the one-time code',
  method: 'post',
  path: '/verify',
  request: { body: jsonBody(emailOtp, { otp: '123456' }) },
  responses: {
    200: answer('Changed; the earlier address can take it back for 72 hours', z.object({ user })),
    ...problems(409),
  },
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
