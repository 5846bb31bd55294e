import { z } from '@hono/zod-openapi'
import { REPORT_ACTIONS } from '#domain/conversations/report.ts'
import { notAnObject } from '#routes/_http/schema.ts'

/** A decision as the form and the call send it. */
export const reportDecision = z.object(
  { action: z.enum(REPORT_ACTIONS, `action must be one of ${REPORT_ACTIONS.join(', ')}`) },
  notAnObject,
)
