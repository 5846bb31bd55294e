import { UserCell } from '#components/admin/user-table.tsx'
import { RoleBadge } from '#components/ui/badge.tsx'
import { Empty } from '#components/ui/empty.tsx'
import { type Family, getFamily } from '#db/accounts/account-search.ts'
import { fromFlag } from '#db/cast.ts'
import type { Account } from '#db/schema.ts'
import { contactOf } from '#domain/accounts/contact.ts'
import { managementHref } from '#domain/admin/management.ts'
import { formatCount } from '#domain/number.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { renderManagement } from '#routes/admin-dashboard/_page.tsx'

/** Renders a user with its parent and child users. */
export async function renderHierarchy(c: AppContext, account: Account): Promise<Response> {
  const selected = c.req.query('user')
  const family = selected ? await getFamily(c.var.deps.db, selected) : undefined
  return renderManagement(
    c,
    account,
    { title: 'User Hierarchy', tab: 'hierarchy', failure: 'Failed to fetch user hierarchy' },
    <>
      <h2>User Hierarchy</h2>
      {family ? <Tree {...family} /> : <NobodySelected />}
    </>,
  )
}

function NobodySelected() {
  return (
    <Empty
      icon="users"
      title="Select a User"
      heading="h3"
      action={
        <a className="btn btn-main" href={managementHref('users')}>
          User Management
        </a>
      }
    >
      <p>Choose Hierarchy next to a user in User Management.</p>
    </Empty>
  )
}

function Tree({ user, parent, children }: Family) {
  return (
    <>
      <section className="sheet stack" aria-label={user.name}>
        {parent && (
          <p className="small soft">
            {'Child user of '}
            <a href={hrefOf(parent)}>{parent.name}</a>
          </p>
        )}
        <div className="row">
          <UserCell name={user.name} contact={contactOf(user)} />
          <span className="push">
            <RoleBadge role={user.role} />
          </span>
        </div>
        {children.length > 0 && <Children of={children} />}
      </section>
      {children.length === 0 && (
        <Empty icon="tree" title="No Child Users" heading="h3">
          <p>Nobody has registered a child QR code of this user yet.</p>
        </Empty>
      )}
    </>
  )
}

function Children({ of }: { of: Family['children'] }) {
  return (
    <ul className="stack branch">
      {of.map((child) => (
        <li key={child.id} className={fromFlag(child.is_active) ? 'row' : 'row is-off'}>
          <UserCell name={child.name} contact={contactOf(child)} href={hrefOf(child)} />
          <span className="push small soft num">{`${formatCount(child.qr_count)} QR`}</span>
        </li>
      ))}
    </ul>
  )
}

function hrefOf({ id }: { id: string }): string {
  return managementHref('hierarchy', { user: id })
}
