import type { ReactNode } from 'react'
import { Badge, RoleBadge } from '#components/badge.tsx'

/** An account in a list of the admin area. */
export type UserRowView = {
  id: string
  name: string
  /** e-mail, or the mobile number of an account that has none */
  contact: string
  role: string
  is_active: boolean
  /** until when the permission is, as it is shown; null when it does not end */
  until: string | null
}

export function UserCell({ name, contact }: Pick<UserRowView, 'name' | 'contact'>) {
  return (
    <span className="row nowrap">
      <span className="avatar" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
      <span>
        <b className="any-break">{name}</b>
        <span className="block soft any-break">{contact}</span>
      </span>
    </span>
  )
}

export function Standing({ view }: { view: UserRowView }) {
  const { role, is_active, until } = view
  return (
    <span className="row gap-2">
      <RoleBadge role={role} />
      {!is_active && <Badge dot="hollow">Inactive</Badge>}
      {until && <span className="small soft">{`until ${until}`}</span>}
    </span>
  )
}

type Column<T> = { label: string; cell: (user: T) => ReactNode }

/** Accounts one below the other; a last column holds what can be done with each. */
export function UserTable<T extends UserRowView>({
  label,
  users,
  columns,
  actions,
}: {
  label: string
  users: T[]
  columns: Column<T>[]
  actions?: (user: T) => ReactNode
}) {
  // Explicit roles: stacked on a phone, rows and cells lose theirs.
  return (
    // biome-ignore lint/a11y/noRedundantRoles: `display: block` takes the implicit ones away
    <table className="table" role="table" aria-label={label}>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <thead role="rowgroup">
        {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
        <tr role="row">
          {['User', ...columns.map((column) => column.label)].map((name) => (
            <th key={name} scope="col">
              {name}
            </th>
          ))}
          {actions && (
            <th scope="col">
              <span className="vh">Actions</span>
            </th>
          )}
        </tr>
      </thead>
      {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
      <tbody role="rowgroup">
        {users.map((user) => (
          // biome-ignore lint/a11y/noRedundantRoles: see above
          <tr key={user.id} role="row" className={user.is_active ? undefined : 'is-off'}>
            {/* biome-ignore lint/a11y/noRedundantRoles: see above */}
            <td role="cell" id={`user-${user.id}`} tabIndex={-1}>
              <UserCell {...user} />
            </td>
            {columns.map(({ label: name, cell }) => (
              // biome-ignore lint/a11y/noRedundantRoles: see above
              <td key={name} role="cell" data-label={name} className="num">
                {cell(user)}
              </td>
            ))}
            {actions && (
              // biome-ignore lint/a11y/noRedundantRoles: see above
              <td role="cell" className="end">
                <span className="row gap-2 to-end">{actions(user)}</span>
              </td>
            )}
          </tr>
        ))}
      </tbody>
    </table>
  )
}
