import type { ReactNode } from 'react'
import { ThreadList, type ThreadView } from '#components/conversations/thread-list.tsx'
import { SearchForm } from '#components/forms/search-form.tsx'
import { PendingCount } from '#components/frame/tabs.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Empty, NothingFound } from '#components/ui/empty.tsx'
import { LISTS, type MessagesPlace, messagesHref } from '#domain/conversations/places.ts'

type InboxProps = {
  place: MessagesPlace
  threads: ThreadView[]
  /** few conversations are listed without search and filter */
  hasFilters: boolean
  /** how many conversations of the other list are unread, while none is in this one */
  unreadElsewhere: number
  pager: ReactNode
  /** the conversation that is open */
  talk: ReactNode
}

/** The conversations and one of them: beside each other where there is room, else one at a time. */
export function Inbox({ place, threads, hasFilters, unreadElsewhere, pager, talk }: InboxProps) {
  return (
    <ListAndPane
      label="Conversations"
      toolbar={hasFilters && <Toolbar place={place} unreadElsewhere={unreadElsewhere} />}
      list={threads.length > 0 && <ThreadList threads={threads} current={place.conversation} />}
      none={<NoThreads place={place} />}
      pager={pager}
      pane={talk}
      noPane={{ icon: 'chat', title: 'Choose a conversation' }}
    />
  )
}

type ListAndPaneProps = {
  label: string
  toolbar: ReactNode
  list: ReactNode
  /** in place of an empty list */
  none: ReactNode
  pager: ReactNode
  pane: ReactNode
  /** the empty place of the pane, which a phone never shows */
  noPane: { icon: IconName; title: string }
}

export function ListAndPane(props: ListAndPaneProps) {
  const { label, toolbar, list, none, pager, pane, noPane } = props
  return (
    <div className="inbox" data-view={pane ? 'one' : 'list'}>
      <section className="inbox-list" aria-label={label}>
        {toolbar}
        {list || none}
        {pager}
      </section>
      {pane ??
        (list && (
          <div className="talk-pane">
            <Empty {...noPane}>
              <p>What was written opens here.</p>
            </Empty>
          </div>
        ))}
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

function NoThreads({ place: { list, q } }: { place: MessagesPlace }) {
  if (q) {
    return (
      <NothingFound what="messages" href={messagesHref({ q: '', page: 1, list })}>
        {`Nothing matches “${q}” among the ${list} conversations.`}
      </NothingFound>
    )
  }
  return (
    <Empty
      icon="chat"
      title={list === 'open' ? 'No open conversations' : 'No closed conversations'}
    >
      <p>{list === 'open' ? 'Look under Closed.' : 'Closed ones appear here.'}</p>
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
