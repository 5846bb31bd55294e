import { Dialog, DialogBody } from '#components/ui/dialog.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { useModal } from '#islands/_modal.ts'
import type { UpgradeDialogProps } from '#islands/plans/_upgrade.ts'
import { PaymentTab } from '#islands/plans/_upgrade-payment.tsx'
import { PromoTab } from '#islands/plans/_upgrade-promo.tsx'
import { closeUpgrade } from '#islands/plans/_upgrade-window.ts'

/** The way to more: by payment or by promo code. */
export function UpgradeDialog(props: UpgradeDialogProps) {
  const modal = useModal(closeUpgrade)
  const { tab, limit } = props
  return (
    <Dialog title="Upgrade" size="wide" {...modal}>
      <DialogBody>
        {limit && <Note tone="stop">{limit}</Note>}
        <div className="tabset">
          <input
            type="radio"
            name="upgrade_tab"
            id="upgrade-payment"
            defaultChecked={tab === 'payment'}
          />
          <label htmlFor="upgrade-payment">
            <Icon name="card" />
            Payment
          </label>
          <section aria-label="Payment">
            <PaymentTab {...props} />
          </section>
          <input
            type="radio"
            name="upgrade_tab"
            id="upgrade-promo"
            defaultChecked={tab === 'promo'}
          />
          <label htmlFor="upgrade-promo">
            <Icon name="ticket" />
            Promo Code
          </label>
          <section aria-label="Promo Code">
            <PromoTab {...props} />
          </section>
        </div>
      </DialogBody>
    </Dialog>
  )
}
