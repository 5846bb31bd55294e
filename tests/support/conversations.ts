import type { FirstMessage } from '#domain/conversations/message.ts'
import { readFirstMessage } from '#domain/conversations/message.ts'

/** What a finder of keys writes first, with nothing else shared. */
export const FIRST_MESSAGE = firstMessage({ reason: 'found', text: 'I have your keys.' })

/** What a finder writes first, as it is kept. */
export function firstMessage(sent: Record<string, unknown>): FirstMessage {
  const { message, problem } = readFirstMessage(sent)
  if (!message) throw new Error(problem.message)
  return message
}
