import { isOnlyAccount } from '#db/accounts/permissions.ts'
import type { Account } from '#db/schema.ts'
import { roleProblem } from '#domain/accounts/permission.ts'
import { mayGrantToSelf } from '#routes/_http/client-address.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Returns whether the dashboard offers the account to become the first admin. */
export async function mayBeFirstAdmin(c: AppContext, account: Account): Promise<boolean> {
  if (!mayGrantToSelf(c) || account.role === 'super_admin') return false
  if (roleProblem(account, 'super_admin')) return false
  return isOnlyAccount(c.var.deps.db, account.id)
}
