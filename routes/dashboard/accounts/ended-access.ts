import { Hono } from 'hono'
import { tabHref } from '#domain/dashboard.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { dismissEndedAccess } from '#routes/dashboard/accounts/_ended-access.ts'

/** The account has read what ended with its earlier password. */
export const endedAccessForm = new Hono<AppEnv>().use(signedIn).post('/', async (c) => {
  const { until = '' } = (await readForm(c)).form
  await dismissEndedAccess(c, requireAccount(c), until)
  return c.redirect(tabHref('my-qrs'), 303)
})
