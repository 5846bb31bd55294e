import { z } from '@hono/zod-openapi'
import { THINGS } from '#domain/codes/visibility.ts'
import { CONVERSATION_STATUSES, MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import { ACCESSES } from '#domain/people/roles.ts'

const nullableText = z.string().nullable()
const nullableNumber = z.number().nullable()

export const message = z
  .object({
    id: z.string(),
    from: z.enum(['finder', 'owner']),
    author: nullableText.openapi({
      description: 'who else wrote it for the owner; null for the finder, and for yourself',
    }),
    kind: z.enum(['text', 'number']).openapi({
      description: 'the text of a number is the mobile number that the owner shared, as E.164',
    }),
    text: z.string(),
    sent_at: z.iso.datetime(),
  })
  .openapi('Message')

export const conversation = z
  .object({
    id: z.string(),
    access: z.enum(ACCESSES).openapi({ description: 'manager, member and viewer by a share' }),
    shared_by: nullableText.openapi({ description: 'whose it is; null for your own' }),
    shared: z
      .boolean()
      .openapi({ description: 'others see it too: you share codes, or its owner' }),
    qr_id: z.string(),
    vehicle_registration: nullableText,
    owner_name: nullableText,
    reason: z.enum(MESSAGE_REASONS),
    thing: z.enum(THINGS).openapi({ description: 'what the code is on' }),
    status: z.enum(CONVERSATION_STATUSES),
    muted: z.boolean(),
    unread: z.boolean().openapi({ description: 'by you; by nobody, if you only look' }),
    read_by: z.array(z.string()).openapi({
      description: 'the names of the others who have opened it since the finder wrote',
    }),
    writing: z.array(z.object({ name: z.string(), until: z.iso.datetime() })).openapi({
      description: 'the others who type an answer, until ten seconds after the last key',
    }),
    has_ended: z.boolean().openapi({ description: 'stopped or blocked: nobody can write in it' }),
    blocked: z.boolean().openapi({ description: 'you blocked its sender' }),
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
export const whole = conversation
  .extend({ messages: z.array(message), ended_by_moderator: z.boolean() })
  .openapi('ConversationWithMessages')
