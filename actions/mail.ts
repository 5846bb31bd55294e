import type { ActionDeps } from '#actions/deps.ts'
import type { Notify } from '#db/outbox.ts'
import { DomainError } from '#domain/error.ts'
import type { WaitingMail } from '#domain/mail.ts'

/** Perhaps nothing, and perhaps later: the texts of a language are loaded when they are first asked for. */
type Perhaps<T> = T | undefined | Promise<T | undefined>

/**
 * Whether one more mail may go to an address that was typed and not verified. Above the limit what it is
 * about succeeds without one.
 */
export type MayMail = (address: string) => boolean

/** The site and the time zone, which every mail mentions. */
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

/** As `byMail`, to the verified address of an account. */
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
 * A function that does its work for the first call alone and gives that answer to all: for what a
 * verb's transaction asks and must count once, however often it is run.
 */
export function once<Args extends unknown[], Answer>(act: (...args: Args) => Answer) {
  let done: { answer: Answer } | undefined
  return (...args: Args): Answer => {
    done ??= { answer: act(...args) }
    return done.answer
  }
}

export function assertMailCanBeSent({ outbox }: Pick<ActionDeps, 'outbox'>): void {
  if (!outbox.isOpen) throw new DomainError('unavailable', 'Email is not configured')
}
