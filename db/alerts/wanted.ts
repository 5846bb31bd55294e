import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { AlertEvent } from '#domain/alerts/alert.ts'

/** Returns whether a code's user chose to hear of an event of own codes that is off by default. */
export function wantsAlerts(
  { exists, selectFrom, fn }: ExpressionBuilder<Tables, 'qr_codes'>,
  event: AlertEvent,
) {
  return exists(
    selectFrom('alert_choices')
      .select('alert_choices.event')
      .whereRef('alert_choices.account_id', '=', fn.coalesce('child_account_id', 'owner_id'))
      .where('alert_choices.is_shared', '=', 0)
      .where('alert_choices.event', '=', event)
      .where('alert_choices.is_on', '=', 1),
  )
}

/** Returns whether one of the owner's people chose to hear of scans of shared codes. A child code has its child user. */
export function isSharedWithScanAlerts({
  and,
  eb,
  exists,
  selectFrom,
}: ExpressionBuilder<Tables, 'qr_codes'>) {
  const people = selectFrom('shares')
    .innerJoin('alert_choices', 'alert_choices.account_id', 'shares.person_id')
    .select('shares.id')
    .whereRef('shares.owner_id', '=', 'qr_codes.owner_id')
    .where('alert_choices.is_shared', '=', 1)
    .where('alert_choices.event', '=', 'scan')
    .where('alert_choices.is_on', '=', 1)
  return and([eb('qr_codes.qr_type', '!=', 'child'), exists(people)])
}
