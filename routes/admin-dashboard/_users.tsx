import { Badge } from '#components/badge.tsx'
import { Empty } from '#components/empty.tsx'
import { Pager } from '#components/pager.tsx'
import { Standing, UserTable } from '#components/user-table.tsx'
import { UserToolbar } from '#components/user-toolbar.tsx'
import { searchAccounts } from '#db/account-search.ts'
import type { Account } from '#db/schema.ts'
import {
  managementHref,
  ROLE_FILTERS,
  readUserPlace,
  rolesOf,
  USERS_PAGE_SIZE,
  type UserPlace,
  userPlaceFields,
} from '#domain/management.ts'
import { formatCount } from '#domain/number.ts'
import { Island } from '#islands/_island.tsx'
import type { AppContext } from '#routes/_deps.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'
import { toUserCardView, type UserCardView } from '#routes/admin-dashboard/_user-view.ts'

/** Everybody who has an account, newest first. */
export async function renderUsers(c: AppContext, account: Account): Promise<Response> {
  const place = readUserPlace(c.req.query())
  const { users, total } = await searchAccounts(c.var.deps.db, {
    search: place.q || null,
    roles: rolesOf(place.role),
    limit: USERS_PAGE_SIZE,
    offset: (place.page - 1) * USERS_PAGE_SIZE,
  })
  const islands = <Island name="admin-users" props={{}} />
  const views = users.map((user) => toUserCardView(c, user))
  return renderManagement(
    c,
    account,
    { title: 'User Management', tab: 'users', failure: 'Failed to fetch users', islands },
    <>
      <UserToolbar
        action="/admin-dashboard"
        fields={{ tab: 'users' }}
        search={place.q}
        filter={{ name: 'role', label: 'Role', value: place.role, options: ROLE_FILTERS }}
      />
      <section className="sheet stack" aria-labelledby="users">
        <div className="head">
          <h2 className="text-lg" id="users">
            Users
          </h2>
          <Badge>{`${formatCount(total)} total`}</Badge>
        </div>
        {views.length > 0 ? <Users users={views} /> : <NoUsers />}
        <UsersPager place={place} shown={views.length} />
      </section>
    </>,
  )
}

function Users({ users }: { users: UserCardView[] }) {
  return (
    <UserTable
      label="Users"
      users={users}
      columns={[
        { label: 'Role', cell: (user) => <Standing view={user} /> },
        { label: 'QR codes', cell: (user) => formatCount(user.qr_count) },
        { label: 'Documents', cell: (user) => formatCount(user.doc_count) },
      ]}
    />
  )
}

function NoUsers() {
  return (
    <Empty icon="users" title="No users found" heading="h3" within>
      <p>Search for a part of a name or an email, or choose another role.</p>
    </Empty>
  )
}

/** There is a next page when this one is full, whether or not anybody stands on it. */
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
