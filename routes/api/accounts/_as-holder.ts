import { holdersOnly, signedIn } from '#routes/_http/guards.ts'
import { sessionSecurity } from '#routes/_http/schema.ts'

/** What the calls about one's own account have in common. */
export const asHolder = {
  subject: 'Accounts',
  middleware: signedIn,
  security: sessionSecurity,
} as const

/** As `asHolder`, also for who has to set up a second factor first. */
export const asAnyHolder = { ...asHolder, middleware: holdersOnly } as const
