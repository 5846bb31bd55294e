import type { ActionDeps } from '#actions/deps.ts'
import { byMailTo, mailOrigin } from '#actions/mail.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { newApiKeyMail } from '#mail/account-notices.ts'

/** Makes a key of the caller's account, and mails the account that there is a new one. */
export function makeApiKey(deps: ActionDeps, caller: Caller, name: string) {
  const { accountId } = caller
  const madeAt = deps.clock()
  const notify = byMailTo(deps, () => ({
    accountId,
    ...newApiKeyMail({ ...mailOrigin(deps), name, madeAt }),
  }))
  return createApiKey(deps.db, caller, name, madeAt, notify)
}
