import { createMiddleware } from 'hono/factory'
import type { Caller } from '#db/accounts/credentials.ts'
import type { Session } from '#db/accounts/sessions.ts'
import type { Account } from '#db/schema.ts'
import { assertApiAccess } from '#domain/accounts/api-key.ts'
import { isAdmin, isOfStaff } from '#domain/accounts/roles.ts'
import { DomainError, NotSignedIn } from '#domain/error.ts'
import { assertDedicatedSupport } from '#domain/tickets/ticket.ts'
import type { AppContext, AppEnv, FinderContext } from '#routes/_http/context.ts'

/** Returns the account of the session or API key. Throws unauthenticated. */
export function requireAccount(c: FinderContext): Account {
  const { account, holder } = c.var
  if (account) return account
  if (holder) throw new DomainError('forbidden.second_factor')
  throw new NotSignedIn()
}

/** Returns the account, also one that must set up a second factor first. Throws unauthenticated. */
export function requireHolder(c: AppContext): Account {
  return c.var.holder ?? requireAccount(c)
}

/** Returns the caller, also one that must set up a second factor first. Throws unauthenticated. */
export function requireHoldersCaller(c: AppContext): Caller {
  return callerOf(c, requireHolder(c))
}

/** Returns the account and its session or API key, for acts that must end with either. */
export function requireCaller(c: AppContext): Caller {
  return callerOf(c, requireAccount(c))
}

function callerOf(c: AppContext, { id: accountId }: Account): Caller {
  const { credential } = c.var
  if (!credential) throw new NotSignedIn()
  return { accountId, credential }
}

/** Returns the session of a browser or a program that signed in. Throws unauthenticated. */
export function requireSession(c: AppContext): Session {
  const { session } = c.var
  if (!session) throw new NotSignedIn()
  return session
}

/** Returns the account of an admin or a super admin. Throws forbidden. */
export function requireAdmin(c: AppContext): Account {
  const account = requireAccount(c)
  if (!isAdmin(account.role)) throw new DomainError('forbidden.admins_only')
  return account
}

/** Returns the account of a moderator or an admin. Throws forbidden. */
export function requireModerator(c: AppContext): Account {
  const account = requireAccount(c)
  if (!isOfStaff(account.role)) throw new DomainError('forbidden.moderators_only')
  return account
}

export function requireSuperAdmin(c: AppContext): Account {
  const account = requireAccount(c)
  if (account.role === 'super_admin') return account
  throw new DomainError('forbidden.super_admins_only')
}

/** Makes a guard of a call, which refuses callers by `check` before the payload is validated. */
export function guardBy(check: (c: AppContext) => unknown) {
  return createMiddleware<AppEnv>(async function guard(c, next) {
    await check(c)
    await next()
  })
}

export const signedIn = guardBy(requireAccount)
/** Admits signed-in accounts, also those that must set up a second factor first. */
export const holdersOnly = guardBy(requireHolder)
/** Refuses accounts whose plan has no API access. */
export const apiAccess = guardBy((c) => assertApiAccess(requireAccount(c)))
/** Refuses accounts whose plan has no dedicated support. */
export const dedicatedSupport = guardBy((c) =>
  assertDedicatedSupport(requireAccount(c).subscription_plan),
)
export const adminsOnly = guardBy(requireAdmin)
export const moderatorsOnly = guardBy(requireModerator)

/** Guards the pages of a role: other accounts are redirected to the dashboard. */
export function orDashboard(guard: (c: AppContext) => Account) {
  return createMiddleware<AppEnv>(async function orDashboard(c, next) {
    try {
      guard(c)
    } catch (error) {
      const isOther =
        error instanceof DomainError && error.kind === 'forbidden' && c.var.account !== undefined
      if (isOther) return c.redirect('/dashboard', 303)
      throw error
    }
    return next()
  })
}
