import { grantSuperAdmin } from '#db/accounts/permissions.ts'
import type { Account } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { mayGrantToSelf } from '#routes/_http/local-request.ts'

/** Whoever tries the service out makes themselves its super admin; others have a command line. */
export async function grantToSelf(c: AppContext, { id }: Account): Promise<Account> {
  const { db, clock } = c.var.deps
  if (!mayGrantToSelf(c)) throw new DomainError('forbidden', 'Granting super admin is disabled')
  return grantSuperAdmin(db, id, clock())
}
