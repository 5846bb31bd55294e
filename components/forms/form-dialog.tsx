import type { ComponentProps, ReactNode } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'

type FormDialogProps = Omit<ComponentProps<'form'>, 'title'> & {
  title: string
  submit: ReactNode
  /** the button's text while the form is sent */
  busy?: string
  cancel?: string
  /** what the button at the title is called */
  close?: string
  tone?: 'main' | 'stop'
  /** as `data-failed`, `data-refused`, `data-unsaid` and `data-quiet` of a form: `islands/_forms.ts` */
  failed?: string
  refused?: string | undefined
  unsaid?: string | undefined
  quiet?: boolean
}

/** A dialog that is one form, with a button to leave it and one to send it. */
export function FormDialog(props: FormDialogProps) {
  const { title, submit, busy, cancel = 'Cancel', close, tone = 'main', children, ...rest } = props
  const { failed, refused, unsaid, quiet, ...form } = rest
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
        <DialogBody>{children}</DialogBody>
        <DialogFoot>
          <DialogCancel>{cancel}</DialogCancel>
          <button className={`btn btn-${tone}`} type="submit" data-busy={busy}>
            {submit}
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
