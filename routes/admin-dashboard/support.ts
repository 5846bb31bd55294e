import type { RefusedTicket } from '#components/tickets/ticket-view.ts'
import type { Account } from '#db/schema.ts'
import { ticketForms } from '#routes/_admin/ticket-forms.ts'
import { readSupport } from '#routes/_admin/ticket-panel.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'

/** Renders the Support tab of admins. */
export async function renderManagedSupport(
  c: AppContext,
  account: Account,
  refused?: RefusedTicket,
): Promise<Response> {
  const { title = 'Support', panel, outcome } = await readSupport(c, '/admin-dashboard', refused)
  const frame = { title, tab: 'support', failure: 'Failed to load tickets', outcome } as const
  return renderManagement(c, account, frame, panel)
}

export const managedSupportForms = ticketForms('/admin-dashboard', renderManagedSupport)
