import { TextField } from '#components/forms/field.tsx'
import { FormDialog } from '#components/forms/form-dialog.tsx'
import { type About, type Problem, placeBy } from '#components/forms/place-problem.ts'
import { PROMO_FIELDS, type PromoField } from '#components/plans/promo-fields.tsx'

export type PromoCreateProps = {
  /** what the code is to give: a plan, as the admin screen has it, or child codes */
  gives: keyof typeof PROMO_FIELDS
  action: string
  timezone: string
  /** the typed fields and the problem of a form that was refused without script */
  values: Record<string, string>
  problem?: Problem | undefined
}

const ABOUT: About<PromoField> = {
  'conflict.promo_exists': 'code',
  'invalid.expiry': 'expiry',
  'invalid.expiry_past': 'expiry',
  'invalid.promo_empty': 'subscription_plan',
  'invalid.promo_missing': 'code',
  'invalid.promo_months': 'plan_months',
  'invalid.promo_spaces': 'code',
  'Child QR quantity': 'child_qr_quantity',
  'Promo code': 'code',
  'Usage limit': 'usage_limit',
  plan_months: 'plan_months',
}
const IN_FORM: Record<PromoCreateProps['gives'], PromoField[]> = {
  plan: ['code', 'subscription_plan', 'plan_months', 'usage_limit', 'expiry'],
  child: ['code', 'child_qr_quantity', 'expiry'],
}

/** Makes a promo code. */
export function PromoCreate({ gives, action, timezone, values, problem }: PromoCreateProps) {
  const Fields = PROMO_FIELDS[gives]
  const { at, elsewhere } = placeBy(ABOUT, problem, (field) => IN_FORM[gives].includes(field))
  return (
    <FormDialog
      title="Create promo code"
      submit="Create promo code"
      action={action}
      message={elsewhere}
      noValidate
      failed="Failed to create promo code"
    >
      <TextField
        label="Code"
        name="code"
        className="input-upper"
        defaultValue={values.code ?? ''}
        error={at.code}
        maxLength={40}
        data-action="capitals"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
      <Fields values={values} errors={at} timezone={timezone} />
    </FormDialog>
  )
}
