import { TextField } from '#components/forms/field.tsx'
import type { UpgradeView } from '#components/plans/upgrade-view.ts'
import { Note } from '#components/ui/note.tsx'
import { upgradeAction } from '#domain/dashboard.ts'
import { PLANS } from '#domain/plans/plan.ts'
import { REDEMPTION_TEXTS } from '#domain/plans/promo-notice.ts'

/** Redeems a promo code, which is in capitals however it is typed. */
export function PromoTab({ view }: { view: UpgradeView }) {
  const { code = '', problem, earlier, waiting, mails, current, until } = view
  return (
    <form
      className="stack"
      method="post"
      action={upgradeAction('/redeem')}
      noValidate
      data-enhance
      data-failed="Failed to redeem promo code"
    >
      {waiting.map((each) => (
        <Note key={each.code} icon="clock" title={REDEMPTION_TEXTS.pending}>
          {`${each.code}: ${each.benefit}`}
        </Note>
      ))}
      <TextField
        label="Promo code"
        hint="One use per account"
        error={problem}
        name="code"
        className="input-code input-upper"
        defaultValue={code}
        data-action="capitals"
        autoCapitalize="characters"
        autoComplete="off"
        spellCheck={false}
      />
      {earlier && <Note title={REDEMPTION_TEXTS[earlier.status]}>{earlier.text}</Note>}
      <button className="btn btn-main btn-block" type="submit">
        Redeem
      </button>
      <Note>
        Some codes need approval, about 24-48 hours.
        {mails && ' We send you an email.'}
        {until &&
          ` A code for a higher plan with an end starts at once: what is left of ${PLANS[current].name}, until ${until}, is lost.`}
      </Note>
    </form>
  )
}
