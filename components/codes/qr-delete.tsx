import { Plate } from '#components/codes/plate.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import type { FormState } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'

type QrDeleteProps = FormState & { qr_id_text: string; vehicle_registration: string | null }

/** Asks before a code is deleted for good, and lists everything that is deleted with it. */
export function QrDelete({ qr_id_text, vehicle_registration, ...form }: QrDeleteProps) {
  return (
    <AskDialog
      {...form}
      title="Delete this QR code?"
      keep="Keep QR Code"
      failed="Failed to delete QR code"
    >
      <div className="row">
        {vehicle_registration && <Plate registration={vehicle_registration} />}
        <code>{qr_id_text}</code>
      </div>
      <p>This removes, for good:</p>
      <ul>
        <li>the QR and its scan page</li>
        <li>all documents</li>
        <li>scan history and analytics</li>
        <li>sharing links</li>
        <li>conversations with finders</li>
      </ul>
      <Note tone="warn">The printed tag on your key will stop working.</Note>
    </AskDialog>
  )
}
