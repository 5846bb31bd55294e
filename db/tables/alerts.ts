import { endImpossibleWaits } from '#db/alerts/clock-ahead.ts'
import { forgetOldDeliveries } from '#db/alerts/deliveries.ts'
import { resumeEscalations } from '#db/alerts/escalation.ts'
import { forgetScanAlerts } from '#db/alerts/scan-alerts.ts'
import { deleted } from '#db/deletions/steps.ts'
import { deleteAfter } from '#db/sweep.ts'
import { ownCodes } from '#db/tables/rows.ts'
import {
  AS_LONG_AS_PARENT,
  ownTable,
  provenEmail,
  SECRET,
  type Table,
  TECHNICAL,
  WITH_PARENT,
} from '#db/tables/table.ts'

export const ALERT_TABLES = {
  outbox: {
    exported: TECHNICAL,
    removed: (trx, { account }) =>
      deleted(trx.deleteFrom('outbox').where('recipient', '=', provenEmail(account))),
    kept: endImpossibleWaits,
  },
  alert_channels: ownTable(
    'alert_channels',
    'alert-channels',
    ['id', 'kind', 'created_at', 'delivered_at', 'failing_since', 'unreachable_since'],
    'id',
  ),
  alert_choices: ownTable(
    'alert_choices',
    'alert-choices',
    ['is_shared', 'event', 'kind', 'is_on'],
    'is_shared',
    'event',
    'kind',
  ),
  quiet_hours: ownTable('quiet_hours', 'quiet-hours', ['starts', 'ends'], 'starts'),
  escalations: ownTable('escalations', 'escalation', ['minutes'], 'minutes'),
  escalation_places: {
    exported: {
      file: 'escalation-order',
      rows: (db, who) =>
        db
          .selectFrom('escalation_places')
          .innerJoin('shares', 'shares.id', 'escalation_places.share_id')
          .select(['person_id', 'place', 'is_at_once'])
          .where('owner_id', '=', who.id)
          .orderBy('place'),
    },
    removed: WITH_PARENT,
    kept: AS_LONG_AS_PARENT,
  },
  escalation_steps: { exported: TECHNICAL, removed: WITH_PARENT, kept: resumeEscalations },
  scan_alerts: { exported: TECHNICAL, removed: WITH_PARENT, kept: forgetScanAlerts },
  telegram_codes: {
    exported: SECRET,
    removed: WITH_PARENT,
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
    removed: WITH_PARENT,
    kept: forgetOldDeliveries,
  },
} satisfies Record<string, Table>
