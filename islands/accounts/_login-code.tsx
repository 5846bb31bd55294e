import { useState } from 'react'
import { placeProblem } from '#components/accounts/login-fields.ts'
import {
  BackToOptions,
  Countdown,
  MainButton,
  OtpField,
  Refusal,
  ResendButton,
  SentTo,
} from '#components/accounts/login-parts.tsx'
import { otpProblem } from '#domain/accounts/registration.ts'
import { callApi } from '#islands/_api.ts'
import { useCountdown } from '#islands/_countdown.ts'
import { useSubmit } from '#islands/_submit.ts'
import { enterDashboard, type OtpStepProps, sendRecoveryOtp } from '#islands/accounts/_login.ts'
import { SentOtpState, StepForm, StepTitle } from '#islands/accounts/_login-step.tsx'

export function CodeLogin(props: OtpStepProps) {
  const { contact, values } = props
  const [sent, setSent] = useState(props.sent)
  const left = useCountdown(sent)
  const submitting = useSubmit(
    {
      main: {
        check: ({ otp = '' }) => otpProblem(otp),
        send: async ({ otp }) => {
          const payload = { contact, otp }
          const answer = await callApi<{ session_token: string }>(
            'POST',
            '/auth/login-otp',
            payload,
          )
          await enterDashboard(answer.session_token, 'Login successful!')
        },
        fallback: 'Failed to verify OTP',
      },
      resend: {
        check: () => undefined,
        send: async () => setSent(await sendRecoveryOtp('code', contact)),
        fallback: 'Failed to send OTP',
      },
    },
    props.problem,
  )
  const { busy, problem } = submitting
  const { at, elsewhere } = placeProblem(problem, ['otp'])
  return (
    <StepForm mode="code" submitting={submitting}>
      <StepTitle>Login with Email OTP</StepTitle>
      <SentTo contact={contact} />
      <input type="hidden" name="contact" value={contact} />
      <SentOtpState sent={sent} form={submitting.form} />
      <Refusal>{elsewhere}</Refusal>
      <OtpField error={at.otp} value={values.otp} />
      <Countdown seconds={left} />
      <MainButton busy={busy === 'main'} disabled={busy !== undefined} busyLabel="Logging in...">
        Login
      </MainButton>
      <ResendButton busy={busy === 'resend'} disabled={busy !== undefined || left > 0} />
      <BackToOptions />
    </StepForm>
  )
}
