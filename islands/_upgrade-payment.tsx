import type { ReactNode } from 'react'
import { SelectField, TextAreaField, TextField } from '#components/field.tsx'
import { Note } from '#components/note.tsx'
import { Contact, UpgradePaymentDetails } from '#components/upgrade-payment.tsx'
import { UpgradePlans } from '#components/upgrade-plans.tsx'
import { upgradeAction } from '#domain/dashboard.ts'
import { PLANS } from '#domain/plan.ts'
import { LENGTHS } from '#domain/text.ts'
import { PAYMENT_METHODS, UPGRADE_PROMISE } from '#domain/upgrade.ts'
import { callApi } from '#islands/_api.ts'
import { copyText } from '#islands/_copy.ts'
import { useSubmit } from '#islands/_submit.ts'
import { showToast } from '#islands/_toast.ts'
import type { OpenRequest, UpgradeDialogProps } from '#islands/_upgrade.ts'
import { ScreenshotForm } from '#islands/_upgrade-screenshot.tsx'
import { showUpgrade } from '#islands/_upgrade-window.ts'

/** From the choice of a plan to what is known of its payment. */
export function PaymentTab({ current, offers, request, ...rest }: UpgradeDialogProps) {
  const { rejected, contact, message } = rest
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
          <Contact contact={contact} before="If you have paid, ask " />
        </Note>
      )}
      {request ? (
        <>
          <Waiting request={request} />
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

function Waiting({ request }: { request: OpenRequest }) {
  const { id, requested_plan, payment, told } = request
  const wait =
    told.payment_reference || request.has_screenshot ? 'We check your payment.' : 'Pay now.'
  return (
    <>
      <Note
        tone="go"
        icon="clock"
        title={`Your ${PLANS[requested_plan].name} upgrade is requested`}
      >
        {`${wait} ${UPGRADE_PROMISE}`}
      </Note>
      <UpgradePaymentDetails payment={payment} onCopy={copyText} />
      <h3>When you have paid</h3>
      <UpgradeForm submit="Send payment details" done="Payment details sent" main>
        <div className="fields-2">
          <SelectField
            label="Paid by"
            name="payment_method"
            defaultValue={told.payment_method ?? PAYMENT_METHODS.upi}
          >
            {Object.values(PAYMENT_METHODS).map((method) => (
              <option key={method}>{method}</option>
            ))}
          </SelectField>
          <TextField
            label="Payment reference"
            hint="UPI or bank transaction number"
            name="payment_reference"
            defaultValue={told.payment_reference ?? ''}
            maxLength={LENGTHS.other}
            autoComplete="off"
            dir="ltr"
          />
        </div>
        <TextAreaField
          label="Notes"
          optional
          name="notes"
          defaultValue={told.notes ?? ''}
          maxLength={LENGTHS.notes}
          rows={2}
        />
      </UpgradeForm>
      <ScreenshotForm id={id} sent={request.has_screenshot} />
    </>
  )
}

type UpgradeFormProps = { submit: string; done?: string; main: boolean; children: ReactNode }

/** Each form tells a part of the one request; the dialog then shows what the server made of it. */
function UpgradeForm({ submit, done, main, children }: UpgradeFormProps) {
  const { form, busy, onSubmit } = useSubmit(
    {
      main: {
        check: () => undefined,
        send: async (fields) => {
          await callApi('POST', '/subscription/upgrade', fields)
          if (done) showToast(done)
          await showUpgrade()
        },
        fallback: 'Failed to initiate upgrade',
      },
    },
    undefined,
  )
  return (
    <form
      ref={form}
      className="stack"
      method="post"
      action={upgradeAction()}
      noValidate
      onSubmit={onSubmit}
    >
      {children}
      <button
        className={main ? 'btn btn-main btn-block' : 'btn btn-block'}
        type="submit"
        disabled={busy !== undefined}
        aria-busy={busy !== undefined}
      >
        {submit}
      </button>
    </form>
  )
}
