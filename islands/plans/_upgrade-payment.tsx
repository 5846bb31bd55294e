import { SupportContact } from '#components/plans/support-contact.tsx'
import { UpgradePaymentDetails } from '#components/plans/upgrade-payment.tsx'
import { UpgradePlans } from '#components/plans/upgrade-plans.tsx'
import { Note } from '#components/ui/note.tsx'
import { PLANS } from '#domain/plans/plan.ts'
import { UPGRADE_PROMISE } from '#domain/plans/upgrade.ts'
import { copyText } from '#islands/_copy.ts'
import type { OpenRequest, UpgradeDialogProps } from '#islands/plans/_upgrade.ts'
import { ReferenceForm, UpgradeForm } from '#islands/plans/_upgrade-forms.tsx'
import { ScreenshotForm } from '#islands/plans/_upgrade-screenshot.tsx'

/** From the choice of a plan to what is known of its payment. */
export function PaymentTab({ current, offers, request, ...rest }: UpgradeDialogProps) {
  const { rejected, contact, message, mails } = rest
  const [next] = offers
  if (!next) return <Note>{`You have the ${PLANS[current].name} plan, which has everything.`}</Note>
  const choice = (
    <UpgradeForm submit={request ? 'Change plan' : 'Continue to payment'} main={!request}>
      <UpgradePlans offers={offers} chosen={request?.requested_plan ?? next.id} />
    </UpgradeForm>
  )
  return (
    <>
      {message && <Note tone="stop">{message}</Note>}
      {rejected && (
        <Note tone="warn" title="Your last upgrade request was not approved">
          {rejected.notes && <span className="block any-break">{rejected.notes}</span>}
          <SupportContact contact={contact} before="If you have paid, ask " />
        </Note>
      )}
      {request ? (
        <>
          <Waiting request={request} mails={mails} />
          <details className="fold">
            <summary>Choose another plan</summary>
            {choice}
          </details>
        </>
      ) : (
        <>
          <p className="small soft">
            {`You have the ${PLANS[current].name} plan: ${PLANS[current].features.join(', ')}.`}
          </p>
          {choice}
        </>
      )}
    </>
  )
}

function Waiting({ request, mails }: { request: OpenRequest; mails: boolean }) {
  const { id, requested_plan, payment, told, has_screenshot } = request
  const title = `Your ${PLANS[requested_plan].name} upgrade is requested`
  return (
    <>
      <Note tone="go" icon="clock" title={title}>
        {[nextStep(request), UPGRADE_PROMISE, mails && 'We send you an email.']
          .filter(Boolean)
          .join(' ')}
      </Note>
      <UpgradePaymentDetails payment={payment} onCopy={copyText} />
      {payment.amount > 0 && (
        <>
          <h3>When you have paid</h3>
          <ReferenceForm told={told} />
          <ScreenshotForm id={id} sent={has_screenshot} />
        </>
      )}
    </>
  )
}

function nextStep({ payment, told, has_screenshot }: OpenRequest): string | undefined {
  if (payment.amount === 0) return undefined
  const isTold = told.payment_reference || has_screenshot
  return isTold ? 'We check your payment.' : 'Pay, then send the payment reference or a screenshot.'
}
