import { createMiddleware } from 'hono/factory'
import type { Account } from '#db/schema.ts'
import type { Session } from '#db/sessions.ts'
import { DomainError } from '#domain/error.ts'
import { isAdmin } from '#domain/roles.ts'
import type { AppContext, AppEnv } from '#routes/_deps.ts'

export function requireSession(c: AppContext): Session {
  if (!c.var.session) throw new DomainError('unauthenticated', 'Not authenticated')
  return c.var.session
}

export function requireAccount(c: AppContext): Account {
  return requireSession(c).account
}

export function requireAdmin(c: AppContext): Account {
  const account = requireAccount(c)
  if (!isAdmin(account.role)) throw new DomainError('forbidden', 'Admin access required')
  return account
}

/** For a route with a payload: who is not signed in is told that, not what is wrong with it. */
export const signedIn = createMiddleware<AppEnv>(async function signedIn(c, next) {
  requireAccount(c)
  await next()
})

export const adminsOnly = createMiddleware<AppEnv>(async function adminsOnly(c, next) {
  requireAdmin(c)
  await next()
})
