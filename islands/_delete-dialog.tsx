import { type FormEvent, type ReactNode, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { callApi, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { showToast } from '#islands/_toast.ts'

type DeleteDialogProps = {
  title: string
  /** what goes with it */
  children: ReactNode
  keep: string
  /** the form's, for whoever has no script */
  action: string
  /** the call's, below /api */
  path: string
  done: string
  failed: (error: unknown) => string
}

/** Asks before something goes for good. */
export function DeleteDialog(props: DeleteDialogProps) {
  const { title, children, keep, action, path, done, failed } = props
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('DELETE', path)
      await finishDialog(done)
    } catch (error) {
      if (isGone(error)) return abandonDialog(failed(error))
      showToast(failed(error), 'error')
      setBusy(false)
    }
  }

  return (
    <Dialog title={title} size="small" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>{children}</DialogBody>
        <DialogFoot>
          <DialogCancel>{keep}</DialogCancel>
          <button className="btn btn-stop" type="submit" disabled={busy} aria-busy={busy}>
            <Icon name="trash" />
            Delete
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
