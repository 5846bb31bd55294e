import type { ComponentProps, ReactElement } from 'react'
import type { ApiKeyRow } from '#components/accounts/api-key-list.tsx'
import { ApiKeyRevoke } from '#components/accounts/api-key-revoke.tsx'
import { ApiKeys } from '#components/accounts/api-keys.tsx'
import { type ApiKey, getApiKey, listApiKeys } from '#db/accounts/api-keys.ts'
import type { Account } from '#db/schema.ts'
import { hasApiAccess } from '#domain/plans/plan.ts'
import { formatDate } from '#domain/time.ts'
import type { AppContext } from '#routes/_http/deps.ts'

/** The list of keys, or the question whether one is to go. Throws not_found. */
export async function askedKeysDialog(
  c: AppContext,
  account: Account,
  keyId: string,
): Promise<ReactElement> {
  if (keyId === '1' || !hasApiAccess(account.subscription_plan)) return keysDialog(c, account)
  const key = await getApiKey(c.var.deps.db, account.id, keyId)
  return <ApiKeyRevoke {...toRow(c, key)} />
}

type State = Omit<ComponentProps<typeof ApiKeys>, 'keys'>

export async function keysDialog(
  c: AppContext,
  { id, subscription_plan }: Account,
  state: State = {},
): Promise<ReactElement> {
  const keys = hasApiAccess(subscription_plan) ? await listApiKeys(c.var.deps.db, id) : undefined
  const rows = keys?.map((key) => toRow(c, key))
  return <ApiKeys keys={rows} {...state} />
}

function toRow(c: AppContext, { id, name, created_at, last_used_at }: ApiKey): ApiKeyRow {
  const { timezone } = c.var.deps.config
  const used = last_used_at ? `last used ${formatDate(last_used_at, timezone)}` : 'never used'
  return { id, name, created: formatDate(created_at, timezone), used }
}
