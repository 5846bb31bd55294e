import { Plate } from '#components/codes/plate.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { Outcome } from '#components/ui/outcome.tsx'

type QrReplaceProps = {
  vehicle_registration: string | null
  qr_id_text: string
  action: string
  message?: string | undefined
}

/** Asks before a code gets a new id, and says what becomes of the old one. */
export function QrReplace({ vehicle_registration, qr_id_text, action, message }: QrReplaceProps) {
  return (
    <FormDialog
      title="Replace this tag?"
      submit="Replace"
      busy="Replacing..."
      action={action}
      failed="Failed to replace the QR code"
    >
      <Outcome text={message} isRefused />
      <div className="row">
        {vehicle_registration && <Plate registration={vehicle_registration} />}
        <code>{qr_id_text}</code>
      </div>
      <p>For a tag that is lost for good. You get a new QR code to print.</p>
      <ul>
        <li>Your details, documents, PIN, scans and messages stay with it.</li>
        <li>
          Whoever scans the old tag reads “This tag was replaced”. They can write to you, and see
          none of your details.
        </li>
        <li>Scans of the old tag are marked in Analytics.</li>
      </ul>
      <Note tone="warn">This cannot be undone: the old tag never shows your details again.</Note>
    </FormDialog>
  )
}
