import { Hono } from 'hono'
import { actorOf } from '#db/admin/audit-events.ts'
import type { Account } from '#db/schema.ts'
import {
  keptIn,
  type ReportsPlace,
  readReportsPlace,
  reportsHref,
} from '#domain/conversations/report-places.ts'
import type { DomainError } from '#domain/error.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { actOnReport, reportDecision } from '#routes/_http/conversations/reports.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { orDashboard, requireModerator } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderReports } from '#routes/dashboard/conversations/_reports.tsx'

/** The form that decides a report on a moderator's dashboard. */
export const reportForms = new Hono<AppEnv>()
  .use(orDashboard(requireModerator))
  .post('/:id', (c) => decideByForm(c, '/dashboard', renderReports))

type Render = (c: AppContext, account: Account, refusal: DomainError) => Promise<Response>

/** Performs the form that decides a report, on either page that lists reports. */
export async function decideByForm(
  c: AppContext,
  on: ReportsPlace['on'],
  render: Render,
): Promise<Response> {
  const account = requireModerator(c)
  const decision = parseForm(reportDecision, (await readForm(c)).form)
  const id = c.req.param('id') ?? ''
  const place = keptIn(readReportsPlace(on, c.req.query()), id)
  return perform(c, {
    act: () => actOnReport(c.var.deps, actorOf(account), id, decision),
    done: () => reportsHref(place, { done: decision.action, at: `report-${id}` }),
    refused: (refusal) => render(c, account, refusal),
  })
}
