import { MESSAGE_TEXTS } from '#domain/admin-message.ts'
import { ApiProblem } from '#islands/_api.ts'
import { DeleteDialog } from '#islands/_delete-dialog.tsx'

type MessageDeleteProps = { id: string; title: string; action: string }

/** Asks before a message goes for good. */
export function MessageDelete({ id, title, action }: MessageDeleteProps) {
  return (
    <DeleteDialog
      title="Delete this message?"
      keep="Keep Message"
      action={action}
      call={{ method: 'DELETE', path: `/admin/messages/${id}`, label: 'Delete' }}
      done={MESSAGE_TEXTS.deleted}
      failed={failureText}
    >
      <p>
        <b className="any-break">{title}</b> goes for good. Finders will not see it any more.
      </p>
    </DeleteDialog>
  )
}

function failureText(error: unknown): string {
  return (error instanceof ApiProblem && error.message) || 'Failed to delete message'
}
