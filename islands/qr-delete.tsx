import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { Note } from '#components/note.tsx'
import { Plate } from '#components/plate.tsx'
import { callApi, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog, useModal } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

type QrDeleteProps = {
  qr_id: string
  qr_id_text: string
  vehicle_registration: string | null
  action: string
  message?: string
}

/** Asks before a code goes for good, and lists what goes with it. */
export function QrDelete(props: QrDeleteProps) {
  const { qr_id, qr_id_text, vehicle_registration, action, message } = props
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('DELETE', `/qr/${qr_id}`)
      await finishDialog('QR code deleted successfully!')
    } catch (error) {
      if (isGone(error)) return abandonDialog('Failed to delete QR code')
      showToast('Failed to delete QR code', 'error')
      setBusy(false)
    }
  }

  return (
    <Dialog title="Delete this QR code?" size="small" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          {message && <Note tone="stop">{message}</Note>}
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
          </ul>
          <Note tone="warn">The printed tag on your key will stop working.</Note>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep QR Code</DialogCancel>
          <button className="btn btn-stop" type="submit" disabled={busy} aria-busy={busy}>
            <Icon name="trash" />
            Delete
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
