import { DeleteDialog } from '#components/forms/delete-dialog.tsx'
import { Note } from '#components/ui/note.tsx'
import { Outcome } from '#components/ui/outcome.tsx'

type QrUndoClaimProps = {
  qr_id_text: string
  /** whether claiming the code takes an activation code */
  needs_activation: boolean
  action: string
  message?: string | undefined
}

/** Asks before a claim is undone, and lists everything that is deleted with it. */
export function QrUndoClaim(props: QrUndoClaimProps) {
  const { qr_id_text, needs_activation, action, message } = props
  return (
    <DeleteDialog
      title="Undo this claim?"
      keep="Keep Claim"
      action={action}
      act="Undo claim"
      failed="Failed to undo the claim"
    >
      <Outcome text={message} isRefused />
      <p>
        <code>{qr_id_text}</code>
      </p>
      <p>This removes, for good:</p>
      <ul>
        <li>all details that the claimer put on the code</li>
        <li>the claimer’s link to keep it</li>
      </ul>
      <Note tone="warn">
        {needs_activation
          ? 'Whoever has its activation code can claim it again, such as the claimer. '
          : 'Anybody who has the printed tag can claim it again. '}
        If the claimer gave an email, we tell them.
      </Note>
    </DeleteDialog>
  )
}
