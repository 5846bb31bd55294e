import { endImpossibleWaits } from '#db/alerts/clock-ahead.ts'
import { forgetOldDeliveries } from '#db/alerts/deliveries.ts'
import { forgetScanAlerts } from '#db/alerts/scan-alerts.ts'
import { deleted } from '#db/deletions/steps.ts'
import { deleteAfter } from '#db/sweep.ts'
import { ownCodes } from '#db/tables/rows.ts'
import { AS_LONG, ownRows, SECRET, type Table, TECHNICAL, WITH_IT } from '#db/tables/table.ts'

export const ALERT_TABLES = {
  outbox: {
    exported: TECHNICAL,
    removed: (trx, { account: { email } }) =>
      deleted(trx.deleteFrom('outbox').where('recipient', '=', email ?? '')),
    kept: endImpossibleWaits,
  },
  alert_channels: {
    exported: {
      file: 'alert-channels',
      rows: ownRows(
        'alert_channels',
        ['id', 'kind', 'created_at', 'delivered_at', 'failing_since', 'unreachable_since'],
        'id',
      ),
    },
    removed: WITH_IT,
    kept: AS_LONG,
  },
  alert_choices: {
    exported: {
      file: 'alert-choices',
      rows: ownRows('alert_choices', ['event', 'kind', 'is_on'], 'event', 'kind'),
    },
    removed: WITH_IT,
    kept: AS_LONG,
  },
  quiet_hours: {
    exported: { file: 'quiet-hours', rows: ownRows('quiet_hours', ['starts', 'ends'], 'starts') },
    removed: WITH_IT,
    kept: AS_LONG,
  },
  scan_alerts: { exported: TECHNICAL, removed: WITH_IT, kept: forgetScanAlerts },
  telegram_codes: {
    exported: SECRET,
    removed: WITH_IT,
    kept: deleteAfter('telegram_codes', 'expires_at'),
  },
  webhook_deliveries: {
    exported: {
      file: 'webhook-deliveries',
      rows: (db, who) =>
        db
          .selectFrom('webhook_deliveries')
          .innerJoin('alert_channels', 'alert_channels.id', 'webhook_deliveries.channel_id')
          .select(['channel_id', 'event', 'webhook_deliveries.created_at', 'attempts'])
          // A code that somebody else has may have another id since.
          .select(({ eb, ref }) =>
            eb.case().when('qr_id', 'in', ownCodes(db, who)).then(ref('qr_id')).end().as('qr_id'),
          )
          .select(['status', 'answer'])
          .where('account_id', '=', who.id)
          .orderBy('webhook_deliveries.id'),
    },
    removed: WITH_IT,
    kept: forgetOldDeliveries,
  },
} satisfies Record<string, Table>
