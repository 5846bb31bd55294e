import type { ReactNode } from 'react'
import { PromoTab } from '#components/plans/upgrade-promo.tsx'
import { PaymentTab } from '#components/plans/upgrade-tab.tsx'
import type { UpgradeView } from '#components/plans/upgrade-view.ts'
import { Dialog, DialogBody } from '#components/ui/dialog.tsx'
import { Icon } from '#components/ui/icon.tsx'
import { Note } from '#components/ui/note.tsx'

/** The way to more: by payment or by promo code. */
export function UpgradeDialog({ view, screenshot }: { view: UpgradeView; screenshot?: ReactNode }) {
  const { tab, limit } = view
  return (
    <Dialog title="Upgrade" size="wide" open>
      <DialogBody>
        {limit && <Note tone="stop">{limit}</Note>}
        <div className="tabset">
          <input
            type="radio"
            name="upgrade_tab"
            id="upgrade-payment"
            value="payment"
            defaultChecked={tab === 'payment'}
          />
          <label htmlFor="upgrade-payment">
            <Icon name="card" />
            Payment
          </label>
          <section aria-label="Payment">
            <PaymentTab view={view} screenshot={screenshot} />
          </section>
          <input
            type="radio"
            name="upgrade_tab"
            id="upgrade-promo"
            value="promo"
            defaultChecked={tab === 'promo'}
          />
          <label htmlFor="upgrade-promo">
            <Icon name="ticket" />
            Promo Code
          </label>
          <section aria-label="Promo Code">
            <PromoTab view={view} />
          </section>
        </div>
      </DialogBody>
    </Dialog>
  )
}
