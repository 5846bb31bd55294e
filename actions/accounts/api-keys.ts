import type { ActionDeps } from '#actions/deps.ts'
import { byMailTo, mailOrigin } from '#actions/mail.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { newApiKeyMail } from '#mail/account-notices.ts'

/** Creates an API key for the caller's account and notifies the account by mail. */
export function makeApiKey(deps: ActionDeps, caller: Caller, name: string) {
  const { accountId } = caller
  const madeAt = deps.clock()
  const notify = byMailTo(deps, () => ({
    accountId,
    ...newApiKeyMail({ ...mailOrigin(deps), name, madeAt }),
  }))
  return createApiKey(deps.db, caller, name, madeAt, notify)
}
