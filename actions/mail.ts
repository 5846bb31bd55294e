import type { PasswordSet } from '#db/accounts/passwords.ts'
import type { Notify } from '#db/outbox.ts'
import { DomainError } from '#domain/error.ts'
import type { WaitingMail } from '#domain/mail.ts'
import { type PasswordWay, passwordMail } from '#mail/account-notices.ts'
import type { AppContext } from '#routes/_http/deps.ts'

/** What every mail says about where and when it was asked for. */
export function mailOrigin({ var: { deps } }: AppContext) {
  return { site: new URL(deps.config.publicUrl).host, timezone: deps.config.timezone }
}

/** For a verb that tells of what it does: `write` says whom and how, or nothing. */
export function byMail<About>(
  c: AppContext,
  write: (about: About) => WaitingMail | undefined,
): Notify<About> {
  return async (trx, about) => {
    const mail = write(about)
    if (mail) await c.var.deps.outbox.put(trx, mail)
  }
}

/** As `byMail`, to an account at its proven address. */
export function byMailTo<About>(
  c: AppContext,
  write: (about: About) => (Omit<WaitingMail, 'to'> & { accountId: string }) | undefined,
): Notify<About> {
  return async (trx, about) => {
    const mail = write(about)
    if (mail) await c.var.deps.outbox.putTo(trx, mail)
  }
}

/** Tells an account that its password was set, or that it has none any more. */
export function aboutPassword(c: AppContext, way: PasswordWay): Notify<PasswordSet> {
  return byMailTo(c, (set: PasswordSet) => ({
    accountId: set.accountId,
    ...passwordMail({ ...mailOrigin(c), ...set, way, now: c.var.deps.clock() }),
  }))
}

export function assertMailCanBeSent(c: AppContext): void {
  if (!c.var.deps.outbox.isOpen) throw new DomainError('unavailable', 'Email is not configured')
}
