import { useEffect, useSyncExternalStore } from 'react'
import { Icon } from '#components/ui/icon.tsx'
import { Note } from '#components/ui/note.tsx'
import { noticeNow, type RedeemedCode, readPromoNotice } from '#domain/plans/promo-notice.ts'
import { dropPromoNotice, keptPromoNotice, watchPromoNotice } from '#islands/plans/_promo-notice.ts'

const TONES = { pending: 'info', approved: 'go', rejected: 'warn' } as const

/**
 * What a promo code brought, for 24 hours or until it is dismissed. The server knows nothing of
 * it but what became of the redemption: the notice appears when the island is there.
 */
export function PromoNotice({
  account_id,
  redemptions,
}: {
  account_id: string
  redemptions: RedeemedCode[]
}) {
  const stored = useSyncExternalStore(watchPromoNotice, keptPromoNotice, () => null)
  const notice = readPromoNotice(stored, account_id, new Date())
  const isBroken = stored !== null && !notice
  useEffect(() => {
    if (isBroken) dropPromoNotice()
  }, [isBroken])
  if (!notice) return null
  const { status, message } = noticeNow(notice, redemptions)
  const dismiss = (
    <button
      className="btn btn-quiet btn-icon btn-sm"
      type="button"
      aria-label="Dismiss"
      onClick={dropPromoNotice}
    >
      <Icon name="close" />
    </button>
  )
  return (
    <Note tone={TONES[status]} icon="ticket" title={message} action={dismiss}>
      {`${notice.promo_code}: ${notice.benefit}`}
    </Note>
  )
}
