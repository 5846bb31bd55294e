import { z } from '@hono/zod-openapi'
import { THINGS } from '#domain/codes/visibility.ts'
import { REPORT_STATUSES } from '#domain/conversations/moderation.ts'
import { REPORT_ACTIONS, REPORT_REASONS } from '#domain/conversations/report.ts'
import { choice } from '#routes/_http/schema.ts'
import { pageFields, toPage } from '#routes/api/_paging.ts'

const { page, limit } = pageFields

/** Always a page: a snapshot is long, and anybody can report. */
export const reportQuery = z
  .object({
    page,
    limit,
    status: choice(REPORT_STATUSES, 'status'),
  })
  .transform(({ page = 1, ...rest }) => toPage({ page, ...rest }))

const nullable = z.string().nullable()
const reported = z.object({
  id: z.string(),
  reason: z.enum(REPORT_REASONS),
  text: nullable,
  qr_id: z.string(),
  status: z.enum(REPORT_STATUSES),
  created_at: z.iso.datetime(),
  action: z.enum(REPORT_ACTIONS).nullable(),
  decided_by: nullable.openapi({ description: 'the name; null for the command line' }),
  decided_at: z.iso.datetime().nullable(),
  answer: nullable.openapi({ description: 'mailed to the account that reported a conversation' }),
  answered_at: z.iso.datetime().nullable(),
})

const pageReport = reported.extend({
  kind: z.literal('page'),
  snapshot: z.object({
    fields: z
      .record(z.string(), z.unknown())
      .openapi({ description: 'what the page showed of the code' }),
    images: z.array(
      z.object({
        id: z.string(),
        url: nullable.openapi({ description: 'null for an image that was deleted since' }),
      }),
    ),
    messages: z.array(z.object({ id: z.string(), title: z.string(), content: z.string() })),
  }),
})

const conversationReport = reported.extend({
  kind: z.literal('conversation'),
  snapshot: z.object({
    owner_name: nullable.openapi({ description: 'the first word of the name' }),
    vehicle_registration: nullable,
    reason: z.string(),
    thing: z.enum(THINGS).optional().openapi({ description: 'missing in older reports' }),
    name: nullable,
    place: nullable,
    had_photo: z.boolean(),
    messages: z.array(
      z.object({
        from: z.string(),
        kind: z.string(),
        text: nullable.openapi({ description: 'null for a number that was shared' }),
        sent_at: z.iso.datetime(),
      }),
    ),
  }),
})

export const report = z
  .discriminatedUnion('kind', [pageReport, conversationReport])
  .openapi('Report')
