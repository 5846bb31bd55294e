import { z } from '@hono/zod-openapi'
import { toUserView } from '#actions/accounts/view.ts'
import { grantSuperAdmin } from '#db/accounts/permissions.ts'
import { assertMayGrantToSelf } from '#routes/_http/client-address.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { apiRouter } from '#routes/_http/schema.ts'
import { sessionCalls } from '#routes/api/_call.ts'
import { answer } from '#routes/api/_payloads.ts'
import { user } from '#routes/api/accounts/_account-schema.ts'

const call = sessionCalls('Administration')

const grant = call('grantSuperAdmin', 'Make yourself a super admin, outside production', {
  post: '/',
  200: answer('You are a super admin', z.object({ user })),
})

export const superAdminGrant = apiRouter().openapi(grant, async (c) => {
  const { db, clock } = c.var.deps
  const { id } = requireAccount(c)
  assertMayGrantToSelf(c)
  const account = await grantSuperAdmin(db, id, clock())
  return c.json({ user: await toUserView(db, account, clock()) }, 200)
})
