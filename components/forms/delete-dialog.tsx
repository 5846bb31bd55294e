import { FormDialog, type FormDialogProps } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'

type DeleteDialogProps = Omit<FormDialogProps, 'cancel' | 'submit'> & {
  keep: string
  /** what the button says, where it deletes nothing */
  act?: string
}

/** Asks before something goes for good, or is undone. */
export function DeleteDialog({ keep, act = 'Delete', icon = 'trash', ...form }: DeleteDialogProps) {
  return <FormDialog {...form} cancel={keep} tone="stop" icon={icon} submit={act} />
}

type DeleteLinkProps = {
  href: string
  /** the name of the deleted thing, for screen readers */
  name: string
  /** the message when it is already deleted */
  gone: string
}

/** Opens the dialog that asks before something is deleted. */
export function DeleteLink({ href, name, gone }: DeleteLinkProps) {
  return (
    <a
      className="btn btn-sm btn-quiet btn-red push"
      href={href}
      data-dialog="delete"
      data-gone={gone}
    >
      <Icon name="trash" />
      Delete
      <span className="vh">{` ${name}`}</span>
    </a>
  )
}
