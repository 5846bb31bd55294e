import { adminsOnly } from '#routes/_http/guards.ts'
import { sessionSecurity } from '#routes/_http/schema.ts'

/** What the calls for admins have in common. */
export const asAdmin = {
  subject: 'Administration',
  middleware: adminsOnly,
  security: sessionSecurity,
} as const
