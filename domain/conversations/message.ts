import { contactText, parseContact } from '#domain/accounts/contact.ts'
import { MESSAGE_REASONS, type MessageReason } from '#domain/conversations/conversation.ts'
import { DomainError } from '#domain/error.ts'
import { cleanLine, cleanText, LENGTHS, lengthProblem } from '#domain/text.ts'
import type { Refusal } from '#locales/refusal.ts'

/** The most UTF-16 units of a field, as `maxlength` in a form counts them. */
export const MESSAGE_LENGTHS = {
  text: LENGTHS.message,
  place: LENGTHS.other,
  name: 60,
  reply_to: LENGTHS.other,
} as const

/** The answers that one press puts into the box of the code's user, who can change them before sending. */
export const QUICK_ANSWERS = {
  coming: 'I am coming now',
  desk: 'Please leave them at the security desk',
  thanks: 'Thank you, I have them back',
  minutes: 'Ten minutes, sorry',
  another: 'Somebody else is coming',
  onMyWay: 'Thank you, on my way',
  goes: 'Somebody goes there now',
  call: 'Please call me',
} as const
type QuickAnswer = keyof typeof QUICK_ANSWERS

export const QUICK_OF_REASON: Record<MessageReason, readonly QuickAnswer[]> = {
  found: ['coming', 'desk', 'thanks'],
  parking: ['coming', 'minutes', 'another'],
  lights: ['onMyWay', 'goes'],
  damage: ['coming', 'call'],
  accident: ['coming', 'call'],
  other: [],
}

/** Returns a box's text with a quick answer behind it. */
export function withQuickAnswer(typed: string | undefined, quick: string): string {
  return [typed?.trim(), quick].filter(Boolean).join(' ')
}

/** Returns the key of a quick answer, which the finder reads in another language. */
export function quickAnswerOf(text: string): QuickAnswer | undefined {
  const [key] = Object.entries(QUICK_ANSWERS).find(([, answer]) => answer === text) ?? []
  return key as QuickAnswer | undefined
}

/** The finder reads this text when the keys are back. */
export const THANKS = QUICK_ANSWERS.thanks

/** A field that people do not see. Who fills it in is a program that fills in forms. */
export const HONEYPOT = 'website'

/** The finder's first message. `text` may be empty unless the reason is `other`. */
export type FirstMessage = {
  reason: MessageReason
  text: string
  place: string | null
  latitude: number | null
  longitude: number | null
  /** in metres */
  accuracy: number | null
  name: string | null
  /** an e-mail address in lower case or a mobile number in E.164 */
  reply_to: string | null
  /** whether the code's user may see `reply_to` */
  show_contact: boolean
}

export type MessageProblem = {
  field: 'reason' | 'text' | 'place' | 'location' | 'name' | 'reply_to'
  refusal: Refusal
}

type Read =
  | { message: FirstMessage; problem: undefined }
  | { message: undefined; problem: MessageProblem }

/** Reads the fields of the form or of the call, and finds the first problem in the form's order. */
export function readFirstMessage(sent: Record<string, unknown>): Read {
  const reason = MESSAGE_REASONS.find((each) => each === sent.reason)
  const text = cleanText(sent.text) ?? ''
  const place = cleanLine(sent.place)
  const location = readLocation(sent)
  const name = cleanLine(sent.name)
  const typed = cleanLine(sent.reply_to)
  const contact = typed === null ? undefined : parseContact(typed)
  const problem: MessageProblem | undefined =
    (reason ? undefined : { field: 'reason', refusal: 'invalid.reason_missing' }) ??
    (reason === 'other' && !text
      ? { field: 'text', refusal: 'invalid.message_missing' }
      : undefined) ??
    tooLong('text', 'Message', text) ??
    tooLong('place', 'Place', place) ??
    (location ? undefined : { field: 'location', refusal: 'invalid.location' }) ??
    tooLong('name', 'Name', name) ??
    (typed !== null && !contact ? { field: 'reply_to', refusal: 'invalid.reply_to' } : undefined)
  if (problem || !reason || !location) {
    return { message: undefined, problem: problem as MessageProblem }
  }
  const isShown = isTicked(sent.show_contact)
  // Nothing is sent to a number: one that the owner does not see is of no use, and not kept.
  const isUsed = contact !== undefined && (isShown || contact.kind === 'email')
  const reply_to = isUsed && contact ? contactText(contact) : null
  const show_contact = reply_to !== null && isShown
  const message = { reason, text, place, ...location, name, reply_to, show_contact }
  return { message, problem: undefined }
}

/** Returns the problem of a message's text with this limit. */
export function textProblem(sent: unknown, longest: number): Refusal | undefined {
  const text = cleanText(sent)
  return text ? lengthProblem('Message', text, longest) : 'invalid.message_missing'
}

/** Returns the text of a message. Throws invalid when it is empty or longer than `longest`. */
export function readText(sent: unknown, longest: number = MESSAGE_LENGTHS.text): string {
  const problem = textProblem(sent, longest)
  if (problem) throw new DomainError(problem)
  return cleanText(sent) as string
}

const LONGEST_FIRST_LINE = 140

/** Returns the first line of a text, cut between two characters. */
export function firstLineOf(text: string): string {
  const [line = ''] = text.split('\n')
  return Array.from(line.trim()).slice(0, LONGEST_FIRST_LINE).join('')
}

function tooLong(
  field: keyof typeof MESSAGE_LENGTHS,
  label: string,
  value: string | null,
): MessageProblem | undefined {
  const refusal = lengthProblem(label, value, MESSAGE_LENGTHS[field])
  return refusal && { field, refusal }
}

type Location = Pick<FirstMessage, 'latitude' | 'longitude' | 'accuracy'>

/** Returns undefined for a text that is no place on Earth, half a place included. */
function readLocation(sent: Record<string, unknown>): Location | undefined {
  const typed = [sent.latitude, sent.longitude, sent.accuracy]
  const [latitude, longitude, accuracy] = typed.map((each) => readNumber(each))
  if (latitude === null && longitude === null) {
    return { latitude: null, longitude: null, accuracy: null }
  }
  if (!isWithin(latitude, 90) || !isWithin(longitude, 180)) return undefined
  if (accuracy !== null && !(isWithin(accuracy, MOST_METRES) && accuracy >= 0)) return undefined
  return {
    latitude: roundTo(latitude, 5),
    longitude: roundTo(longitude, 5),
    accuracy: accuracy === null ? null : Math.round(accuracy),
  }
}

/** Half the way around the Earth: no fix is less accurate. */
const MOST_METRES = 20_040_000

function readNumber(value: unknown): number | null | undefined {
  if (typeof value === 'number') return value
  if (value === undefined || value === null) return null
  if (typeof value !== 'string') return undefined
  const text = value.trim()
  if (!text) return null
  return /^[-+]?\d{1,12}(\.\d{1,20})?$/.test(text) ? Number(text) : undefined
}

function isWithin(value: number | null | undefined, most: number): value is number {
  return typeof value === 'number' && Math.abs(value) <= most
}

/** Adding zero turns -0 into 0. */
function roundTo(value: number, digits: number): number {
  return Math.round(value * 10 ** digits) / 10 ** digits + 0
}

function isTicked(value: unknown): boolean {
  return value === true || (typeof value === 'string' && ['on', 'true', '1'].includes(value))
}
