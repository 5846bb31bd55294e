import { holdersOnly } from '#routes/_http/guards.ts'
import { sessionCalls } from '#routes/api/_call.ts'

export const accountCall = sessionCalls('Accounts')

/** Declares a call that is also for an account that has to set up a second factor first. */
export const holderCall = sessionCalls('Accounts', holdersOnly)
