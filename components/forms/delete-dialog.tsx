import type { ReactNode } from 'react'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { Icon } from '#components/icons/icon.tsx'

type DeleteDialogProps = {
  title: string
  /** everything that is deleted with it */
  children: ReactNode
  keep: string
  /** what the button says, where it deletes nothing */
  act?: string
  action: string
  /** the text of a failure */
  failed?: string
  /** as `data-refused` and `data-unsaid` of a form */
  refused?: string
  unsaid?: string
}

/** Asks before something goes for good, or is undone. */
export function DeleteDialog({ keep, act, ...form }: DeleteDialogProps) {
  const submit = (
    <>
      <Icon name={act ? 'reset' : 'trash'} />
      {act ?? 'Delete'}
    </>
  )
  return <FormDialog {...form} cancel={keep} tone="stop" submit={submit} />
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
