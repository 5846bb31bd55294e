import { z } from '@hono/zod-openapi'
import { toReportView } from '#actions/conversations/reports.ts'
import { actorOf } from '#db/admin/audit-events.ts'
import { listReports } from '#db/conversations/moderated-reports.ts'
import { actOnReport, reportDecision } from '#routes/_http/conversations/reports.ts'
import { moderatorsOnly, requireModerator } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { linkPages, pagedAnswer } from '#routes/api/_paging.ts'
import { answer, jsonBody } from '#routes/api/_payloads.ts'
import { report, reportQuery } from '#routes/api/conversations/_report-schema.ts'

const call = sessionCalls('Moderation', moderatorsOnly)

const list = call('listReports', 'List the reports', {
  get: '/',
  query: reportQuery,
  200: pagedAnswer(
    'A page of the reports, newest first',
    z.object({ reports: z.array(report), total_count: z.int() }),
  ),
})

const decide = call('decideReport', 'Decide a report, hold its code or answer its reporter', {
  put: '/{id}',
  body: jsonBody(reportDecision, { action: 'dismiss' }),
  200: answer('The report; open after hold_code and answer', report),
  problems: [409, 503],
})

/** The reports of finders and owners. */
export const reports = apiRouter()
  .openapi(list, async (c) => {
    const query = c.req.valid('query')
    const { reports, total_count } = await listReports(c.var.deps.db, query)
    linkPages(c, query, total_count)
    return c.json({ reports: reports.map(toReportView), total_count }, 200)
  })
  .openapi(decide, async (c) => {
    const { id } = c.req.valid('param')
    const moderator = actorOf(requireModerator(c))
    const decided = await actOnReport(c.var.deps, moderator, id, c.req.valid('json'))
    return c.json(toReportView(decided), 200)
  })
