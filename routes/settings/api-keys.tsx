import { Hono } from 'hono'
import type { ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { ApiKeyRevoke } from '#components/accounts/api-key-revoke.tsx'
import { ApiKeys, NoApiAccess } from '#components/accounts/api-keys.tsx'
import { SecretDialog } from '#components/ui/secret-dialog.tsx'
import { type ApiKey, getApiKey, listApiKeys, revokeApiKey } from '#db/accounts/api-keys.ts'
import { randomToken } from '#db/secrets.ts'
import { SCOPES, type Scope, wordsOfScopes } from '#domain/accounts/api-key.ts'
import type { DomainError } from '#domain/error.ts'
import { hasApiAccess } from '#domain/plans/plan.ts'
import { settingsHref } from '#domain/settings.ts'
import { formatDate } from '#domain/time.ts'
import { makeOwnKey, newApiKey } from '#routes/_http/accounts/api-keys.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { type Form, perform, readForm, redirectBack } from '#routes/_http/forms.ts'
import { apiAccess, requireAccount } from '#routes/_http/guards.ts'
import { parseForm } from '#routes/_http/schema.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The keys with which programs act for an account. */
export const apiKeyPages = new Hono<AppEnv>()

apiKeyPages.get('/', (c) => render(c))

/** A key is in this answer alone, so it is no redirect. */
apiKeyPages.post('/', apiAccess, async (c) => {
  const { form } = await readForm(c)
  return perform(c, {
    act: () => makeOwnKey(c, parseForm(newApiKey, withScopes(form)), form.form_key),
    done: (made) => render(c, { made }),
    refused: (refusal) => render(c, { refusal, typed: form }),
  })
})

/** Also after the plan has ended: a renewal would enable the key again. */
apiKeyPages.post('/:id/revoke', async (c) => {
  await revokeApiKey(c.var.deps.db, requireAccount(c).id, c.req.param('id'))
  return redirectBack(c, settingsHref('api-keys'), { done: 'key-revoked' })
})

/** With the ticked scopes as the API has them: a form never leaves them out. */
function withScopes(form: Form) {
  return { ...form, scopes: tickedScopes(form) }
}

function tickedScopes(form: Form): Scope[] {
  return SCOPES.filter((scope) => form[scope] !== undefined)
}

type State = {
  refusal?: DomainError
  typed?: Form
  made?: { name: string; key: string }
}

async function render(c: AppContext, state: State = {}): Promise<Response> {
  const { refusal, made, typed } = state
  const form = {
    form_key: typed?.form_key ?? randomToken(),
    name: typed?.name,
    scopes: typed ? tickedScopes(typed) : SCOPES,
    refusal: refusal && { code: refusal.code, message: refusal.message },
  }
  const { id, subscription_plan } = requireAccount(c)
  const hasAccess = hasApiAccess(subscription_plan)
  const revoked = refusal ? undefined : c.req.query('revoke')
  const dialog = made ? madeDialog(made) : revoked && (await revokeDialog(c, revoked))
  const frame = { page: 'api-keys', title: 'API keys', dialog } as const
  return renderSettings(c, frame, async () => {
    const keys = await listApiKeys(c.var.deps.db, id)
    const rows = keys.map((key) => toRow(c, key))
    if (!hasAccess) return <NoApiAccess asleep={rows} />
    return <ApiKeys keys={rows} form={form} />
  })
}

function madeDialog({ name, key }: { name: string; key: string }) {
  return <SecretDialog title={`Key for ${name}`} label="API key" secret={key} />
}

/** Throws not_found. */
async function revokeDialog(c: AppContext, keyId: string) {
  const key = await getApiKey(c.var.deps.db, requireAccount(c).id, keyId)
  return <ApiKeyRevoke {...toRow(c, key)} />
}

function toRow(c: AppContext, key: ApiKey): ApiKeyRow {
  const { id, name, created_at, last_used_at, scopes } = key
  const { timezone } = c.var.deps.config
  const used = last_used_at ? `last used ${formatDate(last_used_at, timezone)}` : 'never used'
  const can = wordsOfScopes(scopes).map(({ label }) => label)
  return { id, name, created: formatDate(created_at, timezone), used, can: can.join(', ') }
}
