import { asSecurityAlert } from '#actions/accounts/security-alerts.ts'
import { byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { keyedId } from '#db/secrets.ts'
import type { KeyScopes } from '#domain/accounts/api-key.ts'
import { newApiKeyMail } from '#mail/account-notices.ts'

/**
 * Creates an API key for the caller's account and alerts the account. A page's form, which may be sent again,
 * has a key of its own.
 */
export function makeApiKey(
  deps: ActionDeps,
  caller: Caller,
  { name, scopes }: { name: string; scopes: KeyScopes },
  formKey?: string,
) {
  const { accountId } = caller
  const madeAt = deps.clock()
  const notify = byAlert(deps, () => {
    const letter = newApiKeyMail({ ...mailOrigin(deps), name, scopes, madeAt })
    return { accountId, ...asSecurityAlert(deps, letter) }
  })
  const form = [formKey ?? '', name, String(scopes)]
  const formed = formKey ? keyedId(deps.secretKey, 'api key', accountId, ...form) : undefined
  return createApiKey(deps.db, caller, name, madeAt, notify, { formed, scopes })
}
