import type { BubbleView, SpotView } from '#components/conversations/bubble.tsx'
import type { OthersView, TalkView } from '#components/conversations/talk-view.ts'
import type { ThreadView } from '#components/conversations/thread-list.tsx'
import { mailtoHref } from '#domain/accounts/contact.ts'
import { displayPhone, storedTelHref } from '#domain/accounts/phone.ts'
import { formatQrId } from '#domain/codes/qr-id.ts'
import type {
  ConversationView,
  ConversationWithMessages,
  MessageOfSide,
  OthersOfSide,
} from '#domain/conversations/conversation-view.ts'
import { formatWhen, inDays, type Moment } from '#domain/conversations/days.ts'
import { type MessagesPlace, messagesHref } from '#domain/conversations/places.ts'
import { whose } from '#domain/people/whose.ts'
import { formatTime } from '#domain/time.ts'

/** Describes a conversation for its row in the list. */
export function toThreadView(
  conversation: ConversationView,
  place: MessagesPlace,
  moment: Moment,
): ThreadView {
  const { id, reason, thing, vehicle_registration, first_line, unread } = conversation
  const { thumbnail_url, last_message_at } = conversation
  const when = formatWhen(last_message_at, moment)
  const href = messagesHref({ ...place, conversation: id })
  const name = nameOf(conversation)
  const shown = { reason, thing, vehicle_registration, first_line, unread, thumbnail_url }
  const side = { shared_by: conversation.shared_by, others: othersOf(conversation, moment.now) }
  return { id, name, href, when, last_message_at, state: stateOf(conversation), ...shown, ...side }
}

/** Returns how a conversation is over, in a word; null for an open one. */
function stateOf({ status, has_ended, blocked }: ConversationView): string | null {
  if (blocked) return 'Blocked'
  if (status === 'returned') return 'Got it back'
  if (has_ended) return 'Ended'
  return status === 'closed' ? 'Closed' : null
}

/** Describes a conversation with its messages, day by day. */
export function toTalkView(talk: ConversationWithMessages, moment: Moment): TalkView {
  const { id, reason, thing, vehicle_registration, status, has_ended, blocked, muted } = talk
  const { messages, ended_by_moderator, access, shared_by, shared } = talk
  const bubbles = messages.map((each, n) => toBubble(talk, each, n === 0, moment.timezone))
  const days = inDays(bubbles, moment)
  return {
    id,
    name: nameOf(talk),
    reason,
    thing,
    vehicle_registration,
    status,
    has_ended,
    blocked,
    ended_by_moderator,
    muted,
    access,
    shared_by,
    shared,
    others: othersOf(talk, moment.now),
    days,
  }
}

/** Says who else writes an answer, or else who else has read it. */
function othersOf({ read_by, writing }: OthersOfSide, now: Date): OthersView {
  const ends = writing.map(({ until }) => Math.ceil((Date.parse(until) - now.getTime()) / 1000))
  if (ends.length > 0) {
    const names = listed(writing.map(({ name }) => name))
    const text = `${names} ${writing.length > 1 ? 'are' : 'is'} writing`
    return { text, writingFor: Math.max(...ends) }
  }
  return { text: read_by.length > 0 ? `Read by ${listed(read_by)}` : '', writingFor: 0 }
}

const listed = (names: string[]) => new Intl.ListFormat('en').format(names)

function nameOf({ owner_name, qr_id }: ConversationView): string {
  return owner_name ?? formatQrId(qr_id)
}

function toBubble(
  talk: ConversationWithMessages,
  { text, author, ...message }: MessageOfSide,
  isFirst: boolean,
  timezone: string,
): BubbleView {
  return {
    ...message,
    text: message.kind === 'number' ? displayPhone(text) : text,
    isOwn: message.from === 'owner',
    by: message.from === 'owner' ? (author ?? 'You') : (talk.name ?? 'Finder'),
    ...(message.kind === 'number' && { sharing: sharingOf(talk, author) }),
    time: formatTime(new Date(message.sent_at), timezone),
    ...(isFirst && sharedBy(talk)),
  }
}

/** Says who shared the number of the code, which is the owner's. */
function sharingOf({ shared_by }: ConversationView, author: string | null): string {
  if (author) return `${author} shared the number`
  return shared_by ? `You shared ${whose(shared_by)} number` : 'You shared your number'
}

/** Returns the photo, place and contact of the first message, as far as they are kept. */
function sharedBy(talk: ConversationWithMessages): Partial<BubbleView> {
  const { photo_url: url, thumbnail_url, reply_to } = talk
  const spot = spotOf(talk)
  return {
    ...(url && thumbnail_url && { photo: { url, thumbnail_url } }),
    ...(spot && { spot }),
    ...(reply_to && { reply_to: toLink(reply_to) }),
  }
}

/** A place on Earth to 5 decimals is one of a metre. */
const DECIMALS = 5

function spotOf({ place, latitude, longitude, accuracy }: ConversationView): SpotView | undefined {
  const isLocated = latitude !== null && longitude !== null
  if (!place && !isLocated) return undefined
  const coordinates = isLocated
    ? [latitude, longitude].map((degrees) => degrees.toFixed(DECIMALS)).join(',')
    : null
  return { place, coordinates, accuracy }
}

/** Encoded, or a `?` in an address would write a part of the mail. */
function toLink(contact: string): { href: string | undefined; text: string } {
  if (contact.includes('@')) return { href: mailtoHref(contact), text: contact }
  return { href: storedTelHref(contact), text: displayPhone(contact) }
}
