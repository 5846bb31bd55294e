import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import type { Catalogue } from '#locales/catalogue.ts'

/** The id of its form. */
export const FORGOT_FORM = 'child-forgot'

type ChildForgotProps = {
  qr_id: string
  /** as it was typed */
  contact: string | undefined
  problem: string | undefined
  words: Catalogue
}

/** Asks a code's owner for a new password. */
export function ChildForgot({ qr_id, contact, problem, words }: ChildForgotProps) {
  const { child, page } = words
  return (
    <FormDialog
      id={FORGOT_FORM}
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
        defaultValue={contact}
        error={problem}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
      />
    </FormDialog>
  )
}

/** Says that the owner was asked. A script says the second sentence later. */
export function AskedForReset({ words: { child } }: { words: Catalogue }) {
  return (
    <Note tone="go" data-outcome="done" data-later={child.askedLater}>
      {`${child.asked} ${child.askedLater}`}
    </Note>
  )
}
