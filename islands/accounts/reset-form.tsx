import { placeProblem } from '#components/accounts/login-fields.ts'
import { MainButton, PasswordFields } from '#components/accounts/login-parts.tsx'
import type { Problem } from '#components/forms/place-problem.ts'
import { Refusal, Said } from '#components/ui/outcome.tsx'
import { passwordProblem } from '#domain/accounts/registration.ts'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import type { RefusalTexts } from '#locales/refusal.ts'

type ResetFormProps = {
  token: string
  problem?: Problem | undefined
  words: Pick<Catalogue, 'reset' | 'password'>
  texts: RefusalTexts
}

/** Sets the password that a link allows to set. */
export function ResetForm(props: ResetFormProps) {
  const { words } = props
  const { reset, password } = words
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
      data-failed={reset.failed}
      data-refused="{detail}"
      data-next="/login?mode=password&reset=true"
      onSubmit={onSubmit}
    >
      <h1>{reset.title}</h1>
      <p className="soft">{reset.signsOut}</p>
      <Said />
      <Refusal>{elsewhere}</Refusal>
      <input type="hidden" name="token" value={props.token} />
      <PasswordFields
        labels={[password.new, password.confirm]}
        hint={password.hint}
        errors={at}
        peek={password}
      />
      <MainButton busyLabel={reset.busy}>{reset.submit}</MainButton>
    </form>
  )
}
