import type { ReactElement } from 'react'
import { toUpgradeView } from '#actions/plans/decisions.ts'
import { UpgradeCard, type UpgradeCardView } from '#components/plans/upgrade-card.tsx'
import { type MonthsOption, UpgradeDetails } from '#components/plans/upgrade-details.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { countPending } from '#db/plans/decisions.ts'
import { findPermittedPlan } from '#db/plans/plan-now.ts'
import {
  getUpgradeRequest,
  type ListedUpgrade,
  listUpgradeRequests,
} from '#db/plans/upgrade-decisions.ts'
import type { Account } from '#db/schema.ts'
import { displayMobile } from '#domain/accounts/contact.ts'
import { managementAction } from '#domain/admin/management.ts'
import { DECISION_FILTERS, findDecisionStatus } from '#domain/decision.ts'
import type { DomainError } from '#domain/error.ts'
import { effectOf, MOST_MONTHS, nextTerm } from '#domain/plans/term.ts'
import { paymentMethodLabel, paymentNote } from '#domain/plans/upgrade.ts'
import { formatDate, formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { ListOutcome, renderList } from '#routes/_admin/lists.tsx'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'

const TAB = 'upgrade-requests'

/** Renders the upgrade requests, pending ones first. */
export async function renderUpgradeRequests(
  c: AppContext,
  account: Account,
  refusal?: DomainError,
): Promise<Response> {
  const id = c.req.query('request')
  const dialog = id && !refusal ? await detailsDialog(c, id) : undefined
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c, refusal)
  return renderManagement(
    c,
    account,
    {
      title: 'Upgrade Requests',
      tab: TAB,
      failure: 'Failed to fetch upgrade requests',
      dialog,
    },
    panel,
  )
}

async function detailsDialog(c: AppContext, id: string): Promise<ReactElement> {
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
  const action = managementAction(TAB, `/${id}`)
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

async function renderPanel(c: AppContext, refusal: DomainError | undefined): Promise<ReactElement> {
  const { db } = c.var.deps
  const status = findDecisionStatus(c.req.query('status'))
  const list = await renderList(c, {
    action: '/admin-dashboard',
    fields: { tab: TAB },
    label: 'Search by name, email or payment',
    filter: { name: 'status', label: 'Status', value: status, options: DECISION_FILTERS },
    async read(wanted) {
      const { upgrade_requests, total } = await listUpgradeRequests(db, { ...wanted, status })
      return { rows: upgrade_requests.map((request) => toCardView(c, request)), total }
    },
    show: (views) => (
      <section className="cards cards-20" aria-label="Upgrade requests">
        {views.map((view) => (
          <UpgradeCard key={view.id} view={view} />
        ))}
      </section>
    ),
    none: (narrowed) => <NoRequests narrowed={narrowed} />,
  })
  return (
    <>
      <Head pending={await countPending(db, 'upgrade_requests')} />
      <ListOutcome c={c} refusal={refusal} />
      {list}
    </>
  )
}

function Head({ pending }: { pending: number }) {
  return (
    <div className="head">
      <h2>Upgrade Requests</h2>
      {pending > 0 && <Badge tone="warn" dot="full">{`${pending} pending`}</Badge>}
    </div>
  )
}

function NoRequests({ narrowed }: { narrowed: boolean }) {
  return (
    <Empty icon="crown" title="No upgrade requests found" heading="h3">
      <p>
        {narrowed
          ? 'Search for a part of a name, an email or a payment reference, or choose another status.'
          : 'Requests for a paid plan are listed here for you to decide.'}
      </p>
    </Empty>
  )
}

function toCardView(c: AppContext, request: ListedUpgrade): UpgradeCardView {
  return {
    id: request.id,
    name: request.user_name,
    contact: request.user_email ?? displayMobile(request.user_mobile ?? ''),
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
