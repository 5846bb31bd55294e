import { z } from '@hono/zod-openapi'
import { toUserView } from '#actions/accounts/view.ts'
import { grantToSelf } from '#routes/_http/accounts/super-admin.ts'
import { signedIn } from '#routes/_http/guards.ts'
import { answer, apiRouter, sessionSecurity } from '#routes/_http/schema.ts'
import { apiCall } from '#routes/api/_call.ts'
import { user } from '#routes/api/accounts/_account-schema.ts'

const grant = apiCall({
  operationId: 'grantSuperAdmin',
  summary: 'Make yourself a super admin, outside production',
  subject: 'Administration',
  middleware: signedIn,
  security: sessionSecurity,
  method: 'post',
  path: '/',
  responses: {
    200: answer('You are a super admin', z.object({ user })),
  },
})

export const superAdminGrant = apiRouter().openapi(grant, async (c) => {
  const account = await grantToSelf(c)
  return c.json({ user: await toUserView(c.var.deps.db, account, c.var.deps.clock()) }, 200)
})
