import { PROMO_DONE } from '#domain/promo.ts'
import { DeleteDialog } from '#islands/_delete-dialog.tsx'

/** Asks before a code goes for good. */
export function PromoDelete({ id, code, action }: { id: string; code: string; action: string }) {
  return (
    <DeleteDialog
      title="Are you sure you want to delete this promo code?"
      keep="Keep Promo Code"
      action={action}
      call={{ method: 'DELETE', path: `/admin/promo-codes/${id}`, label: 'Delete' }}
      done={PROMO_DONE.deleted}
      failed={() => 'Failed to delete promo code'}
    >
      <p>
        <code>{code}</code> goes for good: nobody can redeem it any more. What it gave stays, and so
        do its redemptions.
      </p>
    </DeleteDialog>
  )
}
