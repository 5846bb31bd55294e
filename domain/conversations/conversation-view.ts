import type { Thing } from '#domain/codes/visibility.ts'
import type {
  ConversationStatus,
  MessageKind,
  MessageReason,
  Side,
} from '#domain/conversations/conversation.ts'
import type { Access } from '#domain/people/roles.ts'

/** An instant as ISO 8601 UTC with milliseconds. */
type Instant = string

/** `text` of a `number` is the mobile number in E.164. */
export type MessageView = {
  id: string
  from: Side
  kind: MessageKind
  text: string
  sent_at: Instant
}

/** A message for the owner's side. */
export type MessageOfSide = MessageView & {
  /** the name of its author, of others on the owner's side; null for the finder, and for the reader */
  author: string | null
}

/** The acts of the others on the owner's side. */
export type OthersOfSide = {
  /** the names of those who have read it since the finder wrote */
  read_by: string[]
  writing: { name: string; until: Instant }[]
}

/**
 * The finder's contact and place; everything is null once sharing was stopped, or they were deleted
 * by the finder or by retention.
 */
type Shared = {
  place: string | null
  latitude: number | null
  longitude: number | null
  /** in metres */
  accuracy: number | null
  photo_url: string | null
}

/** A conversation as the code's user, or one of their people, sees it in a list. */
export type ConversationView = Shared &
  OthersOfSide & {
    id: string
    access: Access
    /** the name of the account whose conversation it is; null for the reader's own */
    shared_by: string | null
    /** whether others on the owner's side may see it */
    shared: boolean
    qr_id: string
    /** of the code while it is still this account's; else null, as `owner_name` */
    vehicle_registration: string | null
    owner_name: string | null
    reason: MessageReason
    /** the thing with the code now; `other` when that belongs to another account */
    thing: Thing
    status: ConversationStatus
    muted: boolean
    unread: boolean
    /** stopped by the finder or blocked: nobody writes any more */
    has_ended: boolean
    /** ended by a block of its sender, which can be undone */
    blocked: boolean
    /** what the finder calls themselves */
    name: string | null
    thumbnail_url: string | null
    /** only if the finder ticked that it may be shown */
    reply_to: string | null
    /** the first line of the finder's first message; empty without a text */
    first_line: string
    last_message_at: Instant
  }

export type ConversationWithMessages = ConversationView & {
  messages: MessageOfSide[]
  /** a moderator blocked its sender on the whole service */
  ended_by_moderator: boolean
}

/** A conversation as its finder sees it. Their own first message may have an empty text. */
export type FinderConversation = Shared & {
  qr_id: string
  /** the code has a page, and still belongs to the same user */
  has_page: boolean
  reason: MessageReason
  /** the thing with the code now */
  thing: Thing
  /** `paused`: open, and nobody can answer now, because the account is blocked */
  status: ConversationStatus | 'paused'
  /** the first word of it */
  owner_name: string | null
  /** whether the code's user has opened it since the finder's last message */
  is_read: boolean
  /** since when the code's user has an alert of it; null while there is none */
  told_at: Instant | null
  /** only while the code shows its vehicle */
  vehicle_registration: string | null
  messages: MessageView[]
}
