import { Hono } from 'hono'
import { removeAuthenticator } from '#actions/accounts/second-factors.ts'
import { findWays } from '#db/accounts/factor-state.ts'
import { forgetTrustedDevices } from '#db/accounts/trusted-devices.ts'
import { settingsHref } from '#domain/settings.ts'
import { deviceOf } from '#routes/_http/accounts/device.ts'
import { factorCode } from '#routes/_http/accounts/factor-forms.ts'
import { beginOwnApp, renewCodes, turnOnApp } from '#routes/_http/accounts/factors.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm } from '#routes/_http/forms.ts'
import { holdersOnly, requireHolder, requireHoldersCaller } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderCodes, renderSetUp } from '#routes/settings/_set-up.tsx'

/** The set-up of an authenticator app. An account that must have one reaches this page and no other. */
export const appPages = new Hono<AppEnv>()

appPages.get('/authenticator', holdersOnly, async (c) => {
  return (await isOn(c)) ? redirectToCodes(c) : renderSetUp(c)
})

appPages.post('/authenticator', holdersOnly, async (c) => {
  if (await isOn(c)) return redirectToCodes(c)
  await beginOwnApp(c)
  return c.redirect(settingsHref('security/authenticator'), 303)
})

/** The recovery codes are in this answer alone, so it is no redirect. */
appPages.post('/authenticator/verify', holdersOnly, async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () => turnOnApp(c, parseForm(factorCode, form).code),
    done: (codes) => renderCodes(c, codes, 'Your authenticator app is on.'),
    refused: (refusal) =>
      refusal.kind === 'conflict' ? redirectToCodes(c) : renderSetUp(c, { refusal }),
  })
})

/** An earlier request, whose answer was lost, may have removed it. */
appPages.post('/authenticator/remove', holdersOnly, (c) => {
  const redirect = () => c.redirect(settingsHref('security', { done: 'app-removed' }), 303)
  return perform(c, {
    act: () => removeAuthenticator(c.var.deps, requireHoldersCaller(c), deviceOf(c)),
    done: redirect,
    refused: (refusal) => {
      if (refusal.kind === 'not_found') return redirect()
      throw refusal
    },
    also: 'not_found',
  })
})

appPages.post('/recovery-codes', holdersOnly, async (c) =>
  renderCodes(c, await renewCodes(c), 'The earlier codes do not work any more.'),
)

appPages.post('/devices/forget', holdersOnly, async (c) => {
  await forgetTrustedDevices(c.var.deps.db, requireHolder(c).id)
  return c.redirect(settingsHref('security', { done: 'devices-forgotten' }), 303)
})

async function isOn(c: AppContext): Promise<boolean> {
  return (await findWays(c.var.deps.db, requireHolder(c).id)).includes('code')
}

/** The answer that turned the app on may have been lost, with the recovery codes. */
function redirectToCodes(c: AppContext): Response {
  return c.redirect(settingsHref('security', { done: 'app-on' }), 303)
}
