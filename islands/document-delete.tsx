import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { callApi, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog, useModal } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

type DocumentDeleteProps = {
  id: string
  name: string
  file_name: string
  is_public: boolean
  action: string
}

/** Asks before a document goes for good, and lists what goes with it. */
export function DocumentDelete({ id, name, file_name, is_public, action }: DocumentDeleteProps) {
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('DELETE', `/documents/${id}`)
      await finishDialog('Document deleted successfully!')
    } catch (error) {
      if (isGone(error)) return abandonDialog('Document not found')
      showToast('Failed to delete document', 'error')
      setBusy(false)
    }
  }

  return (
    <Dialog title="Delete this document?" size="small" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          <p>
            <b>{name}</b>
          </p>
          <p>This removes, for good:</p>
          <ul>
            <li>{`the file ${file_name}`}</li>
            {is_public && <li>its place in the police view</li>}
            <li>all links by which you shared it</li>
          </ul>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep Document</DialogCancel>
          <button className="btn btn-stop" type="submit" disabled={busy} aria-busy={busy}>
            <Icon name="trash" />
            Delete
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
