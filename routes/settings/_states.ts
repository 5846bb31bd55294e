import { listApiKeys } from '#db/accounts/api-keys.ts'
import type { Account } from '#db/schema.ts'
import { NO_API_ACCESS } from '#domain/accounts/api-key.ts'
import { hasApiAccess } from '#domain/plans/plan.ts'
import type { SettingsPage } from '#domain/settings.ts'
import type { AppContext } from '#routes/_http/deps.ts'

/** What is set on each page of Settings, in a few words. */
export async function readStates(
  c: AppContext,
  account: Account,
): Promise<Record<SettingsPage, string>> {
  return {
    'api-keys': await keysText(c, account),
  }
}

async function keysText(c: AppContext, { id, subscription_plan }: Account): Promise<string> {
  if (!hasApiAccess(subscription_plan)) return NO_API_ACCESS
  const { length } = await listApiKeys(c.var.deps.db, id)
  return length === 0 ? 'No keys' : `${length} ${length === 1 ? 'key' : 'keys'}`
}
