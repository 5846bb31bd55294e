import { Dialog, DialogBody } from '#components/dialog.tsx'
import { Icon } from '#components/icon.tsx'
import { Note } from '#components/note.tsx'
import type { UpgradeContact, UpgradePayment } from '#components/upgrade-payment.tsx'
import type { PlanOffer } from '#components/upgrade-plans.tsx'
import type { PaidPlan, PlanId } from '#domain/plan.ts'
import type { PaymentNote } from '#domain/upgrade.ts'
import { useModal } from '#islands/_dialog.ts'
import { PaymentTab } from '#islands/_upgrade-payment.tsx'
import { PromoTab } from '#islands/_upgrade-promo.tsx'
import { closeUpgrade } from '#islands/_upgrade-window.ts'

export type OpenRequest = {
  id: string
  requested_plan: PaidPlan
  told: Required<PaymentNote>
  has_screenshot: boolean
  payment: UpgradePayment
}

export type UpgradeDialogProps = {
  account_id: string
  current: PlanId
  /** the plans above the current one */
  offers: PlanOffer[]
  /** the request that waits, and whether the last one was rejected */
  request?: OpenRequest | undefined
  rejected: boolean
  contact: UpgradeContact
  /** whether a decision is mailed */
  mails: boolean
  tab: 'payment' | 'promo'
  /** how far the plan is used up, when that is why the dialog opens */
  limit?: string | undefined
  /** what was typed and why it was refused, when a form was sent without script */
  message?: string | undefined
  code?: string | undefined
  problem?: string | undefined
}

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
