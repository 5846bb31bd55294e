import { FormDialog, type FormDialogProps } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'

type AskDialogProps = Omit<FormDialogProps, 'title' | 'cancel' | 'submit'> & {
  title: `${string}?`
  /** the text of the safe button: the thing that stays */
  keep: string
  /** the main button, which repeats the act */
  act?: FormDialogProps['submit']
}

/** Asks before an act that lasts, and says its consequences; without words of its own, it deletes. */
export function AskDialog({
  keep,
  act = 'Delete',
  tone = 'stop',
  icon = tone === 'stop' ? 'trash' : undefined,
  ...form
}: AskDialogProps) {
  return <FormDialog {...form} cancel={keep} tone={tone} icon={icon} submit={act} />
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
