import type { Account } from '#db/schema.ts'
import type { Session } from '#db/sessions.ts'
import { DomainError } from '#domain/error.ts'
import type { AppContext } from '#routes/_deps.ts'

export function requireSession(c: AppContext): Session {
  if (!c.var.session) throw new DomainError('unauthenticated', 'Not authenticated')
  return c.var.session
}

export function requireAccount(c: AppContext): Account {
  return requireSession(c).account
}
