/** The reasons of a message, in the order of the form. */
export const MESSAGE_REASONS = [
  'found',
  'parking',
  'lights',
  'damage',
  'accident',
  'other',
] as const
export type MessageReason = (typeof MESSAGE_REASONS)[number]

/** `support`: a ticket, between a customer and the admins. */
export type ConversationKind = 'finder' | 'support'

/** The author's side. The child user of a registered child code is its `owner` here. */
export type Side = 'finder' | 'owner'
export type TicketSide = 'customer' | 'support'
/** The sides in conversations of any kind. */
export type AnySide = Side | TicketSide

/** Returns whether a side is the account that a conversation belongs to. */
export function isOfAccount(side: AnySide): boolean {
  return side === 'owner' || side === 'customer'
}

/** `number`: the owner's mobile number, shown as a card to call. */
export type MessageKind = 'text' | 'number'

export const CONVERSATION_STATUSES = ['open', 'closed', 'returned'] as const
/** `returned`: closed because the owner has the keys back. */
export type ConversationStatus = (typeof CONVERSATION_STATUSES)[number]
