import { z } from '@hono/zod-openapi'
import { CONNECTED_KINDS } from '#domain/alerts/alert.ts'
import { notAnObject, text } from '#routes/_http/schema.ts'

/** The longest address that is taken. */
const LONGEST_URL = 2_000

const required = (name: string, longest?: number) =>
  text(name, longest).transform((value) => value ?? '')

const subscription = z
  .object(
    {
      endpoint: required('endpoint', LONGEST_URL),
      keys: z.object({ p256dh: required('p256dh'), auth: required('auth') }, notAnObject),
    },
    notAnObject,
  )
  .nullish()
  .openapi({ description: 'of push: as `PushSubscription.toJSON()` makes it' })

/** What connects a channel, as the forms send it and the API call. */
export const newChannel = z.object(
  {
    type: z.enum(CONNECTED_KINDS, `Type must be one of ${CONNECTED_KINDS.join(', ')}`),
    url: text('URL', LONGEST_URL).openapi({ description: 'of ntfy: its topic; of a webhook' }),
    token: text('Token').openapi({ description: 'of ntfy, if the topic is protected' }),
    secret: text('Secret').openapi({
      description: 'of a webhook: `whsec_` and base64; without one it is made',
    }),
    subscription,
  },
  notAnObject,
)
