import { useState } from 'react'
import { placeProblem } from '#components/accounts/login-fields.ts'
import { BackToOptions, MainButton, Refusal } from '#components/accounts/login-parts.tsx'
import { TextField } from '#components/ui/field.tsx'
import { sendOtpProblem } from '#domain/accounts/registration.ts'
import { useSubmit } from '#islands/_submit.ts'
import { type LoginFormProps, type SentOtp, sendRegistrationOtp } from '#islands/accounts/_login.ts'
import { StepForm } from '#islands/accounts/_login-step.tsx'
import { VerifyEmail } from '#islands/accounts/_login-verify.tsx'

export function RegisterForm({ values, problem, sent }: LoginFormProps) {
  const [sentTo, setSentTo] = useState(sent && { email: values.email ?? '', sent })
  return sentTo ? (
    <VerifyEmail {...sentTo} values={values} problem={problem} />
  ) : (
    <CreateAccount email={values.email ?? ''} problem={problem} onSent={setSentTo} />
  )
}

function CreateAccount(props: {
  email: string
  problem: string | undefined
  onSent: (sentTo: { email: string; sent: SentOtp }) => void
}) {
  const submitting = useSubmit(
    {
      main: {
        check: ({ email = '' }) => sendOtpProblem(email),
        send: async ({ email = '' }) =>
          props.onSent({ email: email.trim(), sent: await sendRegistrationOtp(email) }),
        fallback: 'Failed to send OTP',
      },
    },
    props.problem,
  )
  const { at, elsewhere } = placeProblem(submitting.problem, ['email'])
  return (
    <StepForm mode="register" submitting={submitting}>
      <p className="step">Step 1 of 2</p>
      <h1>Create Account</h1>
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Email"
        hint="We send a 6-digit OTP to this address."
        name="email"
        type="email"
        defaultValue={props.email}
        error={at.email}
        autoComplete="email"
      />
      <MainButton busy={submitting.busy === 'main'} busyLabel="Sending OTP...">
        Send OTP
      </MainButton>
      <BackToOptions />
    </StepForm>
  )
}
