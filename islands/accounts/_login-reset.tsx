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
import { resetPasswordProblem } from '#domain/accounts/registration.ts'
import { callApi } from '#islands/_api.ts'
import { useCountdown } from '#islands/_countdown.ts'
import { useSubmit } from '#islands/_submit.ts'
import { leaveTo, type OtpStepProps, sendRecoveryOtp } from '#islands/accounts/_login.ts'
import { SentOtpState, StepForm, StepTitle } from '#islands/accounts/_login-step.tsx'

export function ResetPassword(props: OtpStepProps) {
  const { contact, values } = props
  const [sent, setSent] = useState(props.sent)
  const left = useCountdown(sent)
  const submitting = useSubmit(
    {
      main: {
        check: ({ password = '', confirm_password = '', otp = '' }) =>
          resetPasswordProblem({ contact, password, confirmPassword: confirm_password, otp }),
        send: async ({ password, otp }) => {
          await callApi('POST', '/auth/reset-password', { contact, otp, password })
          await leaveTo('/login?mode=password&reset=true')
        },
        fallback: 'Failed to verify OTP',
      },
      resend: {
        check: () => undefined,
        send: async () => setSent(await sendRecoveryOtp('forgot', contact)),
        fallback: 'Failed to send OTP',
      },
    },
    props.problem,
  )
  const { busy, problem } = submitting
  const { at, elsewhere } = placeProblem(problem, ['password', 'confirm_password', 'otp'])
  return (
    <StepForm mode="forgot" submitting={submitting}>
      <StepTitle>Set a New Password</StepTitle>
      <SentTo contact={contact} />
      <input type="hidden" name="contact" value={contact} />
      <SentOtpState sent={sent} form={submitting.form} />
      <Refusal>{elsewhere}</Refusal>
      <PasswordFields labels={['New Password', 'Confirm Password']} errors={at} />
      <OtpField error={at.otp} value={values.otp} />
      <Countdown seconds={left} />
      <MainButton busy={busy === 'main'} disabled={busy !== undefined} busyLabel="Verifying...">
        Set Password
      </MainButton>
      <ResendButton busy={busy === 'resend'} disabled={busy !== undefined || left > 0} />
      <BackToOptions />
    </StepForm>
  )
}
