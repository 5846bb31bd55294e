import { ThumbImage } from '#components/thumb.tsx'
import { ApiProblem } from '#islands/_api.ts'
import { DeleteDialog } from '#islands/_delete-dialog.tsx'

type PopupDeleteProps = { id: string; file_name: string; url: string; action: string }

/** Asks before an image goes for good. */
export function PopupDelete({ id, file_name, url, action }: PopupDeleteProps) {
  return (
    <DeleteDialog
      title="Delete this image?"
      keep="Keep Image"
      action={action}
      call={{ method: 'DELETE', path: `/popup-images/${id}`, label: 'Delete' }}
      done="Popup image deleted successfully!"
      failed={failureText}
    >
      <div className="thumb">
        <ThumbImage src={url} alt="" />
      </div>
      <p>
        <b className="any-break">{file_name}</b> goes for good. Finders will not see it any more.
      </p>
    </DeleteDialog>
  )
}

function failureText(error: unknown): string {
  if (!(error instanceof ApiProblem)) return `Request error: ${(error as Error).message}`
  const { status, message } = error
  if (status === 0) return 'Network error: No response from server'
  return `Delete failed (${status}): ${message || 'Failed to delete popup image'}`
}
