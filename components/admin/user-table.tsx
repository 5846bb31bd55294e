import type { ReactNode } from 'react'
import { Badge, RoleBadge } from '#components/ui/badge.tsx'
import { type Column, ListTable } from '#components/ui/list-table.tsx'
import {
  type ManagementTab,
  managementHref,
  type UserPlace,
  userPlaceFields,
} from '#domain/admin/management.ts'

/** An account in a list of the admin area. */
export type UserRowView = {
  id: string
  name: string
  /** e-mail, or the mobile number of an account that has none */
  contact: string
  /** the e-mail address has not been verified */
  is_unproven: boolean
  role: string
  is_active: boolean
  /** until when the permission is, as it is shown; null when it does not end */
  until: string | null
}

type UserCellProps = Pick<UserRowView, 'name' | 'contact'> & {
  is_unproven?: boolean
  href?: string
}

export function UserCell({ name, contact, is_unproven, href }: UserCellProps) {
  return (
    <span className="row nowrap">
      <span className="avatar" aria-hidden="true">
        {[...name][0]?.toUpperCase()}
      </span>
      <span>
        <b className="any-break">{href ? <a href={href}>{name}</a> : name}</b>
        <span className="block soft any-break">{contact}</span>
        {is_unproven && (
          <Badge tone="warn" dot="full">
            Not verified
          </Badge>
        )}
      </span>
    </span>
  )
}

export function RoleCell({ view }: { view: UserRowView }) {
  const { role, is_active, until } = view
  return (
    <span className="row gap-2">
      <RoleBadge role={role} />
      {!is_active && <Badge dot="hollow">Inactive</Badge>}
      {until && <span className="small soft">{`until ${until}`}</span>}
    </span>
  )
}

/** Opens the dialog of a user's permissions above the current page. */
export function PermissionLink(props: {
  user: UserRowView
  tab: ManagementTab
  place: UserPlace
  label: string
}) {
  const { user, tab, place, label } = props
  return (
    <a
      className="btn btn-sm"
      href={managementHref(tab, { ...userPlaceFields(place), permissions: user.id })}
      data-dialog="permissions"
      data-gone="User not found"
    >
      {label}
      <span className="vh">{` of ${user.name}`}</span>
    </a>
  )
}

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
  return (
    <ListTable
      label={label}
      rows={users}
      head={{ label: 'User', cell: (user) => <UserCell {...user} /> }}
      columns={columns}
      idOf={({ id }) => `user-${id}`}
      isOff={({ is_active }) => !is_active}
      actions={actions}
    />
  )
}
