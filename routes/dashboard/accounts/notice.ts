import { Hono } from 'hono'
import { giveConsent } from '#db/accounts/consents.ts'
import { tabHref } from '#domain/dashboard.ts'
import { DomainError } from '#domain/error.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'

/** The account has read the version of the privacy notice that its page showed. */
export const noticeForm = new Hono<AppEnv>().use(signedIn).post('/', async (c) => {
  const { db, clock, config } = c.var.deps
  const { version } = (await readForm(c)).form
  if (version !== config.noticeVersion) {
    throw new DomainError('conflict.policy_changed')
  }
  await giveConsent(db, requireAccount(c).id, version, clock())
  return c.redirect(tabHref('my-qrs'), 303)
})
