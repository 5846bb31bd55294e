import { Plate } from '#components/codes/plate.tsx'
import { TextAreaField, TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { LOST_LENGTHS } from '#domain/codes/lost.ts'

type NamedProps = FormState & {
  vehicle_registration: string | null
  qr_id_text: string
}

type QrLostProps = NamedProps & {
  /** the child user who is alerted of its scans; null when the signed-in user is alerted */
  child_name: string | null
  /** the typed fields of a refused form */
  typed?: Record<string, unknown>
}

/** Renders the dialog that marks a code as lost. */
export function QrLost(props: QrLostProps) {
  const { vehicle_registration, qr_id_text, child_name, typed = {}, ...form } = props
  return (
    <FormDialog
      {...form}
      title="Mark as lost"
      submit="Mark as lost"
      icon="lost"
      quiet
      failed="Failed to mark the QR code as lost"
    >
      <Name vehicle_registration={vehicle_registration} qr_id_text={qr_id_text} />
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
        Analytics shows these scans apart.
      </Note>
    </FormDialog>
  )
}

function Name({ vehicle_registration: plate, qr_id_text }: Omit<NamedProps, 'action'>) {
  return (
    <div className="row">{plate ? <Plate registration={plate} /> : <code>{qr_id_text}</code>}</div>
  )
}

/** Renders the dialog that ends the lost time of a code. */
export function QrFound({ vehicle_registration, qr_id_text, ...form }: NamedProps) {
  return (
    <FormDialog
      {...form}
      title="Found again?"
      cancel="Still lost"
      submit="Found again"
      icon="check"
      failed="Failed to update QR code"
    >
      <Name vehicle_registration={vehicle_registration} qr_id_text={qr_id_text} />
      <input type="hidden" name="lost" value="0" />
      <p>Finders no longer read that it is lost.</p>
    </FormDialog>
  )
}
