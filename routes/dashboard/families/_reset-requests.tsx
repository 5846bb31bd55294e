import type { ReactElement } from 'react'
import { toResetRequestView } from '#actions/families/reset-links.ts'
import {
  ResetRequestCard,
  type ResetRequestView,
} from '#components/families/reset-request-card.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Outcome } from '#components/ui/outcome.tsx'
import { listResetRequests, type ResetRequest } from '#db/families/password-resets.ts'
import type { Account } from '#db/schema.ts'
import { randomToken } from '#db/secrets.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import { tabHref } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { RESET_DECISIONS, RESET_LINK_MAILED } from '#domain/families/password-reset.ts'
import { formatDateTime } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderDashboard } from '#routes/dashboard/_page.tsx'

const TITLE = 'Reset Requests'

/** A decision: the dialog of an approval with its link, or the refusal. */
export type Decided = { at: string; dialog?: ReactElement; refusal?: DomainError }

/** Renders the resets that child users asked the owner of their codes for. */
export async function renderResetRequests(
  c: AppContext,
  account: Account,
  decided?: Decided,
): Promise<Response> {
  const requests = await listResetRequests(c.var.deps.db, account.id)
  const { dialog, refusal, at = c.req.query('at') } = decided ?? {}
  const done = dialog ? 'approve' : c.req.query('done')
  const text = refusal?.message ?? decidedText(done)
  const outcome = <Outcome text={text} at={at} isRefused={Boolean(refusal)} />
  return renderDashboard(
    c,
    account,
    { title: TITLE, tab: 'password-requests', dialog, outcome },
    <>
      <Head pending={requests.filter((request) => request.status === 'pending').length} />
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

function decidedText(done: string | undefined): string | undefined {
  if (done === 'mailed') return `${RESET_DECISIONS.approve.message}. ${RESET_LINK_MAILED}`
  return done === 'approve' || done === 'reject' ? RESET_DECISIONS[done].message : undefined
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
    <Empty
      icon="reset"
      title="No reset requests"
      action={
        <a className="btn" href={tabHref('my-qrs')}>
          Go to My QR Codes
        </a>
      }
    >
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
    child_contact: displayPhone(child_contact),
    qr_id_text: formatQrId(qr_id),
    requested: formatDateTime(requested_at, config.timezone),
    processed: formatDateTime(processed_at, config.timezone),
    form_key: randomToken(),
  }
}
