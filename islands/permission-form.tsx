import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Note } from '#components/note.tsx'
import { PermissionFields } from '#components/permission-fields.tsx'
import { UserCell } from '#components/user-table.tsx'
import { PERMITTED, type PermissionType } from '#domain/permission.ts'
import { ApiProblem, callApi, isOutdated } from '#islands/_api.ts'
import { abandonDialog, finishDialog } from '#islands/_dialog.ts'
import { useModal } from '#islands/_modal.ts'
import { showToast } from '#islands/_toast.ts'

type PermissionFormProps = {
  id: string
  name: string
  contact: string
  action: string
  /** what the user is now, in words */
  now: string
  type: PermissionType
  expires: string
  barred: PermissionType[]
  timezone: string
  /** why nothing can be changed here */
  refusal?: string | undefined
  /** why a form that was sent was not taken */
  message?: string | undefined
}

/** Says what a user may do, and until when. */
export function PermissionForm(props: PermissionFormProps) {
  const { id, name, contact, action, now, refusal } = props
  const [message, setMessage] = useState(props.message)
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent<HTMLFormElement>) {
    event.preventDefault()
    const fields = Object.fromEntries(new FormData(event.currentTarget))
    setBusy(true)
    setMessage(undefined)
    try {
      await callApi('POST', '/admin/users/permissions', { user_id: id, ...fields })
      await finishDialog(PERMITTED, `user-${id}`)
    } catch (error) {
      if (!(error instanceof ApiProblem)) throw error
      const said = error.message || 'Failed to update permissions'
      if (isOutdated(error)) return abandonDialog(said)
      showToast(said, 'error')
      setMessage(error.status === 400 ? said : undefined)
      setBusy(false)
    }
  }

  return (
    <Dialog title="Update User Permissions" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          <UserCell name={name} contact={contact} />
          <p className="small soft">{now}</p>
          {refusal ? (
            <Note tone="warn">{refusal}</Note>
          ) : (
            <PermissionFields {...props} error={message} />
          )}
        </DialogBody>
        <DialogFoot>
          <DialogCancel>{refusal ? 'Close' : 'Cancel'}</DialogCancel>
          {!refusal && (
            <button className="btn btn-main" type="submit" disabled={busy} aria-busy={busy}>
              Update Permissions
            </button>
          )}
        </DialogFoot>
      </form>
    </Dialog>
  )
}
