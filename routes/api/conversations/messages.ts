import { z } from '@hono/zod-openapi'
import { makePageToken } from '#actions/conversations/page-token.ts'
import { MESSAGE_REASONS } from '#domain/conversations/conversation.ts'
import { MESSAGE_LENGTHS } from '#domain/conversations/message.ts'
import { getMessagedCode, startFromRequest } from '#routes/_http/conversations/start.ts'
import { isMultipart } from '#routes/_http/forms.ts'
import { anyText, apiRouter, flag } from '#routes/_http/schema.ts'
import { notAnObject, refusing } from '#routes/_http/schema-refusals.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { answer } from '#routes/api/_payloads.ts'

const call = publicCalls('Messages')

const text = (name: string, maxLength?: number) =>
  anyText(name)
    .nullish()
    .openapi({ ...(maxLength !== undefined && { maxLength }) })
const degrees = z.number({ error: refusing('invalid.location') }).nullish()

const LONGEST_TOKEN = 100

/**
 * The types alone: the rules and their words are those of `readFirstMessage`. Loose, because the field that nobody
 * sees is described to nobody.
 */
const firstMessage = z.looseObject(
  {
    page_token: text('page_token', LONGEST_TOKEN),
    reason: text('reason').openapi({ type: 'string', enum: [...MESSAGE_REASONS] }),
    text: text('text', MESSAGE_LENGTHS.text),
    place: text('place', MESSAGE_LENGTHS.place),
    latitude: degrees,
    longitude: degrees,
    accuracy: degrees,
    name: text('name', MESSAGE_LENGTHS.name),
    reply_to: text('reply_to', MESSAGE_LENGTHS.reply_to),
    show_contact: flag('show_contact').nullish().openapi({
      description: 'shows reply_to to the owner; a mobile number is not kept without it',
    }),
  },
  notAnObject,
)

/** Plain JSON Schema, because a zod schema would read the whole photo into memory. */
const words = (maxLength: number) => ({ type: 'string' as const, maxLength })
const degreesInForm = { type: 'string' as const, description: 'decimal degrees' }
const withPhoto = {
  schema: {
    type: 'object' as const,
    properties: {
      page_token: { type: 'string' as const },
      reason: { type: 'string' as const, enum: [...MESSAGE_REASONS] },
      text: words(MESSAGE_LENGTHS.text),
      place: words(MESSAGE_LENGTHS.place),
      latitude: degreesInForm,
      longitude: degreesInForm,
      accuracy: { type: 'string' as const, description: 'metres' },
      name: words(MESSAGE_LENGTHS.name),
      reply_to: words(MESSAGE_LENGTHS.reply_to),
      show_contact: { type: 'string' as const, enum: ['true', 'false'] },
      photo: {
        type: 'string' as const,
        format: 'binary',
        description: 'A JPEG, PNG or WebP of at most 15 MB; last, so that a refusal keeps the rest',
      },
    },
    required: ['page_token', 'reason'],
  },
  encoding: { photo: { contentType: 'image/jpeg, image/png, image/webp' } },
}

const example = {
  page_token: 'mhq2k4.0f',
  reason: 'found',
  text: 'I have your keys.',
  place: 'Gate 2, FC Road',
  reply_to: 'ravi@example.in',
} as const

const readToken = call('getMessageToken', 'Get the token that a message needs', {
  get: '/{qr_id}/message',
  200: answer(
    'Works from 2 seconds to 24 hours after, any number of times',
    z.object({ page_token: z.string() }),
  ),
})
const begin = call('writeToOwner', 'Write to the owner of a code', {
  post: '/{qr_id}/messages',
  body: {
    content: {
      'application/json': { schema: firstMessage, example },
      'multipart/form-data': withPhoto,
    },
  },
  201: answer(
    'Sent. The URL is of the page where the answer appears, and is told only here',
    z.object({ conversation_url: z.string() }),
  ),
})

/** The messages of finders. Their conversation page is no part of the API. */
export const scanMessages = apiRouter()
  .openapi(readToken, async (c) => {
    const { secretKey, clock } = c.var.deps
    const { pathId } = await getMessagedCode(c)
    return c.json({ page_token: makePageToken(secretKey, pathId, clock()) }, 200)
  })
  .openapi(begin, async (c) => {
    // The types know no call that takes either.
    const json = c.req.valid('json' as never) as Record<string, unknown>
    const started = await startFromRequest(c, isMultipart(c) ? undefined : json)
    if ('refusal' in started) throw started.refusal
    return c.json(started, 201)
  })
