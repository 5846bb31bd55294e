import { Plate } from '#components/codes/plate.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { LOST_LENGTHS } from '#domain/codes/lost.ts'

type QrLostProps = {
  vehicle_registration: string | null
  qr_id_text: string
  /** the child user who is alerted of its scans; null when the signed-in user is alerted */
  child_name: string | null
  action: string
  /** the typed fields of a refused form, and its problem */
  typed?: Record<string, unknown>
  message?: string | undefined
}

/** Renders the dialog that marks a code as lost. */
export function QrLost(props: QrLostProps) {
  const { vehicle_registration, qr_id_text, child_name, action, typed = {}, message } = props
  const submit = (
    <>
      <Icon name="lost" />
      Mark as lost
    </>
  )
  return (
    <FormDialog
      title="Mark as lost"
      submit={submit}
      action={action}
      quiet
      failed="Failed to mark the QR code as lost"
    >
      <Outcome text={message} isRefused />
      <div className="row">
        {vehicle_registration ? (
          <Plate registration={vehicle_registration} />
        ) : (
          <code>{qr_id_text}</code>
        )}
      </div>
      <input type="hidden" name="lost" value="1" />
      <TextAreaField
        label="What should a finder know?"
        hint="Shown above everything on the contact page."
        name="note"
        rows={3}
        maxLength={LOST_LENGTHS.note}
        defaultValue={String(typed.note ?? '')}
        optional
      />
      <TextField
        label="Reward"
        hint="The page adds: Nobody is asked to pay anything here."
        name="reward"
        maxLength={LOST_LENGTHS.reward}
        defaultValue={String(typed.reward ?? '')}
        optional
      />
      <Note icon="bell">
        {`Every scan alerts ${child_name ?? 'you'} at once, also in quiet hours, until you choose Found again. `}
        Analytics lists the scans of that time apart.
      </Note>
    </FormDialog>
  )
}
