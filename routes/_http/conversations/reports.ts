import { z } from '@hono/zod-openapi'
import { createPageReport } from '#db/conversations/page-reports.ts'
import type { ScannedCode } from '#db/scans/scan-path.ts'
import { keyedId } from '#db/secrets.ts'
import {
  REPORT_ACTIONS,
  REPORT_REASONS,
  REPORT_TEXT_LENGTH,
  type Report,
} from '#domain/conversations/report.ts'
import { assertHere } from '#routes/_http/brands/page-brand.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { currentId } from '#routes/_http/scans/scans.ts'
import { lines, mustBe, payload, refusing } from '#routes/_http/schema.ts'

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
  await assertHere(c, currentId(code))
  const { db, clock, secretKey } = c.var.deps
  const id = formKey
    ? keyedId(secretKey, 'report', code.qr_id, formKey, JSON.stringify(report))
    : undefined
  await createPageReport(db, code.qr_id, report, clock(), id)
}

/** A decision as the form and the call send it. */
export const reportDecision = payload({
  action: z.enum(REPORT_ACTIONS, mustBe('action', `one of ${REPORT_ACTIONS.join(', ')}`)),
})
