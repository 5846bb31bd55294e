import { alertOrigin, byAlert } from '#actions/alerts/alerting.ts'
import type { ActionDeps } from '#actions/deps.ts'
import { mailOrigin } from '#actions/mail.ts'
import type { PasswordSet } from '#db/accounts/passwords.ts'
import type { Notify } from '#db/outbox.ts'
import type { DeviceKind } from '#domain/scans/scan.ts'
import { type PasswordWay, passwordMail } from '#mail/account-notices.ts'
import { asAlert, newDeviceAlert } from '#mail/alerts.ts'
import type { WrittenLetter } from '#mail/letter.ts'

type AlertDeps = Pick<ActionDeps, 'config' | 'clock' | 'outbox'>

/** Alerts an account that its password was set or removed. */
export function aboutPassword(deps: AlertDeps, way: PasswordWay): Notify<PasswordSet> {
  return byAlert(deps, (set: PasswordSet) => {
    const letter = passwordMail({ ...mailOrigin(deps), ...set, way, now: deps.clock() })
    return { accountId: set.accountId, ...asSecurityAlert(deps, letter) }
  })
}

export function asSecurityAlert({ config }: Pick<ActionDeps, 'config'>, letter: WrittenLetter) {
  return asAlert(letter, { event: 'security', url: `${config.publicUrl}/dashboard` })
}

/** Alerts an account that it was signed in to on a device that it was not used on before. */
export function aboutNewDevice(deps: AlertDeps, device: DeviceKind): Notify<{ accountId: string }> {
  return byAlert(deps, ({ accountId }) => {
    const now = deps.clock()
    return { accountId, ...newDeviceAlert({ device, now }, alertOrigin(deps)) }
  })
}
