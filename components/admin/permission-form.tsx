import {
  PermissionFields,
  type PermissionFieldsProps,
} from '#components/admin/permission-fields.tsx'
import { UserCell } from '#components/admin/user-table.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'

type PermissionFormProps = PermissionFieldsProps & {
  name: string
  contact: string
  action: string
  /** what the user is now, in words */
  now: string
  /** why nothing can be changed here */
  refusal?: string | undefined
}

/** Says what a user may do, and until when. */
export function PermissionForm(props: PermissionFormProps) {
  const { name, contact, action, now, refusal } = props
  const who = (
    <>
      <UserCell name={name} contact={contact} />
      <p className="small soft">{now}</p>
    </>
  )
  return (
    <Dialog title="Update User Permissions" open>
      {refusal ? (
        <>
          <DialogBody>
            {who}
            <Note tone="warn">{refusal}</Note>
          </DialogBody>
          <DialogFoot>
            <DialogCancel>Close</DialogCancel>
          </DialogFoot>
        </>
      ) : (
        <form method="post" action={action} data-enhance data-failed="Failed to update permissions">
          <DialogBody>
            {who}
            <PermissionFields {...props} />
          </DialogBody>
          <DialogFoot>
            <DialogCancel>Cancel</DialogCancel>
            <button className="btn btn-main" type="submit">
              Update Permissions
            </button>
          </DialogFoot>
        </form>
      )}
    </Dialog>
  )
}
