import { Hono } from 'hono'
import { uploadScreenshot } from '#actions/papers/uploads.ts'
import { findOwnRedemption } from '#db/plans/promo-redemptions.ts'
import { requestUpgrade } from '#db/plans/upgrade-requests.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import type { DomainError } from '#domain/error.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { formatDateTime } from '#domain/time.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { sentBy } from '#routes/_http/papers/uploads.ts'
import { upgradeInput } from '#routes/_http/plans/forms.ts'
import { redeem } from '#routes/_http/plans/redemptions.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderMyQrs } from '#routes/dashboard/codes/_my-qrs.tsx'
import { type UpgradeState, upgradeDialog } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

/** What the Upgrade dialog does, by the verbs that the API calls. */
export const upgradeForms = new Hono<AppEnv>().use(signedIn)

upgradeForms.post('/', async (c) => {
  const { db, clock, config } = c.var.deps
  const { form } = await readForm(c)
  const ask = async () =>
    requestUpgrade(db, requireAccount(c).id, parseForm(upgradeInput, form), config.prices, clock())
  const refusal = await refusalOf(ask())
  if (refusal) return again(c, refusal, { message: refusal.message, typed: form })
  const done = form.payment_method === undefined ? '' : '&done=payment-sent'
  return c.redirect(upgradeHref() + done, 303)
})

upgradeForms.post('/redeem', async (c) => {
  const { form } = await readForm(c)
  const redeeming = redeem(c, form.code)
  const refusal = await refusalOf(redeeming, { also: 'not_found' })
  if (refusal) {
    const earlier = refusal.code === 'conflict' ? await earlierUse(c, form.code) : undefined
    return again(c, refusal, { tab: 'promo', code: form.code, problem: refusal.message, earlier })
  }
  const { status } = await redeeming
  return c.redirect(`/dashboard?tab=my-qrs&done=promo-${status}`, 303)
})

upgradeForms.post('/:id/screenshot', async (c) => {
  const account = requireAccount(c)
  const id = c.req.param('id')
  const uploading = uploadScreenshot(loggedDeps(c), account.id, id, sentBy(c, account))
  const refusal = await refusalOf(uploading)
  if (refusal) return again(c, refusal, { message: refusal.message })
  return c.redirect(`${upgradeHref()}&done=screenshot-sent`, 303)
})

/** What came of a code that was used before: the answer to that may have been lost. */
async function earlierUse(c: AppContext, code = ''): Promise<UpgradeState['earlier']> {
  const { db, config } = c.var.deps
  const redemption = await findOwnRedemption(db, requireAccount(c).id, code)
  // One that waits is shown in any case.
  if (!redemption || redemption.status === 'pending') return undefined
  const { code: named, status, redeemed_at } = redemption
  const on = formatDateTime(redeemed_at, config.timezone)
  return { status, text: `${named}, on ${on}: ${benefitText(redemption)}` }
}

async function again(c: AppContext, { code }: DomainError, state: UpgradeState) {
  const account = requireAccount(c)
  return renderMyQrs(c, account, { upgrade: await upgradeDialog(c, account, state), code })
}
