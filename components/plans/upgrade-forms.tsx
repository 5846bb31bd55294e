import type { ReactNode } from 'react'
import { SelectField, TextAreaField, TextField } from '#components/forms/field.tsx'
import type { OpenRequest } from '#components/plans/upgrade-view.ts'
import { upgradeAction } from '#domain/dashboard.ts'
import { PAYMENT_METHODS } from '#domain/plans/upgrade.ts'
import { LENGTHS } from '#domain/text.ts'

/** The account's reference for its payment. */
export function ReferenceForm({ note }: Pick<OpenRequest, 'note'>) {
  return (
    <UpgradeForm submit="Send payment details">
      <div className="fields-2">
        <SelectField
          label="Payment method"
          hint="How you paid"
          name="payment_method"
          defaultValue={note.payment_method ?? PAYMENT_METHODS.upi}
        >
          {Object.values(PAYMENT_METHODS).map((method) => (
            <option key={method}>{method}</option>
          ))}
        </SelectField>
        <TextField
          label="Payment reference"
          hint="UPI or bank transaction number"
          name="payment_reference"
          defaultValue={note.payment_reference ?? ''}
          maxLength={LENGTHS.other}
          autoComplete="off"
          dir="ltr"
        />
      </div>
      <TextAreaField
        label="Notes"
        optional
        name="notes"
        defaultValue={note.notes ?? ''}
        maxLength={LENGTHS.notes}
        rows={2}
      />
    </UpgradeForm>
  )
}

/** Takes the pending request back. */
export function TakeBackForm() {
  return (
    <form
      method="post"
      action={upgradeAction('/take-back')}
      data-enhance
      data-failed="Failed to take back the request"
    >
      <button className="btn btn-sm" type="submit">
        Take it back
      </button>
    </form>
  )
}

type UpgradeFormProps = { submit: string; main?: boolean; children: ReactNode }

/** Each form holds a part of the one request. */
export function UpgradeForm({ submit, main, children }: UpgradeFormProps) {
  return (
    <form
      className="stack"
      method="post"
      action={upgradeAction()}
      noValidate
      data-enhance
      data-failed="Failed to initiate upgrade"
    >
      {children}
      <button className={main ? 'btn btn-main btn-block' : 'btn btn-block'} type="submit">
        {submit}
      </button>
    </form>
  )
}
