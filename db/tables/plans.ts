import { withFiles } from '#db/deletions/steps.ts'
import { ABOUT_NO_ACCOUNT, AS_LONG_AS_PARENT, ownTable, type Table } from '#db/tables/table.ts'

export const PLAN_TABLES = {
  promo_codes: ABOUT_NO_ACCOUNT,
  promo_redemptions: ownTable(
    'promo_redemptions',
    'promo-codes',
    [
      'id',
      'code',
      'subscription_plan',
      'child_qr_quantity',
      'discount_value',
      'status',
      'redeemed_at',
      'decided_at',
      'plan_months',
    ],
    'id',
  ),
  upgrade_requests: {
    exported: {
      file: 'upgrade-requests',
      folder: 'payments',
      rows: (db, { id }) =>
        db
          .selectFrom('upgrade_requests')
          .select(['id', 'current_plan', 'requested_plan', 'amount', 'discount', 'months'])
          .select(['payment_method', 'payment_reference', 'notes', 'status', 'requested_at'])
          .select(['approved_at', 'decision_notes', 'screenshot_name as stored_name'])
          .where('account_id', '=', id)
          .orderBy('id'),
    },
    removed: withFiles('upgrade_requests', 'screenshot_name'),
    kept: AS_LONG_AS_PARENT,
  },
  receipt_years: ABOUT_NO_ACCOUNT,
  receipts: {
    exported: {
      file: 'receipts',
      rows: (db, { id }) =>
        db
          .selectFrom('receipts')
          .select(['number', 'account_name', 'account_contact', 'issued_at', 'plan', 'months'])
          .select(['starts_at', 'ends_at', 'amount', 'discount', 'promo_code', 'payment_method'])
          .select(['payment_reference', 'operator_name', 'operator_address', 'operator_contact'])
          .select(['gstin', 'gst_rate'])
          .where('account_id', '=', id)
          .orderBy('number'),
    },
    removed: 'stays, because the law requires it, without a reference to the account',
    kept: 'because the law requires it',
  },
} satisfies Record<string, Table>
