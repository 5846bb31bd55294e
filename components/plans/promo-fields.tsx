import { SelectField, TextField } from '#components/forms/field.tsx'
import { formatCount } from '#domain/number.ts'
import { PAID_PLANS, PLANS } from '#domain/plans/plan.ts'
import { CHILD_PROMO, PROMO_USAGE_LIMIT } from '#domain/plans/promo.ts'
import { MOST_MONTHS } from '#domain/plans/term.ts'

type Fields = Record<string, string>

/** The fields of the form, by the benefit of the promo code. */
export const PROMO_FIELDS = { plan: PlanFields, child: ChildFields }

/** The expiry has a name of its own in each form. */
export type PromoField =
  | 'code'
  | 'subscription_plan'
  | 'plan_months'
  | 'usage_limit'
  | 'child_qr_quantity'
  | 'expiry'

type FieldsProps = {
  values: Fields
  errors: Partial<Record<PromoField, string>>
  timezone: string
}

function PlanFields({ values, errors, timezone }: FieldsProps) {
  const wantsApproval = (values.requires_approval ?? 'on') === 'on'
  return (
    <>
      <div className="fields-2">
        <SelectField
          label="Plan"
          name="subscription_plan"
          defaultValue={values.subscription_plan ?? 'premium'}
          error={errors.subscription_plan}
        >
          {PAID_PLANS.map((plan) => (
            <option key={plan} value={plan}>
              {PLANS[plan].name}
            </option>
          ))}
        </SelectField>
        <TextField
          label="Usage limit"
          name="usage_limit"
          type="number"
          inputMode="numeric"
          min={1}
          defaultValue={values.usage_limit ?? String(PROMO_USAGE_LIMIT)}
          error={errors.usage_limit}
        />
      </div>
      <TextField
        label="Months"
        hint="For how long it gives the plan; empty for no end"
        optional
        name="plan_months"
        type="number"
        inputMode="numeric"
        min={1}
        max={MOST_MONTHS}
        defaultValue={values.plan_months ?? ''}
        error={errors.plan_months}
      />
      <EndField label="Expires" name="expires_at" {...{ values, errors, timezone }} />
      <input type="hidden" name="requires_approval" value="off" />
      <label className="toggle">
        <input type="checkbox" name="requires_approval" defaultChecked={wantsApproval} />
        Requires approval
      </label>
    </>
  )
}

function ChildFields({ values, errors, timezone }: FieldsProps) {
  const { discount_value, max_uses } = CHILD_PROMO
  return (
    <>
      <TextField
        label="Child QR quantity"
        name="child_qr_quantity"
        type="number"
        inputMode="numeric"
        min={1}
        defaultValue={values.child_qr_quantity ?? '0'}
        error={errors.child_qr_quantity}
      />
      <EndField label="Expiry" name="expiry_date" {...{ values, errors, timezone }} />
      <p className="small soft">
        {`For up to ${formatCount(max_uses)} accounts, without approval. It also takes ${discount_value}% off the next upgrade.`}
      </p>
    </>
  )
}

function EndField({
  label,
  name,
  values,
  errors,
  timezone,
}: FieldsProps & { label: string; name: string }) {
  return (
    <TextField
      label={label}
      hint={`Date and time in ${timezone}`}
      optional
      name={name}
      type="datetime-local"
      defaultValue={values[name] ?? ''}
      error={errors.expiry}
    />
  )
}
