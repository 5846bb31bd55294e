import { qrNotFound } from '#domain/codes/qr-id.ts'
import { isOfSomebody, scanState } from '#domain/scans/scan.ts'
import { reportFields, reportPage } from '#routes/_http/conversations/reports.ts'
import { limit } from '#routes/_http/rate-limits.ts'
import { resolveScan } from '#routes/_http/scans/scans.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { publicCalls } from '#routes/api/_call.ts'
import { jsonBody } from '#routes/api/_payloads.ts'

const call = publicCalls('Scans')

const send = call('reportScan', 'Report the page of a code to the moderators', {
  post: '/{qr_id}/report',
  body: jsonBody(reportFields, { reason: 'fraud', text: 'It asks to pay before I may call.' }),
  201: 'A moderator will look at the page',
})

/** The reports of finders about a page. */
export const pageReports = apiRouter().openapi(send, async (c) => {
  limit(c, 'scan')
  const { code } = await resolveScan(c)
  if (!code || !isOfSomebody(scanState(code, { accountId: undefined, preview: false }))) {
    limit(c, 'unknown')
    throw qrNotFound()
  }
  await reportPage(c, code, c.req.valid('json'))
  return c.json({ message: 'Report sent' }, 201)
})
