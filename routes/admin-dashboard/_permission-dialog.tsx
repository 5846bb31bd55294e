import type { ReactElement } from 'react'
import { PermissionForm } from '#components/admin/permission-form.tsx'
import { getListedAccount } from '#db/accounts/account-search.ts'
import type { ListedAccount } from '#db/accounts/accounts.ts'
import { findLastingRole } from '#db/accounts/entitlements.ts'
import { fromFlag } from '#db/cast.ts'
import type { Account } from '#db/schema.ts'
import {
  PERMISSION_TYPES,
  type PermissionType,
  permissionProblem,
  typeOf,
} from '#domain/accounts/permission.ts'
import { roleLabel } from '#domain/accounts/roles.ts'
import { type ManagementTab, permissionAction, readUserPlace } from '#domain/admin/management.ts'
import type { ErrorKind } from '#domain/error.ts'
import { formatDateTime, toFieldTime } from '#domain/time.ts'
import { englishText } from '#locales/refusal.ts'
import { toUserCardView } from '#routes/_admin/user-view.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** A refused form with its fields, to be shown again. */
export type RefusedForm = {
  id: string
  type: PermissionType
  expires: string
  message: string
  kind: ErrorKind
}

/** Renders the dialog of a user's permissions, if the address or a refused form asks for it. */
export async function requestedPermissions(
  c: AppContext,
  admin: Account,
  tab: ManagementTab,
  refused?: RefusedForm,
): Promise<ReactElement | undefined> {
  const userId = refused?.id ?? c.req.query('permissions')
  if (!userId) return undefined
  const { db, config } = c.var.deps
  const user = await getListedAccount(db, userId)
  const roles = [user.role, await findLastingRole(db, user)]
  const problemOf = (type?: PermissionType) =>
    permissionProblem({ actor: admin, subject: { id: user.id, roles }, ...(type && { type }) })
  const barred = problemOf()
  const { id, name, contact } = toUserCardView(c, user)
  const expires = user.expires_at ? toFieldTime(user.expires_at, config.timezone) : ''
  return (
    <PermissionForm
      name={name}
      contact={contact}
      action={permissionAction(id, tab, readUserPlace(c.req.query()))}
      now={inWords(user, config.timezone)}
      type={typeOf({ role: user.role, is_active: fromFlag(user.is_active) })}
      expires={expires}
      {...(refused && typedIn(refused))}
      barred={PERMISSION_TYPES.filter((type) => problemOf(type))}
      timezone={config.timezone}
      refusal={barred && englishText(barred)}
    />
  )
}

function typedIn({ type, expires, message, kind }: RefusedForm) {
  const field = kind === 'invalid' ? 'expires_at' : 'permission_type'
  return { type, expires, refused: { field, message } } as const
}

function inWords({ role, is_active, expires_at }: ListedAccount, timezone: string): string {
  const what = fromFlag(is_active) ? roleLabel(role) : `${roleLabel(role)}, blocked`
  return expires_at ? `Now: ${what} until ${formatDateTime(expires_at, timezone)}` : `Now: ${what}`
}
