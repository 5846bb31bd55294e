import type { BubbleView } from '#components/conversations/bubble.tsx'
import type { Thing } from '#domain/codes/visibility.ts'
import type { ConversationStatus, MessageReason } from '#domain/conversations/conversation.ts'
import type { TalkDay } from '#domain/conversations/days.ts'
import type { Access } from '#domain/people/roles.ts'

/** The acts of the others on the owner's side, in a few words. */
export type OthersView = {
  text: string
  /** the seconds for which somebody counts as writing; 0 while nobody does */
  writingFor: number
}

/** A conversation as its pane shows it. */
export type TalkView = {
  id: string
  reason: MessageReason
  thing: Thing
  vehicle_registration: string | null
  /** of the code, where it has no plate */
  name: string
  status: ConversationStatus
  has_ended: boolean
  blocked: boolean
  ended_by_moderator: boolean
  muted: boolean
  access: Access
  /** the name of the owner, where it is another account's */
  shared_by: string | null
  /** whether others on the owner's side may see it */
  shared: boolean
  others: OthersView
  days: TalkDay<BubbleView>[]
}
