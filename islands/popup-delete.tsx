import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { ThumbImage } from '#components/thumb.tsx'
import { ApiProblem, callApi, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog, useModal } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

type PopupDeleteProps = { id: string; file_name: string; url: string; action: string }

/** Asks before an image goes for good. */
export function PopupDelete({ id, file_name, url, action }: PopupDeleteProps) {
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('DELETE', `/popup-images/${id}`)
      await finishDialog('Popup image deleted successfully!')
    } catch (error) {
      if (isGone(error)) return abandonDialog(failureText(error))
      showToast(failureText(error), 'error')
      setBusy(false)
    }
  }

  return (
    <Dialog title="Delete this image?" size="small" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          <div className="thumb">
            <ThumbImage src={url} alt="" />
          </div>
          <p>
            <b className="any-break">{file_name}</b> goes for good. Finders will not see it any
            more.
          </p>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep Image</DialogCancel>
          <button className="btn btn-stop" type="submit" disabled={busy} aria-busy={busy}>
            <Icon name="trash" />
            Delete
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}

function failureText(error: unknown): string {
  if (!(error instanceof ApiProblem)) return `Request error: ${(error as Error).message}`
  const { status, message } = error
  if (status === 0) return 'Network error: No response from server'
  return `Delete failed (${status}): ${message || 'Failed to delete popup image'}`
}
