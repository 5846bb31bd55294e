import { CopyButton } from '#components/forms/copy.tsx'
import { TextField } from '#components/forms/field.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'

type SecretDialogProps = {
  title: string
  /** what the secret is called */
  label: string
  secret: string
}

/** Shows a secret that was made, this once. */
export function SecretDialog({ title, label, secret }: SecretDialogProps) {
  return (
    <Dialog title={title} open>
      <DialogBody>
        <Note tone="warn">Copy it now: it is not shown again.</Note>
        <TextField
          label={label}
          id="secret"
          name="secret"
          defaultValue={secret}
          readOnly
          dir="ltr"
        />
      </DialogBody>
      <DialogFoot>
        <DialogCancel>Done</DialogCancel>
        <CopyButton name={label} from="secret" look="btn btn-main" icon="link" />
      </DialogFoot>
    </Dialog>
  )
}
