import { AskDialog } from '#components/forms/ask-dialog.tsx'

type MessageDeleteProps = { title: string; action: string }

/** Asks before a message goes for good. */
export function MessageDelete({ title, action }: MessageDeleteProps) {
  return (
    <AskDialog
      title="Delete this message?"
      keep="Keep Message"
      action={action}
      failed="Failed to delete message"
    >
      <p>
        <b className="any-break">{title}</b> is deleted for good. Finders will no longer see it.
      </p>
    </AskDialog>
  )
}
