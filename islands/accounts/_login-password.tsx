import { placeProblem } from '#components/accounts/login-fields.ts'
import { BackToOptions, MainButton, Refusal } from '#components/accounts/login-parts.tsx'
import { TextField } from '#components/ui/field.tsx'
import { loginProblem } from '#domain/accounts/registration.ts'
import { callApi } from '#islands/_api.ts'
import { useSubmit } from '#islands/_submit.ts'
import { enterDashboard, type LoginFormProps } from '#islands/accounts/_login.ts'
import { StepForm } from '#islands/accounts/_login-step.tsx'

export function PasswordForm({ values, problem }: LoginFormProps) {
  const submitting = useSubmit(
    {
      main: {
        check: ({ contact = '', password = '' }) => loginProblem({ contact, password }),
        send: async ({ contact, password }) => {
          const payload = { contact, password }
          const answer = await callApi<{ session_token: string }>('POST', '/auth/login', payload)
          await enterDashboard(answer.session_token, 'Login successful!')
        },
        fallback: 'Invalid email or password',
      },
    },
    problem,
  )
  const { at, elsewhere } = placeProblem(submitting.problem, ['contact', 'password'])
  return (
    <StepForm mode="password" submitting={submitting}>
      <h1>Login</h1>
      <Refusal>{elsewhere}</Refusal>
      <TextField
        label="Email or Mobile Number"
        name="contact"
        defaultValue={values.contact}
        error={at.contact}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
      />
      <TextField
        label="Password"
        name="password"
        type="password"
        error={at.password}
        autoComplete="current-password"
      />
      <MainButton busy={submitting.busy === 'main'} busyLabel="Logging in...">
        Login
      </MainButton>
      <a className="btn btn-quiet btn-block" href="/login?mode=code">
        Email me a one-time code instead
      </a>
      <a className="btn btn-quiet btn-block" href="/login?mode=forgot">
        Forgot Password?
      </a>
      <BackToOptions />
    </StepForm>
  )
}
