import { adminsOnly } from '#routes/_http/guards.ts'
import { sessionCalls } from '#routes/api/_call.ts'

export const adminCall = sessionCalls('Administration', adminsOnly)
