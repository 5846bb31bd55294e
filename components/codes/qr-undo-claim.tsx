import { AskDialog } from '#components/forms/ask-dialog.tsx'
import type { FormState } from '#components/forms/form-dialog.tsx'
import { Note } from '#components/ui/note.tsx'

type QrUndoClaimProps = FormState & {
  qr_id_text: string
  /** whether claiming the code takes an activation code */
  needs_activation: boolean
}

/** Asks before a claim is undone, and lists everything that is deleted with it. */
export function QrUndoClaim({ qr_id_text, needs_activation, ...form }: QrUndoClaimProps) {
  return (
    <AskDialog
      {...form}
      title="Undo this claim?"
      keep="Keep Claim"
      act="Undo claim"
      icon="reset"
      failed="Failed to undo the claim"
    >
      <p>
        <code>{qr_id_text}</code>
      </p>
      <p>This removes, for good:</p>
      <ul>
        <li>what the claimer wrote on the code</li>
        <li>the claimer’s link to keep it</li>
      </ul>
      <Note tone="warn">
        {needs_activation
          ? 'Anyone with its activation code can claim it again. '
          : 'Anyone with the printed tag can claim it again. '}
        If the claimer gave an email, we tell them.
      </Note>
    </AskDialog>
  )
}
