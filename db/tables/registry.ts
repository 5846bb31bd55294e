import type { Tables } from '#db/schema.ts'
import type { Sweep } from '#db/sweep.ts'
import { ACCOUNT_TABLES } from '#db/tables/accounts.ts'
import { ALERT_TABLES } from '#db/tables/alerts.ts'
import { CODE_TABLES } from '#db/tables/codes.ts'
import { CONVERSATION_TABLES } from '#db/tables/conversations.ts'
import { PAPER_TABLES } from '#db/tables/papers.ts'
import { PLAN_TABLES } from '#db/tables/plans.ts'
import type { Kind, Step, Table } from '#db/tables/table.ts'

/**
 * Decides for each table which columns are exported, how the rows of a removed account are deleted,
 * and how long rows are kept.
 */
export const TABLES: Record<keyof Tables, Table> = {
  ...ACCOUNT_TABLES,
  ...PLAN_TABLES,
  ...CODE_TABLES,
  ...PAPER_TABLES,
  ...CONVERSATION_TABLES,
  ...ALERT_TABLES,
}

/** All files of an export. */
export const KINDS: readonly Kind[] = Object.values(TABLES).flatMap(({ exported }) =>
  typeof exported === 'string' ? [] : exported,
)

/**
 * The tables in which a removal has something to do, in order: first the audit log, while the rows that it is about
 * exist, and last the account, after the rows that refer to it.
 */
export const REMOVAL_ORDER = [
  'audit_events',
  'outbox',
  'one_time_codes',
  'transfers',
  'qr_codes',
  'documents',
  'popup_images',
  'upgrade_requests',
  'reports',
  'conversations',
  'conversation_messages',
  'conversation_changes',
  'brands',
  'owner_scans',
  'active_days',
  'idempotency_keys',
  'accounts',
] as const satisfies (keyof Tables)[]

export const STEPS: readonly Step[] = REMOVAL_ORDER.map((table) => TABLES[table].removed as Step)

export const SWEEPS: readonly Sweep[] = Object.values(TABLES).flatMap(({ kept }) =>
  typeof kept === 'string' ? [] : kept,
)
