import { useState } from 'react'
import { placeProblem } from '#components/accounts/login-fields.ts'
import {
  BackToOptions,
  Countdown,
  MainButton,
  OtpField,
  PasswordFields,
  Refusal,
  ResendButton,
  SentTo,
} from '#components/accounts/login-parts.tsx'
import { TextField } from '#components/ui/field.tsx'
import { registrationProblem } from '#domain/accounts/registration.ts'
import { LENGTHS } from '#domain/text.ts'
import { callApi } from '#islands/_api.ts'
import { useCountdown } from '#islands/_countdown.ts'
import { useSubmit } from '#islands/_submit.ts'
import { enterDashboard, type SentOtp, sendRegistrationOtp } from '#islands/accounts/_login.ts'
import { SentOtpState, StepForm, StepTitle } from '#islands/accounts/_login-step.tsx'

export function VerifyEmail(props: {
  email: string
  sent: SentOtp
  values: Record<string, string>
  problem: string | undefined
}) {
  const { email, values } = props
  const [sent, setSent] = useState(props.sent)
  const left = useCountdown(sent)
  const submitting = useSubmit(
    {
      main: {
        check: ({ name = '', password = '', confirm_password = '', otp = '' }) =>
          registrationProblem({ name, password, confirmPassword: confirm_password, otp }),
        send: async ({ name, password, otp }) => {
          const payload = { email, name, password, otp }
          const answer = await callApi<{ session_id: string }>('POST', '/auth/verify-otp', payload)
          await enterDashboard(answer.session_id, 'Registration completed successfully!')
        },
        fallback: 'Failed to verify OTP',
      },
      resend: {
        check: () => undefined,
        send: async () => setSent(await sendRegistrationOtp(email)),
        fallback: 'Failed to send OTP',
      },
    },
    props.problem,
  )
  const { busy, problem } = submitting
  const { at, elsewhere } = placeProblem(problem, ['name', 'password', 'confirm_password', 'otp'])
  return (
    <StepForm mode="register" submitting={submitting}>
      <p className="step">Step 2 of 2</p>
      <StepTitle>Verify Email</StepTitle>
      <SentTo contact={email} />
      <input type="hidden" name="email" value={email} />
      <SentOtpState sent={sent} form={submitting.form} />
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Full Name"
        name="name"
        defaultValue={values.name}
        error={at.name}
        maxLength={LENGTHS.name}
        autoComplete="name"
      />
      <PasswordFields labels={['Password', 'Confirm Password']} errors={at} />
      <OtpField error={at.otp} value={values.otp} />
      <Countdown seconds={left} />
      <MainButton busy={busy === 'main'} disabled={busy !== undefined} busyLabel="Verifying...">
        {'Verify & Register'}
      </MainButton>
      <ResendButton busy={busy === 'resend'} disabled={busy !== undefined || left > 0} />
      <BackToOptions />
    </StepForm>
  )
}
