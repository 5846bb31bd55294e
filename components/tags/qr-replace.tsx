import { Plate } from '#components/codes/plate.tsx'
import { AskDialog } from '#components/forms/ask-dialog.tsx'
import type { FormState } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'

type QrReplaceProps = FormState & {
  vehicle_registration: string | null
  qr_id_text: string
  /** the child user who gets the finders' messages; null when the reader is that user */
  child_name: string | null
}

/** Asks before a code gets a new id, and explains the future of the old one. */
export function QrReplace(props: QrReplaceProps) {
  const { vehicle_registration, qr_id_text, child_name, ...form } = props
  return (
    <AskDialog
      {...form}
      title="Replace this tag?"
      tone="main"
      keep="Keep this tag"
      act="Replace"
      busy="Replacing..."
      failed="Failed to replace the QR code"
    >
      <div className="row">
        {vehicle_registration && <Plate registration={vehicle_registration} />}
        <code>{qr_id_text}</code>
      </div>
      <p>For a tag that is lost for good. You get a new QR code to print.</p>
      <ul>
        <li>The details, documents, PIN, scans and messages stay with it.</li>
        <li>
          {`Anyone who scans the old tag can write to ${child_name ?? 'you'}, but sees none of the details.`}
        </li>
        <li>Scans of the old tag are marked in Analytics.</li>
      </ul>
      <Note tone="warn">This cannot be undone: the old tag never shows the details again.</Note>
    </AskDialog>
  )
}
