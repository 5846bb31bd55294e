import type { ReactNode } from 'react'
import { type AdminFrame, AdminShell } from '#components/admin/admin-shell.tsx'
import type { Account } from '#db/schema.ts'
import { countOpenTickets } from '#db/tickets/tickets.ts'
import { ADMIN_TABS } from '#domain/admin/admin.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderPage } from '#routes/_http/render.tsx'

type AdminPage = Omit<AdminFrame, 'name' | 'pending'> & {
  /** the title of a ticket or another thing in the tab */
  title?: string | undefined
}

/** Renders a tab of the super admin's page. */
export async function renderAdmin(
  c: AppContext,
  { name }: Account,
  { title, ...frame }: AdminPage,
  panel: ReactNode,
): Promise<Response> {
  const { count } = await countOpenTickets(c.var.deps.db).executeTakeFirstOrThrow()
  const label = ADMIN_TABS.find(({ id }) => id === frame.tab)?.label
  return renderPage(
    c,
    {
      title: `Admin · ${title ?? label}`,
      sheet: 'app',
      part: frame.tab === 'support' ? ['admin', 'tickets'] : 'admin',
    },
    <AdminShell name={name} pending={{ support: count }} {...frame}>
      {panel}
    </AdminShell>,
  )
}
