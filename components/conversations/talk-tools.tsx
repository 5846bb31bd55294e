import type { ReactNode } from 'react'
import type { TalkView } from '#components/conversations/talk-view.ts'
import { HiddenFields } from '#components/forms/search-form.tsx'
import { Icon, type IconName } from '#components/icons/icon.tsx'
import {
  type ConversationAct,
  conversationAction,
  type MessagesPlace,
  messagesHref,
} from '#domain/conversations/places.ts'
import type { CONVERSATION_DIALOGS } from '#domain/dialogs.ts'
import { has, type Right } from '#domain/people/roles.ts'
import { whose } from '#domain/people/whose.ts'

type ActProps = {
  act: ConversationAct
  place: MessagesPlace
  fields?: Record<string, string>
  className?: string
  /** the name under which a browser keeps the typed text */
  keep?: string
  children: ReactNode
}

/** A form that does something in the open conversation. */
export function Act({ act, place, fields = {}, className, keep, children }: ActProps) {
  return (
    <form
      className={className}
      method="post"
      action={conversationAction(act, place)}
      data-enhance
      data-keep={keep}
    >
      <HiddenFields fields={fields} />
      {children}
    </form>
  )
}

type ToolsProps = { view: TalkView; place: MessagesPlace }

/**
 * The acts besides writing that the reader's role has. Once the conversation is over, only Report is left, and Delete
 * takes the others' place.
 */
export function TalkTools({ view, place }: ToolsProps) {
  const canWrite = view.status === 'open' && !view.has_ended
  const may = (right: Right) => has(view.access, right)
  return (
    <div className="tools talk-tools">
      {canWrite && (
        <DialogTool dialog="number" icon="phone" place={place}>
          {shareNumberText(view.shared_by)}
        </DialogTool>
      )}
      {canWrite && <MuteTool view={view} place={place} />}
      {may('tend') && (
        <DialogTool dialog="report" icon="flag" place={place}>
          Report
        </DialogTool>
      )}
      {canWrite && may('tend') && (
        <DialogTool dialog="block" icon="block" place={place}>
          Block
        </DialogTool>
      )}
      {canWrite && <CloseTool place={place} />}
      {!canWrite && may('papers') && (
        <DialogTool dialog="delete" icon="trash" place={place}>
          Delete
        </DialogTool>
      )}
    </div>
  )
}

/** Names the act that shares the number of the code, which is the owner's. */
export function shareNumberText(shared_by: string | null): string {
  return shared_by ? `Share ${whose(shared_by)} number` : 'Share my number'
}

function MuteTool({ view: { muted }, place }: ToolsProps) {
  return (
    <Act act="mute" place={place} fields={{ muted: String(!muted) }}>
      <button className="tool" type="submit" id="mute">
        <ToolText icon={muted ? 'bell' : 'mute'}>{muted ? 'Unmute' : 'Mute'}</ToolText>
      </button>
    </Act>
  )
}

function CloseTool({ place }: Pick<ToolsProps, 'place'>) {
  return (
    <Act act="status" place={place} fields={{ status: 'closed' }}>
      <button className="tool" type="submit" id="close">
        <ToolText icon="check">Close</ToolText>
      </button>
    </Act>
  )
}

type DialogToolProps = {
  dialog: (typeof CONVERSATION_DIALOGS)[number]
  icon: IconName
  place: MessagesPlace
  children: ReactNode
}

function DialogTool({ dialog, icon, place, children }: DialogToolProps) {
  return (
    <a
      className={dialog === 'delete' ? 'tool tool-stop' : 'tool'}
      id={dialog}
      href={messagesHref(place, { [dialog]: '1' })}
      data-dialog={dialog}
      data-gone="Conversation not found"
    >
      <ToolText icon={icon}>{children}</ToolText>
    </a>
  )
}

function ToolText({ icon, children }: { icon: IconName; children: ReactNode }) {
  return (
    <>
      <Icon name={icon} />
      <span>{children}</span>
    </>
  )
}
