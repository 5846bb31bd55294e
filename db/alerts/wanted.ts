import type { ExpressionBuilder } from 'kysely'
import type { Tables } from '#db/schema.ts'
import type { AlertEvent } from '#domain/alerts/alert.ts'

/** Returns whether a code's user chose to hear of an event that is off by default. */
export function wantsAlerts(
  { exists, selectFrom, fn }: ExpressionBuilder<Tables, 'qr_codes'>,
  event: AlertEvent,
) {
  return exists(
    selectFrom('alert_choices')
      .select('alert_choices.event')
      .whereRef('alert_choices.account_id', '=', fn.coalesce('child_account_id', 'owner_id'))
      .where('alert_choices.event', '=', event)
      .where('alert_choices.is_on', '=', 1),
  )
}
