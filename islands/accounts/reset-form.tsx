import { placeProblem } from '#components/accounts/login-fields.ts'
import { MainButton, PasswordFields, Refusal } from '#components/accounts/login-parts.tsx'
import { passwordProblem } from '#domain/accounts/registration.ts'
import { callApi } from '#islands/_api.ts'
import { useSubmit } from '#islands/_submit.ts'
import { leaveTo } from '#islands/accounts/_login.ts'

/** Sets the password that a link allows to set. */
export function ResetForm({ token, problem: found }: { token: string; problem?: string }) {
  const { form, busy, problem, onSubmit } = useSubmit(
    {
      main: {
        check: ({ password = '', confirm_password = '' }) =>
          passwordProblem({ password, confirmPassword: confirm_password }),
        send: async ({ password }) => {
          await callApi('POST', '/auth/reset-password', { token, password })
          await leaveTo('/login?mode=password&reset=true')
        },
        fallback: 'Failed to set the password',
      },
    },
    found,
  )
  const { at, elsewhere } = placeProblem(problem, ['password', 'confirm_password'])
  return (
    <form
      ref={form}
      className="sheet stack"
      method="post"
      action="/reset-password"
      noValidate
      onSubmit={onSubmit}
    >
      <h1>Set a New Password</h1>
      <p className="soft">Every device that is signed in with the old one is signed out.</p>
      <Refusal>{elsewhere}</Refusal>
      <input type="hidden" name="token" value={token} />
      <PasswordFields labels={['New Password', 'Confirm Password']} errors={at} />
      <MainButton busy={busy !== undefined} busyLabel="Setting...">
        Set Password
      </MainButton>
    </form>
  )
}
