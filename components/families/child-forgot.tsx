import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/ui/form-dialog.tsx'

type ChildForgotProps = { qr_id: string; problem: string | undefined }

/** Asks a code's owner for a new password. */
export function ChildForgot({ qr_id, problem }: ChildForgotProps) {
  return (
    <FormDialog
      title="Forgot Password"
      submit="Send request"
      action={`/child-register?qr=${qr_id}&forgot=1`}
      noValidate
      failed="Failed to submit password reset request"
      refused="{detail}"
    >
      <p className="soft">Your request goes to the owner of this QR code for approval.</p>
      <TextField
        label="Email or Mobile Number"
        name="contact"
        error={problem}
        inputMode="email"
        autoComplete="username"
        autoCapitalize="none"
      />
    </FormDialog>
  )
}
