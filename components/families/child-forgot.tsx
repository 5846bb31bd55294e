import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import type { Catalogue } from '#domain/languages/en.ts'

type ChildForgotProps = { qr_id: string; problem: string | undefined; words: Catalogue }

/** Asks a code's owner for a new password. */
export function ChildForgot({ qr_id, problem, words }: ChildForgotProps) {
  const { child, page } = words
  return (
    <FormDialog
      title={child.forgot}
      submit={child.ask}
      cancel={page.cancel}
      close={page.close}
      action={`/child-register?qr=${qr_id}&forgot=1`}
      noValidate
      failed={child.askFailed}
      refused="{detail}"
    >
      <p className="soft">{child.forgotText}</p>
      <TextField
        label={child.emailOrMobile}
        name="contact"
        error={problem}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
      />
    </FormDialog>
  )
}
