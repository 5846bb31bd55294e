import type { ReactNode } from 'react'
import { FormTabs } from '#components/forms/form-tabs.tsx'
import { PromoTab } from '#components/plans/upgrade-promo.tsx'
import { PaymentTab } from '#components/plans/upgrade-tab.tsx'
import type { UpgradeView } from '#components/plans/upgrade-view.ts'
import { Dialog, DialogBody } from '#components/ui/dialog.tsx'
import { Note } from '#components/ui/note.tsx'

/** The way to more: by payment or by promo code. */
export function UpgradeDialog({ view, screenshot }: { view: UpgradeView; screenshot?: ReactNode }) {
  const { tab, limit } = view
  const tabs = [
    {
      id: 'payment',
      label: 'Payment',
      icon: 'card' as const,
      content: <PaymentTab view={view} screenshot={screenshot} />,
    },
    {
      id: 'promo',
      label: 'Promo Code',
      icon: 'ticket' as const,
      content: <PromoTab view={view} />,
    },
  ]
  return (
    <Dialog title="Upgrade" size="wide" open>
      <DialogBody>
        {limit && <Note tone="stop">{limit}</Note>}
        <FormTabs name="upgrade_tab" open={tab} tabs={tabs} />
      </DialogBody>
    </Dialog>
  )
}
