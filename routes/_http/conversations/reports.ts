import { z } from '@hono/zod-openapi'
import { answerReporter } from '#actions/conversations/reports.ts'
import type { Actor } from '#db/admin/audit-events.ts'
import type { ListedReport } from '#db/conversations/moderated-reports.ts'
import { createPageReport } from '#db/conversations/page-reports.ts'
import { decideReport } from '#db/conversations/report-decisions.ts'
import { holdReportedCode } from '#db/conversations/report-holds.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { keyedId } from '#db/secrets.ts'
import { MESSAGE_LENGTHS } from '#domain/conversations/message.ts'
import {
  REPORT_ACTS,
  REPORT_REASONS,
  REPORT_TEXT_LENGTH,
  type Report,
} from '#domain/conversations/report.ts'
import { assertServedHere } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'
import type { Deps } from '#routes/_http/deps.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { currentId } from '#routes/_http/scans/scans.ts'
import { lines, mustBe, payload } from '#routes/_http/schema.ts'
import { refusing } from '#routes/_http/schema-refusals.ts'

/** A report as the form and the call send it. */
export const reportFields = payload({
  reason: z.enum(REPORT_REASONS, refusing('invalid.report_reason')),
  text: lines('Text', REPORT_TEXT_LENGTH),
})

/**
 * Reports the page of a code as it was found. `formKey` is a random text of the page's form, which may be
 * sent again. Throws too_many, and not_found for a code without a page.
 */
export async function reportPage(
  c: AppContext,
  code: ScannedCode,
  report: Report,
  formKey?: string,
): Promise<void> {
  limit(c, 'report')
  await assertServedHere(c, currentId(code))
  const { db, clock, secretKey } = c.var.deps
  const id = formKey
    ? keyedId(secretKey, 'report', code.qr_id, formKey, JSON.stringify(report))
    : undefined
  await createPageReport(db, code.qr_id, report, clock(), id)
}

/** An act on a report as the form and the call send it. */
export const reportDecision = payload({
  action: z.enum(REPORT_ACTS, mustBe('action', `one of ${REPORT_ACTS.join(', ')}`)),
  text: lines('Text', MESSAGE_LENGTHS.text).openapi({
    description: 'of an answer: mailed to the account that reported a conversation',
  }),
})

/** Decides a report, holds its code, or answers its reporter. Throws the errors of each. */
export function actOnReport(
  deps: Deps,
  actor: Actor,
  id: string,
  { action, text }: z.infer<typeof reportDecision>,
): Promise<ListedReport> {
  const { db, clock } = deps
  if (action === 'hold_code') return holdReportedCode(db, actor, id, clock())
  if (action === 'answer') return answerReporter(deps, actor, id, text)
  return decideReport(db, actor, id, action, clock())
}
