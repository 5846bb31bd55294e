import { z } from '@hono/zod-openapi'
import { CONVERSATION_STATUSES, MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import { MESSAGE_LENGTHS } from '#domain/conversations/message.ts'
import { REPORT_REASONS, REPORT_TEXT_LENGTH } from '#domain/conversations/report.ts'
import { storedFileAnswers } from '#routes/_http/downloads.ts'
import { signedIn } from '#routes/_http/guards.ts'
import {
  answer,
  choice,
  message as done,
  flag,
  jsonBody,
  lines,
  notAnObject,
  problems,
  sessionSecurity,
} from '#routes/_http/schema.ts'
import { apiCall, idParams } from '#routes/api/_call.ts'
import { pageFields, toPage } from '#routes/api/_paging.ts'

const nullableText = z.string().nullable()
const nullableNumber = z.number().nullable()

const message = z
  .object({
    id: z.string(),
    from: z.enum(['finder', 'owner']),
    kind: z.enum(['text', 'number']).openapi({
      description: 'the text of a number is the mobile number that the owner shared, as E.164',
    }),
    text: z.string(),
    sent_at: z.iso.datetime(),
  })
  .openapi('Message')

const conversation = z
  .object({
    id: z.string(),
    qr_id: z.string(),
    vehicle_registration: nullableText,
    owner_name: nullableText,
    reason: z.enum(MESSAGE_REASONS),
    status: z.enum(CONVERSATION_STATUSES),
    muted: z.boolean(),
    unread: z.boolean(),
    has_ended: z.boolean().openapi({ description: 'stopped or blocked: nobody can write in it' }),
    name: nullableText,
    place: nullableText,
    latitude: nullableNumber,
    longitude: nullableNumber,
    accuracy: nullableNumber.openapi({ description: 'metres' }),
    photo_url: nullableText,
    thumbnail_url: nullableText,
    reply_to: nullableText.openapi({ description: 'only if the finder chose to show it' }),
    first_line: z.string(),
    last_message_at: z.iso.datetime(),
  })
  .openapi('Conversation')
const whole = conversation
  .extend({ messages: z.array(message) })
  .openapi('ConversationWithMessages')

const asOwner = { subject: 'Messages', middleware: signedIn, security: sessionSecurity } as const
const statusRule = 'Status must be open, closed or returned'
const reasonRule = `Reason must be one of ${REPORT_REASONS.join(', ')}`

export const list = apiCall({
  ...asOwner,
  operationId: 'listConversations',
  summary: 'List what finders wrote',
  method: 'get',
  path: '/',
  request: {
    query: z
      .object({
        ...pageFields,
        status: choice(['open', 'closed'], 'Status must be open or closed'),
      })
      .transform(toPage),
  },
  responses: {
    200: answer(
      'Your conversations, the newest message first; returned ones are among the closed ones',
      z.object({
        conversations: z.array(conversation),
        total_count: z.int(),
        unread_count: z.int().openapi({ description: 'of all your conversations' }),
      }),
    ),
    ...problems(400),
  },
})
export const get = apiCall({
  ...asOwner,
  operationId: 'getConversation',
  summary: 'Get a conversation with its messages',
  method: 'get',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('The conversation; it stays unread', whole), ...problems(404) },
})
export const write = apiCall({
  ...asOwner,
  operationId: 'answerFinder',
  summary: 'Answer a finder',
  method: 'post',
  path: '/{id}/messages',
  request: {
    params: idParams,
    body: jsonBody(
      z.object(
        {
          text: lines('Message', MESSAGE_LENGTHS.text),
          share_number: flag('share_number').optional().openapi({
            description: 'true shares the mobile number of the code instead of a text',
          }),
        },
        notAnObject,
      ),
      { text: 'I am coming now' },
    ),
  },
  responses: { 201: answer('The message', message), ...problems(404, 409) },
})
export const read = apiCall({
  ...asOwner,
  operationId: 'readConversation',
  summary: 'Mark a conversation as read',
  method: 'post',
  path: '/{id}/read',
  request: { params: idParams },
  responses: { 200: answer('The conversation', whole), ...problems(404) },
})
export const setStatus = apiCall({
  ...asOwner,
  operationId: 'setConversationStatus',
  summary: 'Close a conversation or open it again',
  method: 'put',
  path: '/{id}/status',
  request: {
    params: idParams,
    body: jsonBody(z.object({ status: z.enum(CONVERSATION_STATUSES, statusRule) }, notAnObject), {
      status: 'closed',
    }),
  },
  responses: {
    200: answer(
      'The conversation; returned, for found keys, thanks the finder and ends that the code is lost',
      whole,
    ),
    ...problems(404, 409),
  },
})
export const mute = apiCall({
  ...asOwner,
  operationId: 'muteConversation',
  summary: 'Mute a conversation',
  method: 'put',
  path: '/{id}/mute',
  request: {
    params: idParams,
    body: jsonBody(z.object({ muted: flag('muted') }, notAnObject), { muted: true }),
  },
  responses: {
    200: answer('The conversation; a muted one sends no mails', whole),
    ...problems(404),
  },
})
export const block = apiCall({
  ...asOwner,
  operationId: 'blockFinder',
  summary: 'Block the finder of a conversation',
  method: 'post',
  path: '/{id}/block',
  request: { params: idParams },
  responses: {
    200: answer('The conversation has ended; its sender can write about none of your codes', done),
    ...problems(404),
  },
})
export const report = apiCall({
  ...asOwner,
  operationId: 'reportConversation',
  summary: 'Report a conversation to the moderators',
  method: 'post',
  path: '/{id}/report',
  request: {
    params: idParams,
    body: jsonBody(
      z.object(
        { reason: z.enum(REPORT_REASONS, reasonRule), text: lines('Text', REPORT_TEXT_LENGTH) },
        notAnObject,
      ),
      { reason: 'spam', text: null },
    ),
  },
  responses: { 201: answer('Reported with its messages', done), ...problems(404, 409) },
})
export const remove = apiCall({
  ...asOwner,
  operationId: 'deleteConversation',
  summary: 'Delete a conversation',
  method: 'delete',
  path: '/{id}',
  request: { params: idParams },
  responses: { 200: answer('Deleted permanently, for the finder too', done), ...problems(404) },
})
export const photo = apiCall({
  ...asOwner,
  operationId: 'getConversationPhoto',
  summary: 'Open the photo of a conversation',
  method: 'get',
  path: '/{id}/photo',
  request: { params: idParams },
  responses: {
    ...storedFileAnswers('The photo', 'image/webp'),
    ...problems(404, 503),
  },
})
export const events = apiCall({
  ...asOwner,
  operationId: 'watchConversations',
  summary: 'Be told of new messages',
  method: 'get',
  path: '/events',
  responses: {
    200: {
      description:
        'Server-sent events until the session ends, each { conversation_id, unread_count }; the first one has no conversation',
      content: { 'text/event-stream': { schema: { type: 'string' } } },
    },
    ...problems(503),
  },
})
