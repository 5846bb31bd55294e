import type { ReactElement } from 'react'
import { toUpgradeView } from '#actions/plans/decisions.ts'
import type { UpgradeCardView } from '#components/plans/upgrade-card.tsx'
import { type MonthsOption, UpgradeDetails } from '#components/plans/upgrade-details.tsx'
import { findPermittedPlan } from '#db/plans/plan-now.ts'
import { getUpgradeRequest, type ListedUpgrade } from '#db/plans/upgrade-decisions.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { managementAction } from '#domain/admin/management.ts'
import { effectOf, MOST_MONTHS, nextTerm } from '#domain/plans/term.ts'
import { paymentMethodLabel, paymentNote } from '#domain/plans/upgrade.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the dialog of a request. */
export async function detailsDialog(c: AppContext, id: string): Promise<ReactElement> {
  const { db, config, outbox } = c.var.deps
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
  const mails = outbox.isOpen && request.user_email !== null
  const action = managementAction('upgrade-requests', `/${id}`)
  const months = { options: await monthsOptions(c, request), loss: lossBy(c, request) }
  return <UpgradeDetails view={view} action={action} mails={mails} {...months} />
}

/** Each number of months with the day on which the plan ends if it is approved now. */
async function monthsOptions(c: AppContext, request: ListedUpgrade): Promise<MonthsOption[]> {
  const { db, clock, config } = c.var.deps
  const { account_id: id, subscription_plan } = request
  const permitted = await findPermittedPlan(db, { id, subscription_plan })
  const moment = { now: clock(), timezone: config.timezone }
  return Array.from({ length: MOST_MONTHS }, (_, i) => {
    const given = { plan: request.requested_plan, months: i + 1 }
    const { until } = nextTerm(request, given, moment, permitted)
    return { months: given.months, until: formatDate(until, config.timezone) }
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

/** Describes a request for its card and its dialog. */
export function toCardView(c: AppContext, request: ListedUpgrade): UpgradeCardView {
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
  }
}
