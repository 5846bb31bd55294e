import type { ReactElement } from 'react'
import { PermissionLink, RoleCell, UserTable } from '#components/admin/user-table.tsx'
import { UserToolbar } from '#components/admin/user-toolbar.tsx'
import { Icon } from '#components/icons/icon.tsx'
import { InviteLink } from '#components/invitations/open-invitations.tsx'
import { Badge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { Pager } from '#components/ui/pager.tsx'
import type { Account } from '#db/schema.ts'
import {
  managementHref,
  ROLE_FILTERS,
  readUserPlace,
  USERS_PAGE_SIZE,
  type UserPlace,
  userPlaceFields,
} from '#domain/admin/management.ts'
import { formatCount } from '#domain/number.ts'
import { ListOutcome } from '#routes/_admin/lists.tsx'
import { readUsers, type UserCardView } from '#routes/_admin/user-view.ts'
import { renderWaiting } from '#routes/_admin/waiting.tsx'
import type { AppContext } from '#routes/_http/context.ts'
import {
  mayInvite,
  renderInvitations,
  requestedInvitation,
} from '#routes/admin-dashboard/_invitations.tsx'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'
import {
  type RefusedForm,
  requestedPermissions,
} from '#routes/admin-dashboard/_permission-dialog.tsx'

/** Renders every account, newest first. */
export async function renderUsers(
  c: AppContext,
  account: Account,
  { refused, dialog: shown }: { refused?: RefusedForm; dialog?: ReactElement } = {},
) {
  const dialog =
    shown ??
    (await requestedPermissions(c, account, 'users', refused)) ??
    (await requestedInvitation(c))
  const panel = c.req.query('part') === 'dialog' ? null : await renderPanel(c)
  return renderManagement(
    c,
    account,
    {
      title: 'User Management',
      tab: 'users',
      failure: 'Failed to fetch users',
      first: isOpening(c) && panel && (await renderWaiting(c, account, '/admin-dashboard')),
      dialog,
      outcome: <ListOutcome c={c} />,
    },
    panel,
  )
}

/** The page opens with the work that waits, until somebody looks for a user. */
function isOpening(c: AppContext): boolean {
  return Object.keys(userPlaceFields(readUserPlace(c.req.query()))).length === 0
}

async function renderPanel(c: AppContext) {
  const place = readUserPlace(c.req.query())
  const { users, total } = await readUsers(c, place)
  return (
    <>
      <UserToolbar
        action="/admin-dashboard"
        fields={{ tab: 'users' }}
        search={place.q}
        filter={{ name: 'role', label: 'Role', value: place.role, options: ROLE_FILTERS }}
      />
      {await renderInvitations(c)}
      <section className="sheet stack" aria-labelledby="users">
        <div className="head">
          <div className="row">
            <h2 className="text-lg" id="users">
              Users
            </h2>
            <Badge>{`${formatCount(total)} total`}</Badge>
          </div>
          {mayInvite(c) && <InviteLink />}
        </div>
        {users.length > 0 ? <Users users={users} place={place} /> : <NoUsers />}
        <UsersPager place={place} shown={users.length} />
      </section>
    </>
  )
}

function Users({ users, place }: { users: UserCardView[]; place: UserPlace }) {
  return (
    <UserTable
      label="Users"
      users={users}
      columns={[
        { label: 'Role', cell: (user) => <RoleCell view={user} /> },
        { label: 'QR codes', cell: (user) => formatCount(user.qr_count) },
        { label: 'Documents', cell: (user) => formatCount(user.doc_count) },
      ]}
      actions={(user) => (
        <>
          <PermissionLink user={user} tab="users" place={place} label="Manage" />
          <a className="btn btn-quiet btn-sm" href={managementHref('hierarchy', { user: user.id })}>
            <Icon name="tree" />
            Hierarchy
            <span className="vh">{` of ${user.name}`}</span>
          </a>
        </>
      )}
    />
  )
}

function NoUsers() {
  return (
    <Empty
      icon="users"
      title="No users found"
      heading="h3"
      within
      action={
        <a className="btn" href={managementHref('users')}>
          Clear Search
        </a>
      }
    >
      <p>Try a part of a name or an email, or choose another role.</p>
    </Empty>
  )
}

/** Offers a next page when this one is full; it may be empty. */
function UsersPager({ place, shown }: { place: UserPlace; shown: number }) {
  const href = (page: number) => managementHref('users', userPlaceFields({ ...place, page }))
  const { page } = place
  return (
    <Pager
      page={page}
      previous={page > 1 ? href(page - 1) : undefined}
      next={shown < USERS_PAGE_SIZE ? undefined : href(page + 1)}
    />
  )
}
