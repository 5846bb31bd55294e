import type { ReactNode } from 'react'
import { ThreadList, type ThreadView } from '#components/conversations/thread-list.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { PendingCount } from '#components/frame/tabs.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { LISTS, type MessagesPlace, messagesHref } from '#domain/conversations/places.ts'

type InboxProps = {
  place: MessagesPlace
  threads: ThreadView[]
  /** how many conversations of the other list are unread, while none is in this one */
  unreadElsewhere: number
  pager: ReactNode
  /** the conversation that is open */
  talk: ReactNode
}

/** The conversations and one of them: beside each other where there is room, else one at a time. */
export function Inbox({ place, threads, unreadElsewhere, pager, talk }: InboxProps) {
  return (
    <div className="inbox" data-view={talk ? 'one' : 'list'}>
      <section className="inbox-list" aria-label="Conversations">
        <Toolbar place={place} unreadElsewhere={unreadElsewhere} />
        {threads.length > 0 ? (
          <ThreadList threads={threads} current={place.conversation} />
        ) : (
          <NoThreads place={place} />
        )}
        {pager}
      </section>
      {talk ?? (threads.length > 0 && <NoTalk />)}
    </div>
  )
}

function Toolbar({ place, unreadElsewhere }: Pick<InboxProps, 'place' | 'unreadElsewhere'>) {
  const { list, q } = place
  return (
    <div className="toolbar">
      <SearchForm
        search={q}
        label="Search messages"
        fields={{ tab: 'messages', ...(list === 'closed' && { status: list }) }}
      />
      <nav className="segments" aria-label="Show">
        {LISTS.map(({ id, label }) => (
          <a
            key={id}
            href={messagesHref({ q, page: 1, list: id })}
            aria-current={id === list ? 'page' : undefined}
          >
            {label}
            {id !== list && unreadElsewhere > 0 && (
              <PendingCount count={unreadElsewhere} word="unread" />
            )}
          </a>
        ))}
      </nav>
    </div>
  )
}

/** The empty place of the conversation, which a phone never shows. */
function NoTalk() {
  return (
    <div className="talk-pane">
      <Empty icon="chat" title="Choose a conversation">
        <p>What was written opens here.</p>
      </Empty>
    </div>
  )
}

function NoThreads({ place: { list, q } }: { place: MessagesPlace }) {
  if (q) {
    return (
      <Empty
        icon="search"
        title="No messages found"
        action={
          <a className="btn" href={messagesHref({ q: '', page: 1, list })}>
            Clear Search
          </a>
        }
      >
        <p>{`Nothing matches “${q}” among the ${list} conversations.`}</p>
      </Empty>
    )
  }
  return (
    <Empty
      icon="chat"
      title={list === 'open' ? 'No open conversations' : 'No closed conversations'}
    >
      <p>
        {list === 'open'
          ? 'Those that you closed are under Closed.'
          : 'Those that you close are listed here.'}
      </p>
    </Empty>
  )
}

/** Before the first message. `href` is the page of a code. */
export function NoMessages({ href }: { href: string | undefined }) {
  return (
    <Empty
      icon="chat"
      title="No messages yet"
      action={
        href && (
          <a className="btn" href={href} target="_blank" rel="noreferrer">
            <Icon name="eye" />
            See what finders see
            <span className="vh"> (new window)</span>
          </a>
        )
      }
    >
      <p>When somebody scans a code and writes to you, it appears here.</p>
    </Empty>
  )
}
