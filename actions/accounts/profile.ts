import { asSecurityAlert } from '#actions/accounts/security-alerts.ts'
import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { changeProfile, type KnownSince, type ProfileChange } from '#db/accounts/profile.ts'
import type { Account } from '#db/schema.ts'
import { type Device, mobileChangedMail } from '#mail/account-notices.ts'

/** Changes the name and mobile number of the caller's account, and alerts it of a new number. Throws the errors of `changeProfile`. */
export function editProfile(
  deps: ActionDeps,
  caller: Caller,
  change: ProfileChange,
  { isKnownSince, from }: { isKnownSince: KnownSince; from: Device },
): Promise<Account> {
  const notify = byAlert(deps, ({ id }: Account) => {
    const letter = mobileChangedMail({ ...alertOrigin(deps), now: deps.clock(), ...from })
    return { accountId: id, ...asSecurityAlert(deps, letter) }
  })
  return changeProfile(deps.db, caller, change, isKnownSince, notify)
}
