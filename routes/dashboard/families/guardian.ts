import { Hono } from 'hono'
import { confirmGuardian } from '#actions/families/child-users.ts'
import { tabHref } from '#domain/dashboard.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { redirectBack } from '#routes/_http/forms.ts'
import { requireCaller, signedIn } from '#routes/_http/guards.ts'

/** The owner of a code confirms to be the guardian of its user. */
export const guardianForm = new Hono<AppEnv>().use(signedIn).post('/:id', async (c) => {
  await confirmGuardian(c.var.deps, requireCaller(c), c.req.param('id'))
  return redirectBack(c, tabHref('my-qrs'), { done: 'guardian-confirmed' })
})
