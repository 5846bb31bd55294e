import { placeProblem } from '#components/accounts/login-fields.ts'
import { MainButton, PasswordFields, Refusal } from '#components/accounts/login-parts.tsx'
import { passwordProblem } from '#domain/accounts/registration.ts'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'

/** Sets the password that a link allows to set. */
export function ResetForm(props: { token: string; problem?: string }) {
  const { form, problem, onSubmit } = useCheckedForm(
    props,
    ({ password = '', confirm_password = '' }) =>
      passwordProblem({ password, confirmPassword: confirm_password }),
  )
  const { at, elsewhere } = placeProblem(problem, ['password', 'confirm_password'])
  return (
    <form
      ref={form}
      className="sheet stack"
      method="post"
      action="/reset-password"
      noValidate
      data-enhance
      data-failed="Failed to set the password"
      data-refused="{detail}"
      data-next="/login?mode=password&reset=true"
      onSubmit={onSubmit}
    >
      <h1>Set a New Password</h1>
      <p className="soft">Every device that is signed in with the old one is signed out.</p>
      <Refusal>{elsewhere}</Refusal>
      <input type="hidden" name="token" value={props.token} />
      <PasswordFields labels={['New Password', 'Confirm Password']} errors={at} />
      <MainButton busyLabel="Setting...">Set Password</MainButton>
    </form>
  )
}
