import { Plate } from '#components/codes/plate.tsx'
import { ReasonSign } from '#components/conversations/reason-sign.tsx'
import { ThumbImage } from '#components/ui/thumb.tsx'
import { type MessageReason, REASON_LABELS } from '#domain/conversations/conversation.ts'

export type ThreadView = {
  id: string
  href: string
  reason: MessageReason
  vehicle_registration: string | null
  /** of the code, where it has no plate */
  name: string
  first_line: string
  unread: boolean
  thumbnail_url: string | null
  last_message_at: string
  /** the time today, the day before that */
  when: string
}

/** Conversations, the one with the newest message first. */
export function ThreadList({
  threads,
  current,
}: {
  threads: ThreadView[]
  current: string | undefined
}) {
  return (
    <ul className="sheet threads">
      {threads.map((thread) => (
        <li key={thread.id} id={`thread-${thread.id}`}>
          <Thread view={thread} isCurrent={thread.id === current} />
        </li>
      ))}
    </ul>
  )
}

function Thread({ view, isCurrent }: { view: ThreadView; isCurrent: boolean }) {
  const { href, reason, first_line, unread, thumbnail_url, last_message_at, when } = view
  return (
    <a
      className={unread ? 'thread thread-new' : 'thread'}
      href={href}
      aria-current={isCurrent || undefined}
    >
      <ReasonSign reason={reason} />
      <span className="thread-text">
        <CodeName {...view} />
        <b>
          {unread && <span className="vh">Unread: </span>}
          {REASON_LABELS[reason]}
        </b>
        <span lang="" dir="auto">
          {first_line}
        </span>
      </span>
      <span className="thread-end">
        <time dateTime={last_message_at}>{when}</time>
        {thumbnail_url && (
          <span className="thumb">
            <ThumbImage src={thumbnail_url} alt="Photo" />
          </span>
        )}
      </span>
    </a>
  )
}

/** Which code a conversation is about: its plate, or else its name. */
export function CodeName(view: Pick<ThreadView, 'vehicle_registration' | 'name'>) {
  const { vehicle_registration: registration, name } = view
  if (registration) return <Plate registration={registration} />
  return <span className="thread-name">{name}</span>
}
