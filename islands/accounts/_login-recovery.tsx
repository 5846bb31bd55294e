import { useState } from 'react'
import { placeProblem } from '#components/accounts/login-fields.ts'
import { BackToOptions, MainButton, Refusal } from '#components/accounts/login-parts.tsx'
import { TextField } from '#components/ui/field.tsx'
import { contactProblem } from '#domain/accounts/registration.ts'
import { useSubmit } from '#islands/_submit.ts'
import { type LoginFormProps, type SentOtp, sendRecoveryOtp } from '#islands/accounts/_login.ts'
import { CodeLogin } from '#islands/accounts/_login-code.tsx'
import { ResetPassword } from '#islands/accounts/_login-reset.tsx'
import { StepForm } from '#islands/accounts/_login-step.tsx'

type Recovery = { mode: 'code' | 'forgot'; values: Record<string, string>; problem?: string }

/** The two ways in by an OTP: a login without password, and a new password. */
export function RecoveryForm({ mode, values, problem, sent }: LoginFormProps & Recovery) {
  const [sentTo, setSentTo] = useState(sent && { contact: values.contact ?? '', sent })
  if (!sentTo) return <AskForOtp mode={mode} values={values} problem={problem} onSent={setSentTo} />
  const step = { ...sentTo, values, problem }
  return mode === 'code' ? <CodeLogin {...step} /> : <ResetPassword {...step} />
}

function AskForOtp({
  onSent,
  ...props
}: Recovery & { onSent: (sentTo: { contact: string; sent: SentOtp }) => void }) {
  const { mode, values } = props
  const submitting = useSubmit(
    {
      main: {
        check: ({ contact = '' }) => contactProblem(contact),
        send: async ({ contact = '' }) =>
          onSent({ contact: contact.trim(), sent: await sendRecoveryOtp(mode, contact) }),
        fallback: 'Failed to send OTP',
      },
    },
    props.problem,
  )
  const { at, elsewhere } = placeProblem(submitting.problem, ['contact'])
  return (
    <StepForm mode={mode} submitting={submitting}>
      <h1>{mode === 'code' ? 'Login with Email OTP' : 'Forgot Password'}</h1>
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Email or Mobile Number"
        hint="We send a 6-digit OTP to the email address of your account."
        name="contact"
        defaultValue={values.contact}
        error={at.contact}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
      />
      <p className="small soft">
        An account with a mobile number alone gets no OTP. Scan your QR code and choose Forgot
        Password there: the QR owner approves a new password.
      </p>
      <MainButton busy={submitting.busy === 'main'} busyLabel="Sending OTP...">
        Send OTP
      </MainButton>
      <BackToOptions />
    </StepForm>
  )
}
