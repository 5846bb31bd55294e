import { Icon } from '#components/icons/icon.tsx'
import { StatusBadge } from '#components/ui/badge.tsx'
import { Facts } from '#components/ui/facts.tsx'
import { resetRequestAction } from '#domain/dashboard.ts'
import type { DecisionStatus } from '#domain/decision.ts'
import type { ChildAnswer } from '#domain/families/password-reset.ts'

export type ResetRequestView = {
  id: string
  child_name: string
  child_contact: string
  qr_id_text: string
  qr_name: string | null
  status: DecisionStatus
  /** dates as they are shown */
  requested: string
  processed: string
  child_answer: ChildAnswer | null
  form_key: string
}

const ANSWERS: Record<ChildAnswer, string> = {
  asked: 'Asked whether it was them; no answer yet',
  confirmed: 'Confirmed that it was them',
  denied: 'Said that it was not them',
}

export function ResetRequestCard({ view }: { view: ResetRequestView }) {
  const { id, child_name, child_contact, status, child_answer } = view
  const code = (
    <>
      <code>{view.qr_id_text}</code>
      {view.qr_name && ` · ${view.qr_name}`}
    </>
  )
  return (
    <article className="card" aria-label={`${child_name}, ${status}`}>
      <div className="row nowrap">
        <span className="avatar" aria-hidden="true">
          {[...child_name][0]?.toUpperCase()}
        </span>
        <h2 className="text-lg" id={`request-${id}`} tabIndex={-1}>
          {child_name}
        </h2>
        <span className="push">
          <StatusBadge status={status} />
        </span>
      </div>
      <Facts
        facts={[
          { label: 'QR', value: code },
          { label: 'Contact', value: child_contact, ltr: true },
          { label: 'Requested', value: view.requested },
          { label: 'Processed', value: view.processed },
          ...(child_answer ? [{ label: 'Child', value: ANSWERS[child_answer] }] : []),
        ]}
      />
      {status === 'pending' && <Decide view={view} />}
    </article>
  )
}

/** A row of buttons that a script can disable as one. */
function Decide({ view: { id, child_name, form_key } }: { view: ResetRequestView }) {
  return (
    <form
      method="post"
      action={resetRequestAction(id)}
      data-enhance
      data-failed="Failed to process request"
    >
      <input type="hidden" name="form_key" value={form_key} />
      <fieldset className="row">
        <legend className="vh">{`Decide for ${child_name}`}</legend>
        <button className="btn btn-go" type="submit" name="action" value="approve">
          <Icon name="check" />
          Approve
        </button>
        <button className="btn" type="submit" name="action" value="reject">
          <Icon name="close" />
          Reject
        </button>
      </fieldset>
    </form>
  )
}
