import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { TextField } from '#components/ui/field.tsx'

type ChildForgotProps = { qr_id: string; problem: string | undefined }

/** Asks a code's owner for a new password. */
export function ChildForgot({ qr_id, problem }: ChildForgotProps) {
  return (
    <Dialog title="Forgot Password" size="small" open>
      <form
        method="post"
        action={`/child-register?qr=${qr_id}&forgot=1`}
        noValidate
        data-enhance
        data-failed="Failed to submit password reset request"
        data-refused="{detail}"
      >
        <DialogBody>
          <p className="soft">Your request goes to the owner of this QR code for approval.</p>
          <TextField
            label="Email or Mobile Number"
            name="contact"
            error={problem}
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
          />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button className="btn btn-main" type="submit">
            Send request
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
