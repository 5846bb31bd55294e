import type { ReportStatus } from '#domain/conversations/moderation.ts'
import { readPageNumber } from '#domain/dashboard.ts'
import { readKept, withKept } from '#domain/decision.ts'

export const REPORT_LISTS = [
  { id: 'open', label: 'Open' },
  { id: 'decided', label: 'Decided' },
] as const

/** Moderators decide on their dashboard, admins on the management page. */
export type ReportsPlace = {
  on: '/dashboard' | '/admin-dashboard'
  status: ReportStatus
  page: number
  /** the only report that is shown */
  report?: string | undefined
  /** ids of reports that were decided while the list of open ones was read, and keep their places in it */
  kept?: string[]
}

export function readReportsPlace(
  on: ReportsPlace['on'],
  query: Record<string, string | undefined>,
): ReportsPlace {
  const status = query.status === 'decided' ? 'decided' : 'open'
  const { report = '' } = query
  return {
    on,
    status,
    page: readPageNumber(query.page),
    ...(report && { report }),
    kept: readKept(query.kept),
  }
}

/** Returns the address of a place on the Reports tab, with further query parameters. */
export function reportsHref(place: ReportsPlace, rest: Record<string, string> = {}): string {
  return `${place.on}?${new URLSearchParams({ tab: 'reports', ...fieldsOf(place), ...rest })}`
}

/** Returns the address of one report. */
export function reportHref(on: ReportsPlace['on'], id: string): string {
  return reportsHref({ on, status: 'open', page: 1, report: id })
}

/** Returns the action of the form that decides a report. Its answer redirects back to the same place. */
export function reportAction(place: ReportsPlace, id: string): string {
  const query = String(new URLSearchParams(fieldsOf(place)))
  return `${place.on}/reports/${id}${query && `?${query}`}`
}

/** Returns the place with a report that keeps its own in the list. */
export function keptIn(place: ReportsPlace, id: string): ReportsPlace {
  return { ...place, kept: readKept(withKept(place.kept?.join(','), id)) }
}

function fieldsOf({ status, page, report, kept = [] }: ReportsPlace): Record<string, string> {
  return {
    ...(status !== 'open' && { status }),
    ...(page > 1 && { page: String(page) }),
    ...(report && { report }),
    ...(kept.length > 0 && { kept: kept.join(',') }),
  }
}
