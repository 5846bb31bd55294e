import type { ReactElement } from 'react'
import { UpgradeCard } from '#components/plans/upgrade-card.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { countPending } from '#db/plans/decisions.ts'
import { listUpgradeRequests } from '#db/plans/upgrade-decisions.ts'
import type { Account } from '#db/schema.ts'
import { DECISION_FILTERS, findDecisionStatus, readKept } from '#domain/decision.ts'
import { ListOutcome, renderList } from '#routes/_admin/lists.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'
import {
  type RefusedUpgrade,
  requestedDialog,
  toCardView,
} from '#routes/admin-dashboard/_upgrade-details.tsx'

const TAB = 'upgrade-requests'

/** Renders the upgrade requests, pending ones first. */
export async function renderUpgradeRequests(
  c: AppContext,
  account: Account,
  refused?: RefusedUpgrade,
): Promise<Response> {
  const dialog = await requestedDialog(c, refused)
  const refusal = dialog ? undefined : refused?.refusal
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c)
  return renderManagement(
    c,
    account,
    {
      title: 'Upgrade Requests',
      tab: TAB,
      failure: 'Failed to fetch upgrade requests',
      dialog,
      outcome: <ListOutcome c={c} refusal={refusal} />,
    },
    panel,
  )
}

async function renderPanel(c: AppContext): Promise<ReactElement> {
  const { db } = c.var.deps
  const status = findDecisionStatus(c.req.query('status'))
  const kept = readKept(c.req.query('kept'))
  const list = await renderList(c, {
    action: '/admin-dashboard',
    fields: { tab: TAB },
    label: 'Search by name, email or payment',
    filter: { name: 'status', label: 'Status', value: status, options: DECISION_FILTERS },
    async read(wanted) {
      const { upgrade_requests, total } = await listUpgradeRequests(db, { ...wanted, status, kept })
      return { rows: upgrade_requests.map((request) => toCardView(c, request, kept)), total }
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
      {list}
    </>
  )
}

function Head({ pending }: { pending: number }) {
  return (
    <div className="head" data-script="decisions">
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
          ? 'Try a part of a name, an email or a payment reference, or choose another status.'
          : 'Requests for a paid plan are listed here for you to decide.'}
      </p>
    </Empty>
  )
}
