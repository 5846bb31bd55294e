import type { Account } from '#db/schema.ts'
import type { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'
import { readReports } from '#routes/dashboard/conversations/_reports.tsx'

/** Renders the Reports tab of admins. */
export async function renderManagedReports(
  c: AppContext,
  account: Account,
  refusal?: DomainError,
): Promise<Response> {
  const { panel, ...frame } = await readReports(c, account, '/admin-dashboard', refusal)
  const page = { title: 'Reports', tab: 'reports', failure: 'Failed to load reports' } as const
  return renderManagement(c, account, { ...page, ...frame }, panel)
}
