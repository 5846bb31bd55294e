import type { ActionDeps } from '#actions/deps.ts'
import type { Notify } from '#db/outbox.ts'
import { DomainError } from '#domain/error.ts'
import type { WaitingMail } from '#domain/mail.ts'

/** Perhaps nothing, and perhaps later: the texts of a language are loaded when they are first asked for. */
type Perhaps<T> = T | undefined | Promise<T | undefined>

/**
 * Returns whether one more mail may go to an address that was typed and not verified. Above the limit the act
 * succeeds without a mail.
 */
export type MayMail = (address: string) => boolean

/** Returns the site and the time zone, which every mail contains. */
export function mailOrigin({ config }: Pick<ActionDeps, 'config'>) {
  return { site: new URL(config.publicUrl).host, timezone: config.timezone }
}

/** Notifies by mail inside a verb's transaction. `write` answers the mail, if one is to be sent. */
export function byMail<About>(
  { outbox }: Pick<ActionDeps, 'outbox'>,
  write: (about: About) => Perhaps<WaitingMail>,
): Notify<About> {
  return async (trx, about) => {
    const mail = await write(about)
    if (mail) await outbox.put(trx, mail)
  }
}

/** Mails to the verified address of an account: `byMail`. */
export function byMailTo<About>(
  { outbox }: Pick<ActionDeps, 'outbox'>,
  write: (about: About) => Perhaps<Omit<WaitingMail, 'to'> & { accountId: string }>,
): Notify<About> {
  return async (trx, about) => {
    const mail = await write(about)
    if (mail) await outbox.putTo(trx, mail)
  }
}

/**
 * Wraps a function so that only the first call does its work and all calls get its result. A transaction that
 * is repeated then counts a mail once.
 */
export function once<Args extends unknown[], Answer>(act: (...args: Args) => Answer) {
  let done: { answer: Answer } | undefined
  return (...args: Args): Answer => {
    done ??= { answer: act(...args) }
    return done.answer
  }
}

export function assertMailCanBeSent({ outbox }: Pick<ActionDeps, 'outbox'>): void {
  if (!outbox.isOpen) throw new DomainError('unavailable.email')
}
