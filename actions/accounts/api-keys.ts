import type { ActionDeps } from '#actions/deps.ts'
import { byMailTo, mailOrigin } from '#actions/mail.ts'
import { createApiKey } from '#db/accounts/api-keys.ts'
import type { Account } from '#db/schema.ts'
import { newApiKeyMail } from '#mail/account-notices.ts'

/** Makes a key of the account, and mails the account that there is a new one. */
export function makeApiKey(deps: ActionDeps, { id: accountId }: Account, name: string) {
  const madeAt = deps.clock()
  const notify = byMailTo(deps, () => ({
    accountId,
    ...newApiKeyMail({ ...mailOrigin(deps), name, madeAt }),
  }))
  return createApiKey(deps.db, accountId, name, madeAt, notify)
}
