import type { ActionDeps } from '#actions/deps.ts'
import { getListedAccount } from '#db/accounts/account-search.ts'
import type { ListedAccount } from '#db/accounts/accounts.ts'
import { setPermission } from '#db/accounts/permission-types.ts'
import type { Account } from '#db/schema.ts'
import type { PermissionType } from '#domain/accounts/permission.ts'
import { expiryOf } from '#domain/expiry.ts'

type PermissionInput = { accountId: string; type: PermissionType; expires: string | null }

/** Sets a permission, for the API and the page's form. Returns the changed account. */
export async function permit(
  { db, clock, config }: ActionDeps,
  admin: Account,
  { accountId, type, expires }: PermissionInput,
): Promise<ListedAccount> {
  const now = clock()
  const until = expiryOf(expires, config.timezone, now)
  await setPermission(db, { actorId: admin.id, accountId, type, until }, now)
  return getListedAccount(db, accountId)
}
