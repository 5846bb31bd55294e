import { TextField } from '#components/forms/field.tsx'
import { FormDialog, type FormState } from '#components/forms/form-dialog.tsx'
import { ForWhom, type ForWhomProps } from '#components/people/for-whom.tsx'
import { counted, formatCount } from '#domain/number.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { UNLIMITED } from '#domain/plans/plan.ts'

const KINDS = {
  bulk: {
    title: 'Bulk Create',
    text: 'Makes blank QR codes that your customers claim later.',
    submit: 'Create QR codes',
    codes: 'QR codes',
  },
  child: {
    title: 'Child QRs',
    text: 'Makes QR codes that family members register themselves, with a password and no OTP.',
    submit: 'Create child QR codes',
    codes: 'child QR codes',
  },
} as const

type QrQuantityProps = FormState &
  ForWhomProps & {
    kind: keyof typeof KINDS
    most: number
    quantity: string
    /** how far the plan is used up, where that is known */
    limit: { used?: number; qr_limit?: number; left?: number }
    /** tells that the form is sent again from another one */
    form_key: string | undefined
    /** whether each code gets an activation code */
    activation?: boolean
    /** where codes are made from a table instead */
    import_href?: string | undefined
    /** the problem of the quantity */
    problem?: string
  }

/** Makes a number of codes that others fill in. */
export function QrQuantity(props: QrQuantityProps) {
  const { kind, most, quantity, limit, form_key, activation, import_href, problem, ...rest } = props
  const { owners, owner_id, ...form } = rest
  const { title, text, submit, codes } = KINDS[kind]
  return (
    <FormDialog
      {...form}
      title={title}
      submit={submit}
      busy="Creating..."
      noValidate
      quiet
      failed={`Failed to create ${codes}`}
    >
      <input type="hidden" name="form_key" value={form_key} />
      <p className="soft">{text}</p>
      <ForWhom owners={owners} owner_id={owner_id} />
      <TextField
        label="Quantity"
        hint={`From 1 to ${most}`}
        error={problem}
        name="quantity"
        type="number"
        inputMode="numeric"
        min={1}
        max={most}
        defaultValue={quantity}
      />
      {kind === 'bulk' && (
        <div className="field">
          <label className="toggle">
            <input
              type="checkbox"
              name="activation"
              value="1"
              defaultChecked={activation}
              aria-describedby="activation-hint"
            />
            With activation codes
          </label>
          <p className="hint" id="activation-hint">
            Half of each label tears off. Nobody can claim the QR code without it.
            {owners && owners.length > 0 && ' Only for QR codes of your own.'}
          </p>
        </div>
      )}
      <LimitText {...limit} />
      {import_href && (
        <p className="small">
          <a href={import_href} data-dialog="import">
            Import a table of vehicles instead
          </a>
        </p>
      )}
    </FormDialog>
  )
}

function LimitText({ used, qr_limit, left }: QrQuantityProps['limit']) {
  if (!hasPlans()) return null
  if (left !== undefined) {
    return <p className="small soft">{`${counted(left, 'child QR')} left`}</p>
  }
  if (used === undefined || qr_limit === undefined || qr_limit === UNLIMITED) return null
  return (
    <div className="stack gap-1">
      <p className="small soft">{`${formatCount(used)} of ${qr_limit} QR codes used`}</p>
      <progress max={qr_limit} value={used} aria-label="QR codes used" />
    </div>
  )
}
