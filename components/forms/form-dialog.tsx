import type { ComponentProps, ReactNode } from 'react'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { Refusal } from '#components/ui/outcome.tsx'

/** Where the form of a dialog goes, and why it was refused. */
export type FormState = { action: string; message?: string | undefined }

export type FormDialogProps = Omit<ComponentProps<'form'>, 'title' | 'action'> &
  FormState & {
    title: string
    submit: ReactNode
    /** before the text of the button */
    icon?: IconName | undefined
    /** the button's text while the form is sent */
    busy?: string
    cancel?: string
    /** what the button at the title is called */
    close?: string
    tone?: 'main' | 'go' | 'stop'
    /** as `data-failed`, `data-refused`, `data-unsaid` and `data-quiet` of a form: `islands/_forms.ts` */
    failed?: string
    refused?: string | undefined
    unsaid?: string | undefined
    quiet?: boolean
  }

/** A dialog that is one form, with a button to leave it and one to send it. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, icon, busy, cancel = 'Cancel', close, tone = 'main', ...rest } = props
  const { message, children, failed, refused, unsaid, quiet, ...form } = rest
  return (
    <Dialog title={title} close={close} size="small" open>
      <form
        method="post"
        data-enhance
        data-failed={failed}
        data-refused={refused}
        data-unsaid={unsaid}
        data-quiet={quiet}
        {...form}
      >
        <Refusal>{message}</Refusal>
        <DialogBody>{children}</DialogBody>
        <DialogFoot>
          <DialogCancel>{cancel}</DialogCancel>
          <button className={`btn btn-${tone}`} type="submit" data-busy={busy}>
            {icon && <Icon name={icon} />}
            {submit}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
