import { Hono } from 'hono'
import { uploadScreenshot } from '#actions/papers/uploads.ts'
import { findOwnRedemption } from '#db/plans/promo-redemptions.ts'
import { requestUpgrade, takeBackUpgrade } from '#db/plans/upgrade-requests.ts'
import { upgradeHref } from '#domain/dashboard.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { formatDateTime } from '#domain/time.ts'
import { uploadFrom } from '#routes/_http/bodies.ts'
import { type AppContext, type AppEnv, loggedDeps } from '#routes/_http/context.ts'
import { removeFiles } from '#routes/_http/downloads.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { requireAccount, signedIn } from '#routes/_http/guards.ts'
import { upgradeInput } from '#routes/_http/plans/forms.ts'
import { redeemForCaller } from '#routes/_http/plans/redeeming.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderMyQrs } from '#routes/dashboard/codes/_my-qrs.tsx'
import { type UpgradeState, upgradeDialog } from '#routes/dashboard/plans/_upgrade-dialog.tsx'

/** The forms of the Upgrade dialog; they call the same verbs as the API. */
export const upgradeForms = new Hono<AppEnv>().use(signedIn)

upgradeForms.post('/', async (c) => {
  const { db, clock, config } = c.var.deps
  const { form } = await readForm(c)
  const { id } = requireAccount(c)
  return perform(c, {
    act: () => requestUpgrade(db, id, parseForm(upgradeInput, form), config.prices, clock()),
    done: () => upgradeHref() + (form.payment_method === undefined ? '' : '&done=payment-sent'),
    refused: ({ message }) => renderUpgrade(c, { message, typed: form }),
  })
})

upgradeForms.post('/take-back', (c) =>
  perform(c, {
    act: async () => removeFiles(c, await takeBackUpgrade(c.var.deps.db, requireAccount(c).id)),
    done: () => `${upgradeHref()}&done=upgrade-taken-back`,
    refused: ({ message }) => renderUpgrade(c, { message }),
    also: 'not_found',
  }),
)

upgradeForms.post('/redeem', async (c) => {
  const { code } = (await readForm(c)).form
  return perform(c, {
    act: () => redeemForCaller(c, code),
    done: ({ status }) => `/dashboard?tab=my-qrs&done=promo-${status}`,
    refused: async (refusal) => {
      const earlier = refusal.kind === 'conflict' ? await earlierUse(c, code) : undefined
      return renderUpgrade(c, { tab: 'promo', code, problem: refusal.message, earlier })
    },
    also: 'not_found',
  })
})

upgradeForms.post('/:id/screenshot', (c) => {
  const account = requireAccount(c)
  return perform(c, {
    act: () =>
      uploadScreenshot(loggedDeps(c), account.id, c.req.param('id'), uploadFrom(c, account)),
    done: () => `${upgradeHref()}&done=screenshot-sent`,
    refused: ({ message }) => renderUpgrade(c, { message }),
  })
})

/** Describes the earlier redemption of a code, whose answer may have been lost. */
async function earlierUse(c: AppContext, code = ''): Promise<UpgradeState['earlier']> {
  const { db, config } = c.var.deps
  const redemption = await findOwnRedemption(db, requireAccount(c).id, code)
  // The dialog lists one that waits anyway.
  if (!redemption || redemption.status === 'pending') return undefined
  const { code: named, status, redeemed_at } = redemption
  const on = formatDateTime(redeemed_at, config.timezone)
  return { status, text: `${named}, on ${on}: ${benefitText(redemption)}` }
}

async function renderUpgrade(c: AppContext, state: UpgradeState) {
  const account = requireAccount(c)
  return renderMyQrs(c, account, { upgrade: await upgradeDialog(c, account, state) })
}
