import type { RefusedTicket } from '#components/tickets/ticket-view.ts'
import type { Account } from '#db/schema.ts'
import { ticketForms } from '#routes/_admin/ticket-forms.ts'
import { readSupport } from '#routes/_admin/ticket-panel.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import { renderAdmin } from '#routes/admin/_page.tsx'

/** Renders the Support tab of super admins. */
export async function renderSupport(
  c: AppContext,
  account: Account,
  refused?: RefusedTicket,
): Promise<Response> {
  const { panel, ...frame } = await readSupport(c, '/admin', refused)
  return renderAdmin(
    c,
    account,
    { tab: 'support', failure: 'Failed to load tickets', ...frame },
    panel,
  )
}

export const supportForms = ticketForms('/admin', renderSupport)
