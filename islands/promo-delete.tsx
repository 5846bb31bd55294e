import { type FormEvent, useState } from 'react'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { PROMO_DONE } from '#domain/promo.ts'
import { callApi, isGone } from '#islands/_api.ts'
import { abandonDialog, finishDialog, useModal } from '#islands/_dialog.ts'
import { showToast } from '#islands/_toast.ts'

const FAILED = 'Failed to delete promo code'

/** Asks before a code goes for good. */
export function PromoDelete({ id, code, action }: { id: string; code: string; action: string }) {
  const [busy, setBusy] = useState(false)
  const modal = useModal()

  async function onSubmit(event: FormEvent) {
    event.preventDefault()
    setBusy(true)
    try {
      await callApi('DELETE', `/admin/promo-codes/${id}`)
      await finishDialog(PROMO_DONE.deleted)
    } catch (error) {
      if (isGone(error)) return abandonDialog(FAILED)
      showToast(FAILED, 'error')
      setBusy(false)
    }
  }

  return (
    <Dialog title="Are you sure you want to delete this promo code?" size="small" {...modal}>
      <form method="post" action={action} onSubmit={onSubmit}>
        <DialogBody>
          <p>
            <code>{code}</code> goes for good: nobody can redeem it any more. What it gave stays,
            and so do its redemptions.
          </p>
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Keep Promo Code</DialogCancel>
          <button className="btn btn-stop" type="submit" disabled={busy} aria-busy={busy}>
            <Icon name="trash" />
            Delete
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
