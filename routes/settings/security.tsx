import { Hono } from 'hono'
import { endOtherSessions, endSession } from '#db/accounts/session-list.ts'
import { isCommonPassword } from '#domain/accounts/common-passwords.ts'
import { settingsHref } from '#domain/settings.ts'
import { setOwnPassword } from '#routes/_http/accounts/account.ts'
import { readAnswer } from '#routes/_http/accounts/factor-forms.ts'
import { ownPassword } from '#routes/_http/accounts/forms.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { requireAccount, requireSession } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import type { Done } from '#routes/settings/_done.ts'
import { renderSecurity } from '#routes/settings/_security.tsx'

/** The password, second factors and sessions of an account. */
export const securityPages = new Hono<AppEnv>()

securityPages.get('/', (c) => renderSecurity(c))

securityPages.post('/password', async (c) => {
  const { form } = await readForm(c)
  const isCommon = isCommonPassword(form.password ?? '')
  return perform(c, {
    act: () =>
      setOwnPassword(c, parseForm(ownPassword, { ...form, passkey: readAnswer(form.passkey) })),
    done: () => redirectDone(c, isCommon ? 'password-common' : 'password-changed'),
    refused: (refusal) => renderSecurity(c, { refusal }),
  })
})

securityPages.post('/sessions/end', async (c) => {
  const { id } = requireSession(c)
  await endOtherSessions(c.var.deps.db, requireAccount(c).id, id)
  return redirectDone(c, 'others-signed-out')
})

securityPages.post('/sessions/:id/end', async (c) => {
  await endSession(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return redirectDone(c, 'signed-out')
})

function redirectDone(c: AppContext, done: Done): Response {
  return redirectBack(c, settingsHref('security'), { done })
}
