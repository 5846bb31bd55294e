import { QrFrame } from '#components/codes/qr-frame.tsx'
import { CopyButton } from '#components/forms/copy.tsx'
import { type Support, SupportContact } from '#components/plans/support-contact.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { Note } from '#components/ui/note.tsx'
import { formatRupees } from '#domain/number.ts'

export type UpgradePayment = {
  amount: number
  payment_methods: {
    upi_id: string | null
    upi_url: string | null
    account_details: {
      account_name: string | null
      account_number: string
      ifsc: string | null
      bank: string | null
    } | null
  } | null
  contact: Support
  /** the UPI link as an image for another phone's camera */
  upi_image: string | undefined
}

/** The ways to pay for an upgrade. */
export function UpgradePaymentDetails({ payment }: { payment: UpgradePayment }) {
  const { amount, payment_methods, contact } = payment
  if (amount === 0) return <Note tone="go">Nothing to pay: your promo code covers it.</Note>
  if (!payment_methods) return null
  const { upi_id, upi_url, account_details } = payment_methods
  return (
    <div className="fields-2">
      {upi_id && <Upi payment={payment} upiId={upi_id} url={upi_url} />}
      <div className="stack gap-3">
        {account_details && (
          <>
            <h3>{upi_id ? 'Or bank transfer' : `Pay ${formatRupees(amount)} by bank transfer`}</h3>
            <Bank {...account_details} />
          </>
        )}
        <SupportContact contact={contact} before="Then send the payment screenshot below, or to " />
      </div>
    </div>
  )
}

/** On a phone the button comes first: no camera sees its own screen. */
function Upi({
  payment: { amount, upi_image },
  upiId,
  url,
}: {
  payment: UpgradePayment
  upiId: string
  url: string | null
}) {
  const rupees = formatRupees(amount)
  return (
    <div className="stack gap-3 pay">
      <a className="btn btn-main btn-block narrow" href={url ?? undefined}>
        {`Pay ${rupees} in your UPI app`}
      </a>
      {upi_image && (
        <div className="narrow-m">
          <QrFrame src={upi_image} caption={`Pay ${rupees} with any UPI app`} alt="UPI QR code" />
        </div>
      )}
      <div className="row">
        <code>{upiId}</code>
        <CopyButton name="UPI ID" text={upiId} {...QUIET} />
      </div>
    </div>
  )
}

/** Beside a text of its line. */
const QUIET = { look: 'btn btn-quiet btn-sm', icon: 'link' } as const

type Methods = NonNullable<UpgradePayment['payment_methods']>
type BankProps = NonNullable<Methods['account_details']>

function Bank({ account_name, account_number, ifsc, bank }: BankProps) {
  const copied = (name: string, text: string) => (
    <span className="row gap-1">
      {text}
      <CopyButton name={name} text={text} {...QUIET} />
    </span>
  )
  const facts = [
    account_name && { label: 'Account name', value: account_name },
    { label: 'Account no.', value: copied('Account no.', account_number), ltr: true },
    ifsc && { label: 'IFSC', value: copied('IFSC', ifsc), ltr: true },
    bank && { label: 'Bank', value: bank },
  ].filter((fact) => fact !== null && fact !== '')
  return (
    <div className="bank">
      <Facts facts={facts} />
    </div>
  )
}
