import { PermissionLink, RoleCell, UserTable } from '#components/admin/user-table.tsx'
import { StatCard } from '#components/ui/stat-card.tsx'
import { readDashboardStats } from '#db/admin/dashboard-stats.ts'
import type { Account } from '#db/schema.ts'
import { readUserPlace } from '#domain/admin/management.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { ListOutcome } from '#routes/_admin/lists.tsx'
import { readUsers, type UserCardView } from '#routes/_admin/user-view.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'
import {
  type RefusedForm,
  requestedPermissions,
} from '#routes/admin-dashboard/_permission-dialog.tsx'

const TAB = 'permissions'
const USERS_SHOWN = 5

/** Renders the counts of each permission, and the first users to edit. */
export async function renderPermissions(c: AppContext, account: Account, refused?: RefusedForm) {
  const dialog = await requestedPermissions(c, account, TAB, refused)
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c)
  return renderManagement(
    c,
    account,
    {
      title: 'Permissions',
      tab: TAB,
      failure: 'Failed to fetch users',
      dialog,
      outcome: <ListOutcome c={c} />,
    },
    panel,
  )
}

async function renderPanel(c: AppContext) {
  const { db, clock, config } = c.var.deps
  const stats = await readDashboardStats(db, clock(), config.timezone)
  const place = readUserPlace(c.req.query())
  const { users } = await readUsers(c, place)
  return (
    <>
      <h2>Permissions</h2>
      <Counts admins={stats.users.admins} users={users} />
      <section className="sheet sheet-tight" aria-label="First users">
        <UserTable
          label="First users"
          users={users.slice(0, USERS_SHOWN)}
          columns={[{ label: 'Role', cell: (user) => <RoleCell view={user} /> }]}
          actions={(user) => (
            <PermissionLink user={user} tab={TAB} place={place} label="Edit Permissions" />
          )}
        />
      </section>
    </>
  )
}

function Counts({ admins, users }: { admins: number; users: UserCardView[] }) {
  const count = (role: string) => users.filter((user) => user.role === role).length
  const blocked = users.filter((user) => !user.is_active).length
  const note = 'on this page'
  return (
    <section className="cards cards-fit cards-8" aria-label="Counts">
      <StatCard label="Admins" count={admins} />
      <StatCard label="Moderators" count={count('moderator')} note={note} />
      {hasPlans() && <StatCard label="Premium Users" count={count('premium')} note={note} />}
      <StatCard label="Blocked" count={blocked} note={note} />
    </section>
  )
}
