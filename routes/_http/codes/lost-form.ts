import { z } from '@hono/zod-openapi'
import { LOST_LENGTHS } from '#domain/codes/lost.ts'
import { flag, notAnObject, text } from '#routes/_http/schema.ts'

/** Both texts are left out when a code is found again. */
export const lostForm = z.object(
  {
    lost: flag('lost'),
    note: text('note', LOST_LENGTHS.note),
    reward: text('reward', LOST_LENGTHS.reward),
  },
  notAnObject,
)
