import type { ReactNode } from 'react'
import { SelectField, TextAreaField, TextField } from '#components/ui/field.tsx'
import { upgradeAction } from '#domain/dashboard.ts'
import { PAYMENT_METHODS } from '#domain/plans/upgrade.ts'
import { LENGTHS } from '#domain/text.ts'
import { callApi } from '#islands/_api.ts'
import { useSubmit } from '#islands/_submit.ts'
import { showToast } from '#islands/_toast.ts'
import type { OpenRequest } from '#islands/plans/_upgrade.ts'
import { renewUpgrade } from '#islands/plans/_upgrade-window.ts'

/** What an account tells of its payment. */
export function ReferenceForm({ told }: Pick<OpenRequest, 'told'>) {
  return (
    <UpgradeForm submit="Send payment details" done="Payment details sent">
      <div className="fields-2">
        <SelectField
          label="Payment method"
          hint="How you paid"
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
  )
}

type UpgradeFormProps = { submit: string; done?: string; main?: boolean; children: ReactNode }

/** Each form tells a part of the one request; the dialog then shows what the server made of it. */
export function UpgradeForm({ submit, done, main, children }: UpgradeFormProps) {
  const { form, busy, onSubmit } = useSubmit(
    {
      main: {
        check: () => undefined,
        send: async (fields) => {
          await callApi('POST', '/subscription/upgrade', fields)
          if (done) showToast(done)
          await renewUpgrade()
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
