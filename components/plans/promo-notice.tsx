import { Icon } from '#components/icons/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import type { DecisionStatus } from '#domain/decision.ts'
import { REDEMPTION_TEXTS } from '#domain/plans/promo-notice.ts'

const TONES = { pending: 'info', approved: 'go', rejected: 'warn' } as const

export type RedeemedCode = { code: string; status: DecisionStatus; benefit: string }

type PromoNoticesProps = {
  account_id: string
  redemptions: RedeemedCode[]
  /** the promo code that was just redeemed */
  made?: RedeemedCode | undefined
}

/**
 * The benefits of promo codes. A script shows the one that it keeps in the browser for 24 hours,
 * until it is dismissed.
 */
export function PromoNotices({ account_id, redemptions, made }: PromoNoticesProps) {
  return (
    <div
      id="promo-notices"
      hidden
      data-account={account_id}
      data-made={made && JSON.stringify(made)}
    >
      {redemptions.map((each) => (
        <template key={each.code} data-code={each.code}>
          <PromoNotice redeemed={each} />
        </template>
      ))}
    </div>
  )
}

function PromoNotice({ redeemed: { code, status, benefit } }: { redeemed: RedeemedCode }) {
  const dismiss = (
    <button
      className="btn btn-quiet btn-icon btn-sm"
      type="button"
      aria-label="Dismiss"
      data-action="drop-promo-notice"
    >
      <Icon name="close" />
    </button>
  )
  return (
    <Note tone={TONES[status]} icon="ticket" title={REDEMPTION_TEXTS[status]} action={dismiss}>
      {`${code}: ${benefit}`}
    </Note>
  )
}
