import { Hono } from 'hono'
import { makeApiKey } from '#actions/accounts/api-keys.ts'
import { revokeApiKey } from '#db/accounts/api-keys.ts'
import { apiKeyHref } from '#domain/dashboard.ts'
import { newApiKey } from '#routes/_http/accounts/forms.ts'
import type { AppEnv } from '#routes/_http/deps.ts'
import { readForm } from '#routes/_http/forms.ts'
import { apiAccess, requireAccount, requireCaller } from '#routes/_http/guards.ts'
import { refusalOf } from '#routes/_http/refusal.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { keysDialog } from '#routes/dashboard/accounts/_api-key-dialogs.tsx'
import { renderMyQrs } from '#routes/dashboard/codes/_my-qrs.tsx'

/** The forms of the API keys dialog. */
export const apiKeyForms = new Hono<AppEnv>().use(apiAccess)

/** A key is in this answer alone, so it is no redirect. */
apiKeyForms.post('/', async (c) => {
  const account = requireAccount(c)
  const { form } = await readForm(c)
  const create = async () =>
    makeApiKey(c.var.deps, requireCaller(c), parseForm(newApiKey, form).name)
  const creating = create()
  const refusal = await refusalOf(creating)
  if (refusal) {
    const { code, message: problem } = refusal
    const dialog = await keysDialog(c, account, { typed: form.name, problem })
    return renderMyQrs(c, account, { dialog, code })
  }
  const { name, key } = await creating
  const dialog = await keysDialog(c, account, { made: { name, key } })
  return renderMyQrs(c, account, { dialog })
})

apiKeyForms.post('/:id/revoke', async (c) => {
  await revokeApiKey(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return c.redirect(`${apiKeyHref()}&done=key-revoked`, 303)
})
