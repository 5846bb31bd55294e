import { Hono } from 'hono'
import { forgetLostAddress } from '#db/accounts/address-proof.ts'
import { tabHref } from '#domain/dashboard.ts'
import type { AppEnv } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'

/** The account has read that it lost its address. */
export const lostAddressForm = new Hono<AppEnv>().use(signedIn).post('/', async (c) => {
  const { until = '' } = (await readForm(c)).form
  await forgetLostAddress(c.var.deps.db, requireAccount(c).id, until)
  return c.redirect(tabHref('my-qrs'), 303)
})
