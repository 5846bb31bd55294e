import { Hono } from 'hono'
import type { AppEnv } from '#routes/_http/context.ts'
import { renderManagedReports } from '#routes/admin-dashboard/_reports.ts'
import { decideByForm } from '#routes/dashboard/conversations/reports.ts'

/** The form that decides a report on the management page. */
export const managedReportForms = new Hono<AppEnv>().post('/:id', (c) =>
  decideByForm(c, '/admin-dashboard', renderManagedReports),
)
