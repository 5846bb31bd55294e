import { createRoute, z } from '@hono/zod-openapi'
import { register, sendRegistrationOtp, sentOtpMessage } from '#actions/accounts/registration.ts'
import { toUserView, user } from '#actions/accounts/view.ts'
import { registrationForm, sendOtpForm } from '#routes/_http/account-forms.ts'
import { answer, apiRouter, jsonBody, problems } from '#routes/_http/schema.ts'

const sentOtp = z.object({
  message: z.string(),
  test_mode: z.boolean(),
  test_otp: z.string().optional(),
  expires_in: z.int().openapi({ description: 'seconds' }),
})

const sendOtp = createRoute({
  method: 'post',
  path: '/send-otp',
  request: { body: jsonBody(sendOtpForm) },
  responses: { 200: answer('An OTP is on its way', sentOtp), ...problems(400, 429, 503) },
})

const verifyOtp = createRoute({
  method: 'post',
  path: '/verify-otp',
  request: { body: jsonBody(registrationForm) },
  responses: {
    201: answer('Registered and signed in', z.object({ session_id: z.string(), user })),
    ...problems(400, 409, 503),
  },
})

export const registration = apiRouter()
  .openapi(sendOtp, async (c) => {
    const sent = await sendRegistrationOtp(c, c.req.valid('json'))
    const body = {
      message: sentOtpMessage(sent),
      test_mode: sent.testOtp !== undefined,
      test_otp: sent.testOtp,
      expires_in: sent.secondsLeft,
    }
    return c.json(body, 200)
  })
  .openapi(verifyOtp, async (c) => {
    const { account, bearerToken } = await register(c, c.req.valid('json'))
    const user = await toUserView(c.var.deps.db, account)
    return c.json({ session_id: bearerToken, user }, 201)
  })
