import { z } from '@hono/zod-openapi'
import { toUserView } from '#actions/accounts/view.ts'
import { registrationForm, sendOtpForm } from '#routes/_http/accounts/forms.ts'
import { askRegistrationOtp } from '#routes/_http/accounts/one-time-codes.ts'
import { registerAndSignIn } from '#routes/_http/accounts/sign-in.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { sentOtp, user } from '#routes/api/accounts/_account-schema.ts'

const call = publicCalls('Accounts')

const sendOtp = call('sendOtp', 'Mail a one-time code for registering', {
  post: '/send-otp',
  body: jsonBody(sendOtpForm, { email: 'asha@example.in' }),
  200: answer('The OTP was sent', sentOtp),
})

const verifyOtp = call('registerAccount', 'Register with the one-time code', {
  post: '/verify-otp',
  body: jsonBody(registrationForm, {
    email: 'asha@example.in',
    name: 'Asha Patil',
    password: 'correct horse',
    otp: '123456',
  }),
  201: answer('Registered and signed in', z.object({ session_id: z.string(), user })),
  problems: [409],
})

export const registration = apiRouter()
  .openapi(sendOtp, async (c) => {
    const sent = await askRegistrationOtp(c, c.req.valid('json'))
    const body = {
      message: sentMessage(sent),
      test_mode: sent.testOtp !== undefined,
      test_otp: sent.testOtp,
      expires_in: sent.secondsLeft,
    }
    return c.json(body, 200)
  })
  .openapi(verifyOtp, async (c) => {
    const { account, bearerToken } = await registerAndSignIn(c, c.req.valid('json'))
    const user = await toUserView(c.var.deps.db, account, c.var.deps.clock())
    return c.json({ session_id: bearerToken, user }, 201)
  })

function sentMessage({ testOtp }: { testOtp: string | undefined }): string {
  return testOtp
    ? `OTP Generated: ${testOtp} (Test Mode - No email sent)`
    : 'OTP sent to your email! Please check your inbox.'
}
