import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { noteEndedAccess } from '#db/accounts/ended-access.ts'
import type { PasswordSet } from '#db/accounts/passwords.ts'
import type { Notify } from '#db/outbox.ts'
import {
  type Device,
  factorsRemovedMail,
  type PasswordWay,
  passwordMail,
  securityLink,
} from '#mail/account-notices.ts'
import { asAlert, newDeviceAlert } from '#mail/alerts.ts'
import type { WrittenLetter } from '#mail/letter.ts'

type AlertDeps = Pick<ActionDeps, 'config' | 'clock' | 'outbox'>

/**
 * Alerts an account that its password was set or removed. If no mail can be sent, the dashboard lists the access
 * that ended with the earlier password.
 */
export function aboutPassword(
  deps: AlertDeps,
  way: PasswordWay,
  from?: Device,
): Notify<PasswordSet> {
  return byMailOrDashboard(deps, (set, now) =>
    passwordMail({ ...alertOrigin(deps), ...set, way, now, from }),
  )
}

/** Sends an alert by mail or to the dashboard, because the account's channels ended with the password. */
export function byMailOrDashboard<Set extends PasswordSet>(
  deps: AlertDeps,
  write: (set: Set, now: Date) => WrittenLetter,
): Notify<Set> {
  return async (trx, set) => {
    const { accountId } = set
    const now = deps.clock()
    const letter = write(set, now)
    const queued = await deps.outbox.alert(trx, { accountId, ...asSecurityAlert(deps, letter) })
    if (!queued) await noteEndedAccess(trx, accountId, set, now)
  }
}

export function asSecurityAlert({ config }: Pick<ActionDeps, 'config'>, letter: WrittenLetter) {
  return asAlert(letter, { event: 'security', url: securityLink(config.publicUrl).url })
}

/** Alerts an account of a sign-in on a new device. */
export function aboutNewDevice(deps: AlertDeps, device: Device): Notify<{ accountId: string }> {
  return byAlert(deps, ({ accountId }) => {
    const now = deps.clock()
    return { accountId, ...newDeviceAlert({ ...device, now }, alertOrigin(deps)) }
  })
}

/** Alerts an account that the command line removed its second factor. */
export function aboutRemovedFactors(deps: AlertDeps): Notify<{ accountId: string }> {
  return byAlert(deps, ({ accountId }) => {
    const letter = factorsRemovedMail({ ...alertOrigin(deps), now: deps.clock() })
    return { accountId, ...asSecurityAlert(deps, letter) }
  })
}
