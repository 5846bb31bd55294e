import type { BubbleView } from '#components/conversations/bubble.tsx'
import type { Thing } from '#domain/codes/visibility.ts'
import type { ConversationStatus, MessageReason } from '#domain/conversations/conversation.ts'
import type { TalkDay } from '#domain/conversations/days.ts'

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
  days: TalkDay<BubbleView>[]
}
