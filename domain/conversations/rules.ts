import type { ConversationStatus, MessageReason, Side } from '#domain/conversations/conversation.ts'
import { DomainError } from '#domain/error.ts'
import { DAY, HOUR } from '#domain/rate-limits.ts'

/** The lifetimes in seconds: after the last message, and after closing. */
export const LIFETIMES = { open: 30 * DAY, shared: 30 * DAY, closed: 90 * DAY } as const

/** The least time between two mails to a side about a conversation. */
export const NOTICE_EVERY_SECONDS = 300

/** The time in which the same text from the same form counts as sent again, because its answer was lost. */
export const AGAIN_SECONDS = 300

/** For so long after a key somebody counts as writing. */
export const TYPING_SECONDS = 10

/** The days for which the hashes of a sender are kept. */
export const SENDER_DAYS = 7
/** The days for which a block of a sender holds. */
export const BLOCK_DAYS = 1
/** The days for which a moderator's block holds, on the whole service. */
export const SERVICE_BLOCK_DAYS = 30

/** The time between two alerts about a code that gets many messages. */
export const BUNDLE_EVERY_SECONDS = 600

/** For so long nobody has read a message before its finder is shown the other ways. */
const LONG_UNREAD_MS = HOUR * 1000

type Unread = { status: string; is_read: boolean; messages: { from: Side; sent_at: string }[] }

/** Returns whether the finder's last message has waited for a reader for an hour. */
export function isLongUnread({ status, is_read, messages }: Unread, now: Date): boolean {
  const last = messages.at(-1)
  if (status !== 'open' || is_read || last?.from !== 'finder') return false
  return now.getTime() - Date.parse(last.sent_at) >= LONG_UNREAD_MS
}

type Code = {
  qr_type: string
  owner_id: string
  child_account_id: string | null
  is_claimed: number | boolean
  is_child_registered: number | boolean
  claimed_at: string | null
}

/**
 * Returns the account that gets the messages of a code's finders: its owner, or the child user who
 * registered it. Returns undefined for a code that nobody has claimed or registered, or that a
 * claimer without an account holds.
 */
export function userOfCode(code: Code): string | undefined {
  if (code.qr_type === 'child') {
    return code.is_child_registered ? (code.child_account_id ?? undefined) : undefined
  }
  return code.is_claimed && code.claimed_at === null ? code.owner_id : undefined
}

type State = { status: ConversationStatus; ended_at: string | null }

/** Throws conflict when nobody may write in the conversation any more, or not now. */
export function assertOpen({ status, ended_at }: State): void {
  if (ended_at) throw new DomainError('conflict.conversation_ended')
  if (status !== 'open') throw new DomainError('conflict.conversation_closed')
}

/** Throws conflict for an ended conversation, and invalid when the returned thing was not found. */
export function assertMayBecome(
  status: ConversationStatus,
  { reason, ended_at }: State & { reason: MessageReason },
): void {
  if (ended_at) throw new DomainError('conflict.conversation_ended')
  if (status === 'returned' && reason !== 'found') {
    throw new DomainError('invalid.not_found_keys')
  }
}

/** Returns the same error to a finder for an unknown token and an ended conversation. */
export function conversationEnded(): DomainError {
  return new DomainError('not_found.conversation_ended')
}

export function conversationNotFound(): DomainError {
  return new DomainError('not_found.conversation')
}
