import { AskDialog } from '#components/forms/ask-dialog.tsx'

/** Asks before a code goes for good. */
export function PromoDelete({ code, action }: { code: string; action: string }) {
  return (
    <AskDialog
      title="Are you sure you want to delete this promo code?"
      keep="Keep Promo Code"
      action={action}
      failed="Failed to delete promo code"
    >
      <p>
        <code>{code}</code> is deleted for good: nobody can redeem it any more. What it gave stays,
        and so do its redemptions.
      </p>
    </AskDialog>
  )
}
