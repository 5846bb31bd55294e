import type { ReactNode } from 'react'
import { Plate } from '#components/codes/plate.tsx'
import { ReasonSign } from '#components/conversations/reason-sign.tsx'
import type { OthersView } from '#components/conversations/talk-view.ts'
import { Badge } from '#components/ui/badge.tsx'
import { ThumbImage } from '#components/ui/thumb.tsx'
import type { Thing } from '#domain/codes/visibility.ts'
import type { MessageReason } from '#domain/conversations/conversation.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import { whose } from '#domain/people/whose.ts'

export type ThreadView = {
  id: string
  href: string
  reason: MessageReason
  thing: Thing
  vehicle_registration: string | null
  /** of the code, where it has no plate */
  name: string
  first_line: string
  unread: boolean
  thumbnail_url: string | null
  last_message_at: string
  /** how it is over; null while it is open */
  state: string | null
  /** the name of the owner, where it is another account's */
  shared_by: string | null
  others: OthersView
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
  const { href, reason, thing, first_line, unread, thumbnail_url, last_message_at, when, state } =
    view
  return (
    <ThreadLink
      {...{ href, isCurrent, unread, when }}
      at={last_message_at}
      sign={<ReasonSign reason={reason} />}
      name={
        <>
          <CodeName {...view} />
          <Whose {...view} />
        </>
      }
      title={ownersReasonText(reason, thing)}
      line={first_line}
    >
      {state && <Badge>{state}</Badge>}
      {view.others.text && <Others view={view.others} />}
      {thumbnail_url && (
        <span className="thumb">
          <ThumbImage src={thumbnail_url} alt="Photo" />
        </span>
      )}
    </ThreadLink>
  )
}

type ThreadLinkProps = {
  href: string
  isCurrent: boolean
  unread: boolean
  /** of the newest message, and as it is shown */
  at: string
  when: string
  sign: ReactNode
  name: ReactNode
  title: ReactNode
  /** the last message */
  line: string
  /** at the end, below the time */
  children?: ReactNode
}

/** A conversation of any kind in a list. */
export function ThreadLink(props: ThreadLinkProps) {
  const { href, isCurrent, unread, at, when, sign, name, title, line, children } = props
  return (
    <a
      className={unread ? 'thread thread-new' : 'thread'}
      href={href}
      aria-current={isCurrent || undefined}
    >
      {sign}
      <span className="thread-text">
        {name}
        <b>
          {unread && <span className="vh">Unread: </span>}
          {title}
        </b>
        <span lang="" dir="auto">
          {line}
        </span>
      </span>
      <span className="thread-end">
        <time dateTime={at}>{when}</time>
        {children}
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

/** Names the owner of a code of another account. */
export function Whose({ shared_by }: Pick<ThreadView, 'shared_by'>) {
  return shared_by && <Badge>{whose(shared_by)}</Badge>
}

/** Shows the acts of the others on the owner's side. The script looks again when nobody writes any more. */
export function Others({ view: { text, writingFor } }: { view: OthersView }) {
  return (
    <span className="hint" data-writing={writingFor || undefined}>
      {text}
    </span>
  )
}
