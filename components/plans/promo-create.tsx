import { PROMO_FIELDS } from '#components/plans/promo-fields.tsx'
import { Dialog, DialogBody, DialogCancel, DialogFoot } from '#components/ui/dialog.tsx'
import { TextField } from '#components/ui/field.tsx'
import { Outcome } from '#components/ui/outcome.tsx'

export type PromoCreateProps = {
  /** what the code is to give: a plan, as the admin screen has it, or child codes */
  gives: keyof typeof PROMO_FIELDS
  action: string
  timezone: string
  /** what was typed and why it was refused, when the form was sent without script */
  values: Record<string, string>
  message?: string | undefined
}

/** Makes a promo code. */
export function PromoCreate({ gives, action, timezone, values, message }: PromoCreateProps) {
  const Fields = PROMO_FIELDS[gives]
  return (
    <Dialog title="Create promo code" size="small" open>
      <form
        method="post"
        action={action}
        noValidate
        data-enhance
        data-failed="Failed to create promo code"
      >
        <DialogBody>
          <Outcome text={message} isRefused />
          <TextField
            label="Code"
            name="code"
            className="input-upper"
            defaultValue={values.code ?? ''}
            maxLength={40}
            data-action="capitals"
            autoCapitalize="characters"
            autoComplete="off"
            spellCheck={false}
          />
          <Fields values={values} timezone={timezone} />
        </DialogBody>
        <DialogFoot>
          <DialogCancel>Cancel</DialogCancel>
          <button className="btn btn-main" type="submit">
            Create promo code
          </button>
        </DialogFoot>
      </form>
    </Dialog>
  )
}
