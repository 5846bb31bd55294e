import { type NotNull, type SqlBool, sql } from 'kysely'
import type { DbOrTrx } from '#db/client.ts'
import { openReports, readSnapshot } from '#db/conversations/moderated-reports.ts'
import { pendingOf } from '#db/plans/decisions.ts'
import type { Instant } from '#db/schema.ts'
import { countOpenTickets, lastOfCustomer } from '#db/tickets/tickets.ts'
import { isAdmin, type Role } from '#domain/accounts/roles.ts'
import { WAITING_SHOWN, type WaitingKind, waitingKindsOf } from '#domain/admin/waiting.ts'
import type { ReportKind, ReportReason } from '#domain/conversations/report.ts'
import type { PaidPlan, PlanId } from '#domain/plans/plan.ts'
import type { PromoBenefit } from '#domain/plans/promo.ts'
import { planNow } from '#domain/plans/term.ts'

export type WaitingForAdmins = {
  redemptions: number
  upgrades: number
  reports: number
  tickets: number
}

/** Counts the items that wait for admins. Every tab of the management page asks, so it is one statement. */
export async function countWaitingForAdmins(db: DbOrTrx): Promise<WaitingForAdmins> {
  return db
    .selectNoFrom([
      pendingOf(db, 'promo_redemptions').as('redemptions'),
      pendingOf(db, 'upgrade_requests').as('upgrades'),
      openReports(db).as('reports'),
      countOpenTickets(db).as('tickets'),
    ])
    .$narrowType<{ redemptions: NotNull; upgrades: NotNull; reports: NotNull; tickets: NotNull }>()
    .executeTakeFirstOrThrow()
}

/** Work that waits for the staff, since `since`. */
export type WaitingItem = { id: string; since: Instant } & (
  | { kind: 'report'; reason: ReportReason; about: ReportKind; code: ReportedCodeNames }
  | { kind: 'ticket'; subject: string; name: string; plan: PlanId }
  | { kind: 'upgrade'; name: string; plan: PaidPlan; payment: WaitingPayment }
  | { kind: 'redemption'; name: string; code: string; benefit: PromoBenefit }
)

/** The names of a code that its page showed when it was reported. */
type ReportedCodeNames = {
  qr_id: string
  vehicle_registration: string | null
  owner_name: string | null
}

/** `amount` in whole rupees, for all months. */
type WaitingPayment = {
  months: number | null
  amount: number
  payment_method: string | null
  payment_reference: string | null
}

type Viewer = { id: string; role: Role }

/**
 * Lists the work that the viewer may do, the oldest first, and whether there is more of it. It lacks the viewer's own
 * requests and reports of own pages, which others decide; moderators have reports only, without those of admins' pages.
 */
export async function listWaiting(
  db: DbOrTrx,
  viewer: Viewer,
  now: Date,
): Promise<{ items: WaitingItem[]; hasMore: boolean }> {
  const found = await Promise.all(
    waitingKindsOf(viewer.role).map((kind) => LISTS[kind](db, viewer, now)),
  )
  const all = found.flat().sort((a, b) => (a.since < b.since ? -1 : 1))
  return { items: all.slice(0, WAITING_SHOWN), hasMore: all.length > WAITING_SHOWN }
}

type List = (db: DbOrTrx, viewer: Viewer, now: Date) => Promise<WaitingItem[]>

const LISTS: Record<WaitingKind, List> = {
  report: listReports,
  ticket: listTickets,
  upgrade: listUpgrades,
  redemption: listRedemptions,
}

/** One row more shows that there are more. */
const ROWS_READ = WAITING_SHOWN + 1

