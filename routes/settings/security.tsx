import { Hono } from 'hono'
import { endOtherSessions, endSession } from '#db/accounts/session-list.ts'
import { isCommonPassword } from '#domain/accounts/common-passwords.ts'
import { settingsHref } from '#domain/settings.ts'
import { setOwnPassword } from '#routes/_http/accounts/account.ts'
import { ownPassword } from '#routes/_http/accounts/forms.ts'
import { readAnswer } from '#routes/_http/accounts/passkey-forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { readForm } from '#routes/_http/forms.ts'
import { requireAccount, requireSession } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSecurity } from '#routes/settings/_security.tsx'

/** How an account is signed in to, and where it is. */
export const securityPages = new Hono<AppEnv>()

securityPages.get('/', (c) => renderSecurity(c))

securityPages.post('/password', async (c) => {
  const { form } = await readForm(c)
  const change = async () =>
    setOwnPassword(c, parseForm(ownPassword, { ...form, passkey: readAnswer(form.passkey) }))
  const refusal = await refusalOf(change())
  if (refusal) return renderSecurity(c, { refusal })
  return leadBack(c, isCommonPassword(form.password ?? '') ? 'password-common' : 'password-changed')
})

securityPages.post('/sessions/end', async (c) => {
  const { id } = requireSession(c)
  await endOtherSessions(c.var.deps.db, requireAccount(c).id, id)
  return leadBack(c, 'others-signed-out')
})

securityPages.post('/sessions/:id/end', async (c) => {
  await endSession(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return leadBack(c, 'signed-out')
})

function leadBack(c: AppContext, done: Done): Response {
  return c.redirect(settingsHref('security', { done }), 303)
}
