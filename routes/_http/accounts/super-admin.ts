import { grantSuperAdmin } from '#db/accounts/permissions.ts'
import type { Account } from '#db/schema.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { mayGrantToSelf } from '#routes/_http/local-request.ts'

/** Makes the caller a super admin, for trying the service out. In production use the command line. */
export async function grantToSelf(c: AppContext): Promise<Account> {
  const { db, clock } = c.var.deps
  const { id } = requireAccount(c)
  if (!mayGrantToSelf(c)) throw new DomainError('forbidden.super_admin')
  return grantSuperAdmin(db, id, clock())
}
