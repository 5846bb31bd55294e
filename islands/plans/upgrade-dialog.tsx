import { Dialog, DialogBody } from '#components/ui/dialog.tsx'
import { FormTabs } from '#components/ui/form-tabs.tsx'
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
  const tabs = [
    {
      id: 'payment',
      label: 'Payment',
      icon: <Icon name="card" />,
      content: <PaymentTab {...props} />,
    },
    {
      id: 'promo',
      label: 'Promo Code',
      icon: <Icon name="ticket" />,
      content: <PromoTab {...props} />,
    },
  ]
  return (
    <Dialog title="Upgrade" size="wide" {...modal}>
      <DialogBody>
        {limit && <Note tone="stop">{limit}</Note>}
        <FormTabs name="upgrade_tab" open={tab} tabs={tabs} />
      </DialogBody>
    </Dialog>
  )
}
