import { qrNotFound } from '#domain/codes/qr-id.ts'
import { isOfSomebody, scanState } from '#domain/scans/scan.ts'
import { reportFields, reportPage } from '#routes/_http/conversations/page-reports.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { findScannedTag } from '#routes/_http/scans/scans.ts'
import { answer, apiRouter, jsonBody, message, problems } from '#routes/_http/schema.ts'
import { apiCall, codeParams } from '#routes/api/_call.ts'

const send = apiCall({
  operationId: 'reportScan',
  summary: 'Report the page of a code to the moderators',
  subject: 'Scans',
  security: [],
  method: 'post',
  path: '/{qr_id}/report',
  request: {
    params: codeParams,
    body: jsonBody(reportFields, { reason: 'fraud', text: 'It asks to pay before I may call.' }),
  },
  responses: { 201: answer('A moderator will look at the page', message), ...problems(404) },
})

/** What finders tell moderators about a page. */
export const pageReports = apiRouter().openapi(send, async (c) => {
  limit(c, 'scan')
  const code = await findScannedTag(c)
  if (!code || !isOfSomebody(scanState(code, { accountId: undefined, preview: false }))) {
    limit(c, 'unknown')
    throw qrNotFound()
  }
  await reportPage(c, code, c.req.valid('json'))
  return c.json({ message: 'Report sent' }, 201)
})
