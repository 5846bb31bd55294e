import { type MouseEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { TextField } from '#components/ui/field.tsx'
import { contactProblem } from '#domain/accounts/registration.ts'
import { RESET_REQUESTED } from '#domain/families/password-reset.ts'
import { callApi } from '#islands/_api.ts'
import { useModal } from '#islands/_modal.ts'
import { useSubmit } from '#islands/_submit.ts'
import { showToast } from '#islands/_toast.ts'

const FOLLOW_UP_MS = 1000

type ChildForgotProps = { qr_id: string; open: boolean; problem?: string }

/** Asks a code's owner for a new password. Without script the dialog is a page of its own. */
export function ChildForgot({ qr_id, ...given }: ChildForgotProps) {
  const [isOpen, setOpen] = useState(given.open)
  const page = `/child-register?qr=${qr_id}`

  function open(event: MouseEvent) {
    event.preventDefault()
    setOpen(true)
  }
  function leave() {
    setOpen(false)
    history.replaceState(null, '', page)
  }

  return (
    <>
      <a className="btn btn-quiet" href={`${page}&forgot=1`} onClick={open}>
        Forgot Password
      </a>
      {isOpen && <ForgotDialog qr_id={qr_id} problem={given.problem} onLeave={leave} />}
    </>
  )
}

function ForgotDialog({
  qr_id,
  problem: found,
  onLeave,
}: {
  qr_id: string
  problem: string | undefined
  onLeave: () => void
}) {
  const modal = useModal(leave)
  function leave() {
    modal.ref.current?.close()
    onLeave()
  }
  const { form, busy, problem, onSubmit } = useSubmit(
    {
      main: {
        check: ({ contact = '' }) => contactProblem(contact),
        send: async ({ contact }) => {
          await callApi('POST', '/qr/forgot-password', { qr_id, contact })
          leave()
          const [submitted, next] = RESET_REQUESTED
          showToast(submitted)
          setTimeout(() => showToast(next, 'info'), FOLLOW_UP_MS)
        },
        fallback: 'Failed to submit password reset request',
      },
    },
    found,
  )
  const action = `/child-register?qr=${qr_id}&forgot=1`
  return (
    <Dialog title="Forgot Password" size="small" {...modal}>
      <form ref={form} method="post" action={action} noValidate onSubmit={onSubmit}>
        <DialogBody>
          <p className="soft">Your request goes to the owner of this QR code for approval.</p>
          <TextField
            label="Email or Mobile Number"
            name="contact"
            error={problem}
            inputMode="email"
            autoComplete="username"
            autoCapitalize="none"
          />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button
            className="btn btn-main"
            type="submit"
            disabled={busy !== undefined}
            aria-busy={busy !== undefined}
          >
            Send request
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
