import { z } from '@hono/zod-openapi'
import { toUserView } from '#actions/accounts/view.ts'
import { grantToSelf } from '#routes/_http/accounts/super-admin.ts'
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
  const account = await grantToSelf(c)
  return c.json({ user: await toUserView(c.var.deps.db, account, c.var.deps.clock()) }, 200)
})