async function listReports(db: DbOrTrx, { id: viewer, role }: Viewer): Promise<WaitingItem[]> {
  const rows = await db
    .selectFrom('reports')
    .innerJoin('accounts', 'accounts.id', 'reports.account_id')
    .leftJoin('qr_codes', 'qr_codes.qr_id', 'reports.qr_id')
    .leftJoin('accounts as owner', 'owner.id', 'qr_codes.owner_id')
    .select(['reports.id', 'reports.kind', 'reason', 'reports.qr_id', 'snapshot'])
    .select('reports.created_at')
    .where('reports.status', '=', 'open')
    .where((eb) => {
      const isForeign = [
        eb('reports.account_id', '<>', viewer),
        eb(eb.fn.coalesce('owner.id', eb.val('')), '<>', viewer),
      ]
      const isBelow = [
        eb('accounts.role', 'not in', ['admin', 'super_admin']),
        eb(eb.fn.coalesce('owner.role', eb.val('client')), 'not in', ['admin', 'super_admin']),
      ]
      return eb.or([
        eb('reports.kind', '=', 'conversation'),
        eb.and([...isForeign, ...(isAdmin(role) ? [] : isBelow)]),
      ])
    })
    .orderBy('reports.created_at')
    .orderBy('reports.id')
    .limit(ROWS_READ)
    .execute()
  return rows.map(({ id, kind: about, reason, qr_id, snapshot, created_at }) => {
    const read = readSnapshot({ kind: about, snapshot })
    const { vehicle_registration, owner_name } =
      read.kind === 'page' ? read.snapshot.fields : read.snapshot
    const code = { qr_id, vehicle_registration, owner_name }
    return { kind: 'report', id, since: created_at, reason, about, code }
  })
}

async function listTickets(db: DbOrTrx, _viewer: Viewer, now: Date): Promise<WaitingItem[]> {
  const rows = await db
    .selectFrom('conversations')
    .innerJoin('accounts', 'accounts.id', 'conversations.account_id')
    // In words, or the index for these is not found.
    .where(sql<SqlBool>`conversations.kind = 'support'`)
    .where('conversations.status', '=', 'open')
    .select(['conversations.id', 'subject', 'accounts.name'])
    .select(['accounts.subscription_plan', 'accounts.term_plan', 'accounts.term_ends_at'])
    .select((eb) => lastOfCustomer(eb).as('since'))
    .$narrowType<{ since: NotNull }>()
    .orderBy('last_message_at')
    .orderBy('conversations.id')
    .limit(ROWS_READ)
    .execute()
  return rows.map(({ id, subject, since, name, ...plans }) => ({
    kind: 'ticket',
    id,
    since,
    subject: subject ?? '',
    name,
    plan: planNow(plans, now),
  }))
}

async function listUpgrades(db: DbOrTrx, { id: viewer }: Viewer): Promise<WaitingItem[]> {
  const rows = await db
    .selectFrom('upgrade_requests')
    .innerJoin('accounts', 'accounts.id', 'upgrade_requests.account_id')
    .where('status', '=', 'pending')
    .where('account_id', '<>', viewer)
    .select(['upgrade_requests.id', 'requested_at', 'requested_plan', 'accounts.name'])
    .select(['months', 'amount', 'payment_method', 'payment_reference'])
    .orderBy('requested_at')
    .orderBy('upgrade_requests.id')
    .limit(ROWS_READ)
    .execute()
  return rows.map(({ id, requested_at, requested_plan, name, ...payment }) => ({
    kind: 'upgrade',
    id,
    since: requested_at,
    name,
    plan: requested_plan,
    payment,
  }))
}

async function listRedemptions(db: DbOrTrx, { id: viewer }: Viewer): Promise<WaitingItem[]> {
  const rows = await db
    .selectFrom('promo_redemptions')
    .innerJoin('accounts', 'accounts.id', 'promo_redemptions.account_id')
    .where('status', '=', 'pending')
    .where('account_id', '<>', viewer)
    .select(['promo_redemptions.id', 'code', 'redeemed_at', 'accounts.name'])
    .select(['promo_redemptions.subscription_plan', 'plan_months'])
    .select(['child_qr_quantity', 'discount_value'])
    .orderBy('redeemed_at')
    .orderBy('promo_redemptions.id')
    .limit(ROWS_READ)
    .execute()
  return rows.map(({ id, code, redeemed_at, name, ...benefit }) => ({
    kind: 'redemption',
    id,
    since: redeemed_at,
    name,
    code,
    benefit,
  }))
}
