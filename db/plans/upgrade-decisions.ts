import { type Actor, recordAdminAct } from '#db/admin/audit-events.ts'
import { toInstant } from '#db/cast.ts'
import type { Db, DbOrTrx, Trx } from '#db/client.ts'
import { containsText } from '#db/codes/qr-search.ts'
import type { Notify } from '#db/outbox.ts'
import { pageOf } from '#db/pages.ts'
import { giveUpgrade, type PlanChange } from '#db/plans/benefits.ts'
import {
  type AccountAndDecider,
  type Decision,
  type DecisionPage,
  isAboutAccount,
  isWaiting,
} from '#db/plans/decisions.ts'
import { type Issuer, issueReceipt, NO_ISSUER } from '#db/plans/receipts.ts'
import type { UpgradeRequest } from '#db/plans/upgrade-requests.ts'
import { inTransaction } from '#db/transaction.ts'
import { assertNotOwn, DECIDED } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { formatRupees } from '#domain/number.ts'
import type { PaidPlan } from '#domain/plans/plan.ts'
import { assertMonths, type Plans } from '#domain/plans/term.ts'
import { needsSeenPayment } from '#domain/plans/upgrade.ts'

/** An upgrade request as an admin sees it, with the plans of its account and the receipt. */
export type ListedUpgrade = UpgradeRequest &
  AccountAndDecider &
  Plans & { receipt_number: string | null }

/**
 * `requested_plan` and `amount` are the values that the admin saw. The account may change them
 * until the decision.
 */
export type UpgradeDecision = Decision & {
  notes: string | null
  requested_plan?: PaidPlan | undefined
  amount?: number | undefined
  /** approved; null or missing without end */
  months?: number | null
  /** the admin saw the amount arrive */
  payment_seen?: boolean | undefined
}

/** Returns a page of upgrade requests, pending ones first, then the newest, and the total number. */
export async function listUpgradeRequests(
  db: DbOrTrx,
  { status, search, kept, ...page }: DecisionPage = {},
): Promise<{ upgrade_requests: ListedUpgrade[]; total: number }> {
  let found = selectUpgrades(db)
  const waits = isWaiting('upgrade_requests', kept)
  if (status === 'pending') found = found.where(waits)
  else if (status) found = found.where('status', '=', status)
  if (search) {
    found = found.where((eb) =>
      eb.or([
        isAboutAccount(eb, search),
        containsText(eb.ref('payment_reference'), search),
        containsText(eb.ref('upgrade_requests.id'), withoutBrand(search)),
      ]),
    )
  }
  const inOrder = found
    .orderBy(waits, 'desc')
    .orderBy('requested_at', 'desc')
    .orderBy('upgrade_requests.id')
  const { rows, total } = await pageOf(inOrder, page)
  return { upgrade_requests: rows, total }
}

/** Bank statements show `DriveQR`, or `QR` where that is hidden, and the beginning of the request's id. */
function withoutBrand(search: string): string {
  return search.replace(/^(?:drive)?qr\s+/i, '')
}

function selectUpgrades(db: DbOrTrx) {
  return db
    .selectFrom('upgrade_requests')
    .innerJoin('accounts', 'accounts.id', 'upgrade_requests.account_id')
    .leftJoin('accounts as decider', 'decider.id', 'approved_by')
    .selectAll('upgrade_requests')
    .select(['accounts.name as user_name', 'accounts.email as user_email'])
    .select(['accounts.mobile as user_mobile', 'decider.name as decider_name'])
    .select(['accounts.subscription_plan', 'accounts.term_plan', 'accounts.term_ends_at'])
    .select(({ selectFrom }) =>
      selectFrom('receipts')
        .select('number')
        .whereRef('upgrade_request_id', '=', 'upgrade_requests.id')
        .as('receipt_number'),
    )
}

/** Throws not_found. */
export async function getUpgradeRequest(db: DbOrTrx, id: string): Promise<ListedUpgrade> {
  return selectUpgrades(db)
    .where('upgrade_requests.id', '=', id)
    .executeTakeFirstOrThrow(() => new DomainError('not_found.upgrade_request'))
}

/**
 * Decides a pending upgrade request, once. Approval gives the plan for its months, and issues the next
 * receipt. Throws not_found, forbidden for the actor's own, conflict when it is decided or is now for another plan or
 * amount, and invalid for months out of range and for a payment that nobody has named or seen.
 */
export async function decideUpgradeRequest(
  db: Db,
  decision: UpgradeDecision,
  actor: Actor,
  now: Date,
  notify: Notify<ListedUpgrade>,
  issuer: Issuer = NO_ISSUER,
): Promise<ListedUpgrade> {
  const { id, action, notes, months = null } = decision
  assertMonths(months)
  return inTransaction(db, async (trx) => {
    const request = await getUpgradeRequest(trx, id)
    const { requested_plan: plan, amount, account_id } = request
    assertNotOwn(actor.actor_id, account_id)
    assertAsSeen(request, decision)
    const status = DECIDED[action]
    const by = { approved_by: actor.actor_id, approved_at: toInstant(now) }
    const { numUpdatedRows } = await trx
      .updateTable('upgrade_requests')
      .set({ status, ...by, decision_notes: notes })
      .$if(status === 'approved', (query) => query.set({ months }))
      .where('id', '=', id)
      .where('status', '=', 'pending')
      .where('requested_plan', '=', plan)
      .where('amount', '=', amount)
      .executeTakeFirst()
    if (!numUpdatedRows) throw new DomainError('conflict.request_decided')
    const isSeen = action === 'approve' && needsSeenPayment(request)
    await carryOut(trx, await getUpgradeRequest(trx, id), { actor, now, issuer, isSeen })
    const decided = await getUpgradeRequest(trx, id)
    await notify(trx, decided)
    return decided
  })
}

/** Throws conflict for another plan or amount than the admin saw, and invalid for a payment that nobody has named or seen. */
function assertAsSeen(
  request: ListedUpgrade,
  { action, requested_plan, amount, payment_seen }: UpgradeDecision,
): void {
  if (requested_plan && requested_plan !== request.requested_plan) {
    throw new DomainError('conflict.other_plan')
  }
  if (amount !== undefined && amount !== request.amount) {
    throw new DomainError('conflict.other_amount')
  }
  const isOpen = request.status === 'pending' && action === 'approve'
  if (isOpen && needsSeenPayment(request) && !payment_seen) {
    const values = { amount: formatRupees(request.amount) }
    throw new DomainError({ code: 'invalid.payment_unseen', values })
  }
}

/** `isSeen`: the actor says that the money arrived, which nothing else shows. */
type Deciding = { actor: Actor; now: Date; issuer: Issuer; isSeen: boolean }

/** Applies a decision, and records the change. */
async function carryOut(
  trx: Trx,
  decided: ListedUpgrade,
  { actor, now, issuer, isSeen }: Deciding,
): Promise<void> {
  const { id, account_id, status, requested_plan: plan, months } = decided
  let change: PlanChange = { before: { status: 'pending' }, after: { status } }
  if (status === 'approved') {
    const given = { plan, months }
    const term = await giveUpgrade(trx, account_id, given, { now, timezone: issuer.timezone })
    await issueReceipt(trx, decided, term, issuer, now)
    const after = isSeen ? { ...term.after, payment_seen: true } : term.after
    change = { before: term.before, after }
  }
  const subject = { subject_type: 'upgrade_request', subject_id: id }
  await recordAdminAct(trx, { ...actor, ...subject, action: `upgrade.${status}`, ...change }, now)
}
