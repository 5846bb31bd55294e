import type { ReactElement } from 'react'
import { toUpgradeView } from '#actions/plans/decisions.ts'
import type { UpgradeCardView } from '#components/plans/upgrade-card.tsx'
import {
  ApproveUpgrade,
  type MonthsOption,
  RejectUpgrade,
} from '#components/plans/upgrade-decide.tsx'
import { UpgradeDetails } from '#components/plans/upgrade-details.tsx'
import { findPermittedPlan } from '#db/plans/plan-now.ts'
import { getUpgradeRequest, type ListedUpgrade } from '#db/plans/upgrade-decisions.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { managementAction } from '#domain/admin/management.ts'
import { assertNotOwn, DECISION_ACTIONS, type DecisionAction } from '#domain/decision.ts'
import { DomainError } from '#domain/error.ts'
import { effectOf, MONTHS_OFFERED, monthsText, nextTerm } from '#domain/plans/term.ts'
import { paymentMethodLabel, paymentNote } from '#domain/plans/upgrade.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { Form } from '#routes/_http/forms.ts'

/** A refused decision. */
export type RefusedUpgrade = { refusal: DomainError; id: string; values: Form }

/**
 * Renders the dialog that the address asks for, or the one whose fields were refused. Throws not_found, conflict for
 * a decided request, and forbidden for the reader's own.
 */
export async function requestedDialog(
  c: AppContext,
  refused?: RefusedUpgrade,
): Promise<ReactElement | undefined> {
  if (refused) {
    const action = DECISION_ACTIONS.find((each) => each === refused.values.action)
    const isOfFields = refused.refusal.kind === 'invalid'
    return action && isOfFields ? decisionDialog(c, refused.id, action, refused) : undefined
  }
  const query = c.req.query()
  if (query.request) return detailsDialog(c, query.request)
  const action = DECISION_ACTIONS.find((each) => query[each])
  return action && decisionDialog(c, query[action] ?? '', action)
}

async function detailsDialog(c: AppContext, id: string): Promise<ReactElement> {
  const { db, config } = c.var.deps
  const request = await getUpgradeRequest(db, id)
  const { screenshot_url, approved_by, approved_at, decision_notes, receipt_number } =
    toUpgradeView(request)
  const view = {
    ...toCardView(c, request),
    payment_note: paymentNote(id),
    screenshot_url,
    decided_by: approved_by,
    decided: formatDateTime(approved_at, config.timezone),
    decision_notes,
    receipt_number,
  }
  return <UpgradeDetails view={view} />
}

async function decisionDialog(
  c: AppContext,
  id: string,
  action: DecisionAction,
  refused?: RefusedUpgrade,
): Promise<ReactElement> {
  const { db, outbox } = c.var.deps
  const request = await getUpgradeRequest(db, id)
  assertNotOwn(c.var.account?.id ?? null, request.account_id)
  if (request.status !== 'pending') throw new DomainError('conflict.request_decided')
  const form = {
    view: toCardView(c, request),
    action: managementAction('upgrade-requests', `/${id}`),
    mails: outbox.isOpen && request.user_email !== null,
    typed: refused?.values ?? {},
    message: refused?.refusal.message,
  }
  if (action === 'reject') return <RejectUpgrade {...form} />
  const months = { options: await monthsOptions(c, request), loss: lossBy(c, request) }
  return <ApproveUpgrade {...form} {...months} />
}

/** The usual numbers of months and the one asked for, with the day on which the plan ends if it is approved now. */
async function monthsOptions(c: AppContext, request: ListedUpgrade): Promise<MonthsOption[]> {
  const { db, clock, config } = c.var.deps
  const { account_id: id, subscription_plan } = request
  const permitted = await findPermittedPlan(db, { id, subscription_plan })
  const moment = { now: clock(), timezone: config.timezone }
  const offered = new Set<number>(MONTHS_OFFERED)
  if (request.months !== null) offered.add(request.months)
  return [...offered]
    .sort((a, b) => a - b)
    .map((months) => {
      const given = { plan: request.requested_plan, months }
      const { until } = nextTerm(request, given, moment, permitted)
      return { months, until: formatDate(until, config.timezone) }
    })
}

/** Describes the rest of another plan, which an approval ends. */
function lossBy(c: AppContext, request: ListedUpgrade): string | undefined {
  const { clock, config } = c.var.deps
  const { term_plan, term_ends_at, requested_plan } = request
  const isLost = term_ends_at !== null && Date.parse(term_ends_at) > clock().getTime()
  if (!term_plan || !isLost || term_plan === requested_plan) return undefined
  return `${effectOf(requested_plan, term_plan, formatDate(term_ends_at, config.timezone))}.`
}

/** Describes a request for its card and its dialogs. */
export function toCardView(
  c: AppContext,
  request: ListedUpgrade,
  kept: string[] = [],
): UpgradeCardView {
  return {
    id: request.id,
    name: request.user_name,
    contact: request.user_email ?? displayPhone(request.user_mobile ?? ''),
    status: request.status,
    is_own: request.account_id === c.var.account?.id,
    current_plan: request.current_plan,
    requested_plan: request.requested_plan,
    months: request.months,
    amount: request.amount,
    payment_method: paymentMethodLabel(request.payment_method),
    payment_reference: request.payment_reference,
    requested: formatDateTime(request.requested_at, c.var.deps.config.timezone),
    notes: request.notes,
    outcome: kept.includes(request.id) ? outcomeOf(c, request) : null,
  }
}

/** Describes a decision that was made while the list was open; null while the request waits. */
function outcomeOf(c: AppContext, { status, months, term_ends_at }: ListedUpgrade): string | null {
  if (status === 'pending') return null
  if (status === 'rejected') return 'Rejected.'
  if (months === null || term_ends_at === null) return 'Approved without end.'
  const until = formatDate(term_ends_at, c.var.deps.config.timezone)
  return `Approved for ${monthsText(months)}, until ${until}.`
}
