import { placeProblem } from '#components/accounts/login-fields.ts'
import { MainButton, PasswordFields, Refusal } from '#components/accounts/login-parts.tsx'
import { passwordProblem } from '#domain/accounts/registration.ts'
import { useCheckedForm } from '#islands/ui/_checked-form.ts'
import type { Catalogue } from '#locales/catalogue.ts'
import { formatRefusal, type RefusalTexts } from '#locales/format.ts'

type ResetFormProps = {
  token: string
  problem?: string
  words: RefusalTexts & Pick<Catalogue, 'reset' | 'password'>
}

/** Sets the password that a link allows to set. */
export function ResetForm(props: ResetFormProps) {
  const { words } = props
  const { reset, password } = words
  const say = (sentence: string) => formatRefusal(words, sentence)
  const { form, problem, onSubmit } = useCheckedForm(
    props,
    ({ password = '', confirm_password = '' }) =>
      passwordProblem({ password, confirmPassword: confirm_password }),
    say,
  )
  const { at, elsewhere } = placeProblem(problem, ['password', 'confirm_password'], say)
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
      <Refusal>{elsewhere}</Refusal>
      <input type="hidden" name="token" value={props.token} />
      <PasswordFields labels={[password.new, password.confirm]} hint={password.hint} errors={at} />
      <MainButton busyLabel={reset.busy}>{reset.submit}</MainButton>
    </form>
  )
}
