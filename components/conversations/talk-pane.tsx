import type { ReactNode } from 'react'
import { Chat } from '#components/conversations/chat.tsx'
import { ReasonSign } from '#components/conversations/reason-sign.tsx'
import { AnswerForm, UnsentAnswer } from '#components/conversations/talk-answer.tsx'
import { Act, TalkTools } from '#components/conversations/talk-tools.tsx'
import type { TalkView } from '#components/conversations/talk-view.ts'
import { CodeName, Others, Whose } from '#components/conversations/thread-list.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { type MessagesPlace, messagesHref } from '#domain/conversations/places.ts'
import { ownersReasonText } from '#domain/conversations/reason-text.ts'
import { SERVICE_BLOCK_DAYS } from '#domain/conversations/rules.ts'
import { has } from '#domain/people/roles.ts'
import { whose } from '#domain/people/whose.ts'

type TalkProps = {
  view: TalkView
  /** where the conversation is open */
  place: MessagesPlace
  /** an answer that was not taken */
  typed: string | undefined
}

/** One conversation: its messages, and the acts of its owner. */
export function TalkPane({ view, place, typed }: TalkProps) {
  const mayAnswer = has(view.access, 'answer')
  const canWrite = view.status === 'open' && !view.has_ended
  return (
    <section className="sheet talk-pane" aria-labelledby="talk">
      <a className="back-link" href={messagesHref({ ...place, conversation: undefined })}>
        <Icon name="back" />
        Messages
      </a>
      <TalkHead view={view} place={place} />
      <Chat days={view.days} />
      {view.others.text && <Others view={view.others} />}
      {canWrite && mayAnswer && <AnswerForm place={place} view={view} typed={typed} />}
      {canWrite && !mayAnswer && <p className="hint">You can read this, and not answer.</p>}
      {!canWrite && (
        <>
          <TalkState view={view} place={place} />
          <UnsentAnswer place={place} typed={typed} />
        </>
      )}
      {mayAnswer && <TalkTools view={view} place={place} />}
    </section>
  )
}

function TalkHead({ view, place }: { view: TalkView; place: MessagesPlace }) {
  const { reason, thing, status, has_ended, muted, access } = view
  return (
    <div className="talk-head">
      <ReasonSign reason={reason} />
      <div className="talk-title">
        <CodeName {...view} />
        <Whose {...view} />
        {/* Gets the focus after an act that removed the pressed button. */}
        <h2 id="talk" tabIndex={-1}>
          {ownersReasonText(reason, thing)}
        </h2>
        {muted && <Badge>Muted</Badge>}
      </div>
      {reason === 'found' && status !== 'returned' && !has_ended && has(access, 'answer') && (
        <Act act="status" place={place} fields={{ status: 'returned' }}>
          <button className="btn btn-sm" type="submit">
            <Icon name="check" />
            Got it back
          </button>
        </Act>
      )}
    </div>
  )
}

/** Says how a conversation ended, and offers to undo it. */
function TalkState({ view, place }: Pick<TalkProps, 'view' | 'place'>) {
  const { status, has_ended, blocked, ended_by_moderator, shared, access } = view
  const reopen = has(access, 'answer') && <Reopen place={place} />
  if (blocked) {
    return (
      <Ended
        icon="block"
        title={shared ? 'This sender is blocked' : 'You blocked this sender'}
        undo={has(access, 'tend') && <Unblock place={place} />}
      >
        {`For 24 hours nothing comes from that phone, for any of ${ofOwner(view)} codes. Unblock opens the conversation again, for the finder too.`}
      </Ended>
    )
  }
  if (ended_by_moderator) {
    return (
      <Ended icon="flag" title="A moderator ended this conversation">
        {`${shared ? 'It was reported.' : 'You reported it.'} For ${SERVICE_BLOCK_DAYS} days its sender can write to nobody on this service.`}
      </Ended>
    )
  }
  if (has_ended) {
    return (
      <Ended icon="close" title="The finder ended this conversation">
        Nobody can write here any more.
      </Ended>
    )
  }
  if (status === 'returned') {
    return (
      <Ended
        icon="check"
        title={shared ? 'It is back' : 'You have it back'}
        tone="go"
        undo={reopen}
      >
        The finder was thanked and can still read this.
      </Ended>
    )
  }
  return (
    <Ended icon="check" title="This conversation is closed" undo={reopen}>
      The finder can still read it, and cannot answer.
    </Ended>
  )
}

/** Names the owner of the codes, for the reader. */
function ofOwner({ shared_by }: Pick<TalkView, 'shared_by'>): string {
  return shared_by ? whose(shared_by) : 'your'
}

type EndedProps = {
  icon: IconName
  title: string
  tone?: 'go'
  children: ReactNode
  /** opens it again, where that is possible */
  undo?: ReactNode
}

function Ended({ icon, title, tone, children, undo }: EndedProps) {
  return (
    <div className={tone ? `ended ended-${tone}` : 'ended'}>
      <Icon name={icon} />
      <div>
        <b>{title}</b>
        <p>{children}</p>
        {undo}
      </div>
    </div>
  )
}

function Unblock({ place }: Pick<TalkProps, 'place'>) {
  return (
    <Act act="unblock" place={place}>
      <button className="btn btn-sm" type="submit" id="unblock">
        Unblock
      </button>
    </Act>
  )
}

function Reopen({ place }: Pick<TalkProps, 'place'>) {
  return (
    <Act act="status" place={place} fields={{ status: 'open' }}>
      <button className="btn btn-sm" type="submit" id="close">
        <Icon name="refresh" />
        Reopen
      </button>
    </Act>
  )
}
