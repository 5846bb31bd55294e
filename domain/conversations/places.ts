import { placeFields, type QrPlace, readPlace, tabHref } from '#domain/dashboard.ts'

/** The second list has all conversations that are no longer open. */
export const LISTS = [
  { id: 'open', label: 'Open' },
  { id: 'closed', label: 'Closed' },
] as const
export type ListId = (typeof LISTS)[number]['id']

export function otherList(list: ListId): ListId {
  return list === 'open' ? 'closed' : 'open'
}

/** The acts of a conversation's forms. */
export type ConversationAct =
  | 'answer'
  | 'status'
  | 'mute'
  | 'block'
  | 'unblock'
  | 'report'
  | 'delete'

/** The list, search and page of the Messages tab, and the conversation that is open there. */
export type MessagesPlace = QrPlace & { list: ListId; conversation?: string | undefined }

export function readMessagesPlace(query: Record<string, string | undefined>): MessagesPlace {
  const list = query.status === 'closed' ? 'closed' : 'open'
  return { ...readPlace(query), list, conversation: query.conversation || undefined }
}

/** Returns the address of a place on the Messages tab, with further query parameters. */
export function messagesHref(place: MessagesPlace, rest: Record<string, string> = {}): string {
  const { conversation, ...list } = place
  const fields = { ...listFields(list), ...(conversation && { conversation }), ...rest }
  return tabHref('messages', place, fields)
}

/** Returns the action of a form of the open conversation. Its answer redirects back to the same place. */
export function conversationAction(act: ConversationAct, place: MessagesPlace): string {
  const query = String(new URLSearchParams({ ...placeFields(place), ...listFields(place) }))
  return `/dashboard/messages/${place.conversation}/${act}${query && `?${query}`}`
}

function listFields({ list }: Pick<MessagesPlace, 'list'>): Record<string, string> {
  return list === 'closed' ? { status: 'closed' } : {}
}
