import type { ReactElement } from 'react'
import { toResetRequestView } from '#actions/families/reset-links.ts'
import {
  ResetRequestCard,
  type ResetRequestView,
} from '#components/families/reset-request-card.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Note } from '#components/ui/note.tsx'
import { listResetRequests, type ResetRequest } from '#db/families/password-resets.ts'
import type { Account } from '#db/schema.ts'
import { displayMobile } from '#domain/accounts/contact.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type { DomainError } from '#domain/error.ts'
import { RESET_DECISIONS, RESET_LINK_MAILED } from '#domain/families/password-reset.ts'
import { formatDateTime } from '#domain/time.ts'
import { Island } from '#islands/_island.tsx'
import type { AppContext } from '#routes/_http/deps.ts'
import { STATUS } from '#routes/_http/errors.tsx'
import { renderDashboard } from '#routes/dashboard/_page.tsx'

const TITLE = 'Reset Requests'

/** What came of a form without script: the link of an approval, or why nothing did. */
export type Decided = { dialog?: ReactElement; refusal?: DomainError }

/** What child users asked of the owner of their codes. */
export async function renderResetRequests(
  c: AppContext,
  account: Account,
  { dialog, refusal }: Decided = {},
): Promise<Response> {
  const requests = await listResetRequests(c.var.deps.db, account.id)
  const islands = <Island name="reset-requests" props={{}} />
  const status = refusal && STATUS[refusal.code]
  return renderDashboard(
    c,
    account,
    { title: TITLE, tab: 'password-requests', status, dialog, islands },
    <>
      <Head pending={requests.filter((request) => request.status === 'pending').length} />
      {refusal && <Note tone="stop">{refusal.message}</Note>}
      {c.req.query('done') === 'reject' && <Note tone="go">{RESET_DECISIONS.reject.message}</Note>}
      {c.req.query('done') === 'mailed' && <Note tone="go">{RESET_LINK_MAILED}</Note>}
      {requests.length > 0 ? (
        <section className="cards cards-20" aria-label={TITLE}>
          {requests.map((request) => (
            <ResetRequestCard key={request.id} view={toCardView(c, request)} />
          ))}
        </section>
      ) : (
        <NoRequests />
      )}
    </>,
  )
}

function Head({ pending }: { pending: number }) {
  return (
    <>
      <div className="head">
        <h1 tabIndex={-1}>{TITLE}</h1>
        {pending > 0 && <Badge tone="warn" dot="full">{`${pending} pending`}</Badge>}
      </div>
      <p className="soft">Approve only if you know the person. They can then set a new password.</p>
    </>
  )
}

function NoRequests() {
  return (
    <Empty icon="reset" title="No reset requests">
      <p>
        When somebody who registered one of your child QR codes forgets the password, you decide
        here.
      </p>
    </Empty>
  )
}

function toCardView(c: AppContext, request: ResetRequest): ResetRequestView {
  const { config } = c.var.deps
  const { requested_at, processed_at, qr_id, child_contact, ...view } = toResetRequestView(request)
  return {
    ...view,
    child_contact: displayMobile(child_contact),
    qr_id_text: formatQrId(qr_id),
    requested: formatDateTime(requested_at, config.timezone),
    processed: formatDateTime(processed_at, config.timezone),
  }
}
