import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { MESSAGE_TEXTS } from '#domain/admin-message.ts'
import { ApiProblem, callApi, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog, useModal } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

type MessageDeleteProps = { id: string; title: string; action: string }

/** Asks before a message goes for good. */
export function MessageDelete({ id, title, action }: MessageDeleteProps) {
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('DELETE', `/admin/messages/${id}`)
      await finishDialog(MESSAGE_TEXTS.deleted)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      const text = error.message || 'Failed to delete message'
      if (isGone(error)) return abandonDialog(text)
      showToast(text, 'error')
      setBusy(false)
    }
  }

  return (
    <Dialog title="Delete this message?" size="small" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          <p>
            <b className="any-break">{title}</b> goes for good. Finders will not see it any more.
          </p>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep Message</DialogCancel>
          <button className="btn btn-stop" type="submit" disabled={busy} aria-busy={busy}>
            <Icon name="trash" />
            Delete
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
