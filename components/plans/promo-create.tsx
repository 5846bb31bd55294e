import { TextField } from '#components/forms/field.tsx'
import { PROMO_FIELDS } from '#components/plans/promo-fields.tsx'
import { FormDialog } from '#components/ui/form-dialog.tsx'
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
    <FormDialog
      title="Create promo code"
      submit="Create promo code"
      action={action}
      noValidate
      failed="Failed to create promo code"
    >
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
    </FormDialog>
  )
}
