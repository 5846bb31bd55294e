import { Note } from '#components/note.tsx'
import { UNDO_TEXTS } from '#domain/claim.ts'
import { ApiProblem } from '#islands/_api.ts'
import { DeleteDialog } from '#islands/_delete-dialog.tsx'

type QrUndoClaimProps = { qr_id: string; qr_id_text: string; action: string; message?: string }

/** Asks before a claim is undone, and says what goes with it. */
export function QrUndoClaim({ qr_id, qr_id_text, action, message }: QrUndoClaimProps) {
  return (
    <DeleteDialog
      title="Undo this claim?"
      keep="Keep Claim"
      action={action}
      call={{ method: 'POST', path: `/qr/${qr_id}/undo-claim`, label: 'Undo claim' }}
      done={UNDO_TEXTS.done}
      failed={(error) =>
        (error instanceof ApiProblem && error.message) || 'Failed to undo the claim'
      }
    >
      {message && <Note tone="stop">{message}</Note>}
      <p>
        <code>{qr_id_text}</code>
      </p>
      <p>This removes, for good:</p>
      <ul>
        <li>all details that the claimer put on the code</li>
        <li>the claimer’s link to keep it</li>
      </ul>
      <Note tone="warn">
        Anybody who has the printed tag can claim it again. If the claimer gave an email, we tell
        them.
      </Note>
    </DeleteDialog>
  )
}
