import { z } from '@hono/zod-openapi'
import { CONNECTED_KINDS } from '#domain/alerts/alert.ts'
import { notAnObject, text } from '#routes/_http/schema.ts'

/** The longest address that is taken. */
const LONGEST_URL = 2_000

/** Without push, which is connected by a subscription. */
const KINDS = CONNECTED_KINDS.filter((kind) => kind !== 'push')

/** What connects a channel, as the forms send it and the API call. */
export const newChannel = z.object(
  {
    type: z.enum(KINDS, `Type must be one of ${KINDS.join(', ')}`),
    url: text('URL', LONGEST_URL).openapi({ description: 'of ntfy: its topic; of a webhook' }),
    token: text('Token').openapi({ description: 'of ntfy, if the topic is protected' }),
    secret: text('Secret').openapi({
      description: 'of a webhook: `whsec_` and base64; without one it is made',
    }),
  },
  notAnObject,
)
