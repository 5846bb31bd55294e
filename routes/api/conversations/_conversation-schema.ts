import { z } from '@hono/zod-openapi'
import { CONVERSATION_STATUSES } from '#domain/conversations/conversation.ts'
import { MESSAGE_LENGTHS } from '#domain/conversations/message.ts'
import { REPORT_REASONS, REPORT_TEXT_LENGTH } from '#domain/conversations/report.ts'
import { storedFileAnswers } from '#routes/_http/downloads.ts'
import { choice, flag, lines, mustBe, oneOf, payload } from '#routes/_http/schema.ts'
import { ownerCalls, sessionCalls } from '#routes/api/_call.ts'
import { pagedAnswer, pageFields, toPage } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { conversation, message, whole } from '#routes/api/conversations/_conversation-view.ts'

const call = ownerCalls('Messages')
const sessionCall = sessionCalls('Messages')
const reasonRule = mustBe('Reason', `one of ${REPORT_REASONS.join(', ')}`)

export const list = call('listConversations', 'List what finders wrote', {
  get: '/',
  query: z
    .object({ ...pageFields, status: choice(['open', 'closed'], 'Status') })
    .transform(toPage),
  200: pagedAnswer(
    'Your conversations and those that others share with you, the newest message first; returned ones are among the closed ones',
    z.object({
      conversations: z.array(conversation),
      total_count: z.int(),
      unread_count: z.int().openapi({ description: 'of all conversations that you see' }),
    }),
  ),
})
export const get = call('getConversation', 'Get a conversation with its messages', {
  get: '/{id}',
  200: answer('The conversation; it stays unread', whole),
})
export const write = call('answerFinder', 'Answer a finder', {
  post: '/{id}/messages',
  makes: true,
  body: jsonBody(
    payload({
      text: lines('Message', MESSAGE_LENGTHS.text),
      share_number: flag('share_number').optional().openapi({
        description: 'true shares the mobile number of the code instead of a text',
      }),
    }),
    { text: 'I am coming now' },
  ),
  201: answer('The message', message),
  problems: [409],
})
export const read = call('readConversation', 'Mark a conversation as read', {
  post: '/{id}/read',
  200: answer('The conversation; it stays unread for who only looks', whole),
})
export const typing = call('typeAnswer', 'Tell the others that you type an answer', {
  post: '/{id}/typing',
  200: 'They see it for ten seconds; finders never do',
  problems: [409],
})
export const setStatus = call('setConversationStatus', 'Close a conversation or open it again', {
  put: '/{id}/status',
  body: jsonBody(payload({ status: oneOf(CONVERSATION_STATUSES, 'Status') }), {
    status: 'closed',
  }),
  200: answer('The conversation; returned thanks the finder and ends that the code is lost', whole),
  problems: [409],
})
export const mute = call('muteConversation', 'Mute a conversation', {
  put: '/{id}/mute',
  body: jsonBody(payload({ muted: flag('muted') }), { muted: true }),
  200: answer('The conversation; a muted one sends no mails', whole),
})
export const block = call('blockFinder', 'Block the finder of a conversation', {
  post: '/{id}/block',
  200: 'The conversation has ended; for a day its sender can write about none of your codes',
})
export const unblock = call('unblockFinder', 'Take messages from a blocked finder again', {
  delete: '/{id}/block',
  200: answer('The conversation, as it was before the block', whole),
})
export const report = call('reportConversation', 'Report a conversation to the moderators', {
  post: '/{id}/report',
  makes: true,
  body: jsonBody(
    payload({
      reason: z.enum(REPORT_REASONS, reasonRule),
      text: lines('Text', REPORT_TEXT_LENGTH),
    }),
    { reason: 'spam', text: null },
  ),
  201: 'Reported with its messages',
  problems: [409],
})
export const remove = call('deleteConversation', 'Delete a conversation', {
  delete: '/{id}',
  200: 'Deleted permanently, for the finder too',
})
export const photo = call('getConversationPhoto', 'Open the photo of a conversation', {
  get: '/{id}/photo',
  answers: storedFileAnswers('The photo', 'image/webp'),
  problems: [503],
})
export const events = sessionCall('watchConversations', 'Be told of new messages', {
  get: '/events',
  query: z.object({ code: z.string().optional(), done: z.string().optional() }),
  200: {
    description:
      'Server-sent events until the session ends, each { conversation_id, unread_count }; the first one has no conversation. With ?code= and ?done= others, with { changed_code }, tell how many of its print and its first scan are done',
    content: { 'text/event-stream': { schema: { type: 'string' } } },
  },
  problems: [404, 503],
})
