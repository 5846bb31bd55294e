import type { ReactNode } from 'react'
import type { BubbleView } from '#components/conversations/bubble.tsx'
import { Chat } from '#components/conversations/chat.tsx'
import { TextAreaField } from '#components/forms/field.tsx'
import { HiddenFields } from '#components/forms/search-form.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { AttachmentField, type FormProblem } from '#components/tickets/ticket-form.tsx'
import { Badge, type BadgeTone } from '#components/ui/badge.tsx'
import type { TalkDay } from '#domain/conversations/days.ts'
import { TICKET_LENGTHS, type TicketStatus } from '#domain/tickets/ticket.ts'
import type { TicketAct } from '#domain/tickets/ticket-places.ts'

export type TicketPaneView = {
  id: string
  number: number
  subject: string
  status: TicketStatus
  days: TalkDay<BubbleView>[]
}

type TicketPaneProps = {
  view: TicketPaneView
  /** of the list */
  back: string
  /** the customer, for admins */
  sign?: ReactNode
  /** beside the number */
  about: string
  badges?: ReactNode
  action: (act: TicketAct) => string
  /** an answer that was not taken */
  refused?: { typed: string | undefined; problem: FormProblem | undefined } | undefined
  /** instead of the form, where nothing can be written */
  instead?: ReactNode
  /** whether answers appear without loading the page again */
  isLive?: boolean
}

/** One ticket: who wrote what, and a form to go on, for the customer and for admins. */
export function TicketPane(props: TicketPaneProps) {
  const { view, back, sign, about, badges, action, refused, instead, isLive } = props
  const { id, number, subject, status, days } = view
  return (
    <section className="sheet talk-pane" aria-labelledby="talk" data-live={isLive}>
      <a className="back-link" href={back}>
        <Icon name="back" />
        All tickets
      </a>
      <div className="talk-head">
        {sign}
        <div className="talk-title">
          {/* Gets the focus after an act that removed the pressed button. */}
          <h2 id="talk" tabIndex={-1} className="any-break">
            <bdi>{subject}</bdi>
          </h2>
          <span className="row gap-2">
            <TicketBadge status={status} />
            <span className="small soft any-break">{`Ticket ${number} · ${about}`}</span>
          </span>
        </div>
        {badges}
      </div>
      <Chat days={days} />
      <form id="ticket-status" method="post" action={action('status')} data-enhance>
        <HiddenFields fields={{ status: status === 'closed' ? 'open' : 'closed' }} />
      </form>
      {instead ?? (
        <form
          className="stack gap-3"
          method="post"
          action={action('answer')}
          encType="multipart/form-data"
          data-enhance
          data-keep={`answer-${id}`}
        >
          <TextAreaField
            id={`answer-${id}`}
            label="Answer"
            hint={status === 'closed' ? 'An answer opens the ticket again.' : undefined}
            name="text"
            rows={3}
            maxLength={TICKET_LENGTHS.text}
            defaultValue={refused?.typed}
            error={refused?.problem?.field === 'text' ? refused.problem.message : undefined}
            required
            data-draft
          />
          <AttachmentField problem={refused?.problem} />
          <div className="save">
            <button className="btn btn-main" type="submit" id="send" data-busy="Sending…">
              <Icon name="send" />
              Answer
            </button>
            <StatusButton status={status} />
          </div>
        </form>
      )}
      {instead && status !== 'closed' && (
        <div className="save">
          <StatusButton status={status} />
        </div>
      )}
    </section>
  )
}

/** Belongs to the form above the answer's form. */
function StatusButton({ status }: { status: TicketStatus }) {
  return (
    <button className="btn btn-quiet" type="submit" id="close" form="ticket-status">
      {status === 'closed' ? 'Open again' : 'Close ticket'}
    </button>
  )
}

const STATUSES: Record<TicketStatus, { tone?: BadgeTone; word: string }> = {
  open: { tone: 'go', word: 'Open' },
  waiting: { tone: 'warn', word: 'Waiting' },
  closed: { word: 'Closed' },
}

export function TicketBadge({ status }: { status: TicketStatus }) {
  const { word, ...shown } = STATUSES[status]
  return (
    <Badge {...shown} dot={status === 'closed' ? 'hollow' : 'full'}>
      {word}
    </Badge>
  )
}
