import { useState } from 'react'
import { TextField } from '#components/field.tsx'
import { placeProblem } from '#components/login-fields.ts'
import { BackToOptions, MainButton, Refusal } from '#components/login-parts.tsx'
import { sendOtpProblem } from '#domain/registration.ts'
import { type LoginFormProps, type SentOtp, sendRegistrationOtp } from '#islands/_login.ts'
import { StepForm } from '#islands/_login-step.tsx'
import { VerifyEmail } from '#islands/_login-verify.tsx'
import { useSubmit } from '#islands/_submit.ts'

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
