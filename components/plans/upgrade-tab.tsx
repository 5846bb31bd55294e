import type { ReactNode } from 'react'
import { FeatureLinks } from '#components/plans/feature-links.tsx'
import { SupportContact } from '#components/plans/support-contact.tsx'
import { ReferenceForm, TakeBackForm, UpgradeForm } from '#components/plans/upgrade-forms.tsx'
import { UpgradePaymentDetails } from '#components/plans/upgrade-payment.tsx'
import { UpgradePlans } from '#components/plans/upgrade-plans.tsx'
import type { OpenRequest, UpgradeView } from '#components/plans/upgrade-view.ts'
import { Note } from '#components/ui/note.tsx'
import { Refusal } from '#components/ui/outcome.tsx'
import { PLANS } from '#domain/plans/plan.ts'
import { monthsText } from '#domain/plans/term.ts'
import { DEFAULT_MONTHS, UPGRADE_PROMISE } from '#domain/plans/upgrade.ts'

/** The steps from the choice of a plan to the state of its payment. */
export function PaymentTab({ view, screenshot }: { view: UpgradeView; screenshot: ReactNode }) {
  const { current, until, offers, chosen, request, rejected, contact, message, mails } = view
  const [next] = offers
  if (!next) return <Note>{`You have the ${PLANS[current].name} plan, which has everything.`}</Note>
  const ask = offers.length === 1 ? `Ask for ${next.name}` : 'Ask for this plan'
  const go = view.takesPayments ? 'Continue to payment' : ask
  const choice = (
    <UpgradeForm submit={request ? 'Change plan' : go} main={!request}>
      <UpgradePlans
        offers={offers}
        chosen={chosen ?? next.id}
        months={request?.months ?? DEFAULT_MONTHS}
      />
      {!view.takesPayments && !request && (
        <Note title="No payment yet">
          {`${view.operator.name ?? 'The operator of this site'} has not said how to pay. Ask first: they write to you, and you pay nothing before that.`}
        </Note>
      )}
    </UpgradeForm>
  )
  return (
    <>
      <Refusal>{message}</Refusal>
      {rejected && (
        <Note tone="warn" title="Your last upgrade request was not approved">
          {rejected.notes && <span className="block any-break">{rejected.notes}</span>}
          <SupportContact contact={contact} before="If you have paid, ask " />
        </Note>
      )}
      {request ? (
        <>
          {request.payment.payment_methods || request.payment.amount === 0 ? (
            <Waiting request={request} mails={mails} screenshot={screenshot} />
          ) : (
            <Asked request={request} view={view} screenshot={screenshot} />
          )}
          <TakeBackForm />
          <details className="fold">
            <summary>Choose another plan</summary>
            {choice}
          </details>
        </>
      ) : (
        <>
          <p className="small soft">
            {`You have the ${PLANS[current].name} plan${until ? ` until ${until}` : ''}: `}
            <FeatureLinks plan={current} />.
          </p>
          {choice}
        </>
      )}
    </>
  )
}

type WaitingProps = { request: OpenRequest; mails: boolean; screenshot: ReactNode }

function Waiting({ request, mails, screenshot }: WaitingProps) {
  const { requested_plan, payment, note } = request
  const title = `Your ${PLANS[requested_plan].name} upgrade is requested`
  return (
    <>
      <Note tone="go" icon="clock" title={title}>
        {[
          `For ${monthsText(request.months)}.`,
          nextStep(request),
          UPGRADE_PROMISE,
          mails && 'We send you an email.',
        ]
          .filter(Boolean)
          .join(' ')}
      </Note>
      {isPaid(request) ? (
        <details className="fold">
          <summary>How to pay</summary>
          <UpgradePaymentDetails payment={payment} />
        </details>
      ) : (
        <UpgradePaymentDetails payment={payment} />
      )}
      {payment.amount > 0 && (
        <>
          <h3>When you have paid</h3>
          <ReferenceForm note={note} />
          {screenshot}
        </>
      )}
    </>
  )
}

type AskedProps = { request: OpenRequest; view: UpgradeView; screenshot: ReactNode }

/** A request where the operator writes first how to pay. */
function Asked({ request, view, screenshot }: AskedProps) {
  const { requested_plan, requested, months, note } = request
  const { name, writes } = view.operator
  const who = name ? `${name}, who runs this site,` : 'The operator of this site'
  const next = isPaid(request)
    ? `${who} checks your payment.`
    : `${who} sees your request and ${writes} how to pay. You pay nothing before that.`
  return (
    <>
      <Note
        tone="go"
        icon="clock"
        title={`You asked for ${PLANS[requested_plan].name} on ${requested}`}
      >
        {`For ${monthsText(months)}. ${next}`}
      </Note>
      <SupportContact contact={view.contact} before="Questions? Ask " />
      <p className="small soft">
        Your codes work as before meanwhile. Have a code from a shop or your company? Use the tab
        Promo Code.
      </p>
      <details className="fold">
        <summary>When you have paid</summary>
        <ReferenceForm note={note} />
        {screenshot}
      </details>
    </>
  )
}

function nextStep(request: OpenRequest): string | undefined {
  if (request.payment.amount === 0) return undefined
  return isPaid(request)
    ? 'We check your payment.'
    : 'Pay, then send the payment reference or a screenshot.'
}

/** Whether the account says that it has paid. */
function isPaid({ note, has_screenshot }: OpenRequest): boolean {
  return Boolean(note.payment_reference) || has_screenshot
}
