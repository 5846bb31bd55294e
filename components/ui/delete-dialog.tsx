import type { ReactNode } from 'react'
import { Icon } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'

type DeleteDialogProps = {
  title: string
  /** what goes with it */
  children: ReactNode
  keep: string
  /** what the button says, where it deletes nothing */
  act?: string
  action: string
  /** what is said when it could not be done */
  failed: string
  /** as `data-refused` of a form */
  refused?: string
}

/** Asks before something goes for good, or is undone. */
export function DeleteDialog({ title, children, keep, act, action, ...texts }: DeleteDialogProps) {
  return (
    <Dialog title={title} size="small" open>
      <form
        method="post"
        action={action}
        data-enhance
        data-failed={texts.failed}
        data-refused={texts.refused}
      >
        <DialogBody>{children}</DialogBody>
        <DialogFoot>
          <DialogCancel>{keep}</DialogCancel>
          <button className="btn btn-stop" type="submit">
            <Icon name={act ? 'reset' : 'trash'} />
            {act ?? 'Delete'}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
