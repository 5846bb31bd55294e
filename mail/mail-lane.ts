import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Logger } from 'pino'
import { type Mail, NOBODY, restAfterFailure } from '#domain/mail.ts'
import { type Mailer, whyMailFailed } from '#mail/mailer.ts'

export type DueMail = { id: string; attempts: number; isLate: boolean; mail: Mail | undefined }

/** The mails in the outbox. */
export type MailQueue<Due extends DueMail> = {
  /** those in `last` after all others */
  claim(last: readonly string[]): Promise<Due | undefined>
  /** after it was sent */
  remove(mail: Due): Promise<void>
  /** removes one that is not sent any more */
  giveUp(mail: Due): Promise<void>
  /** `longest` is in seconds */
  postpone(mail: Due, longest?: number): Promise<void>
}

/** While the server fails, mails wait no longer than this, so they go out soon after it recovers. */
const LONGEST_WAIT_FOR_SERVER = 60

type Deps<Due extends DueMail> = {
  outbox: MailQueue<Due>
  mailer: Mailer
  log: Logger
  secondMs: number
}

/**
 * Sends queued mails one at a time. A mail is removed after the mail server accepted it, so a crash in
 * between sends it twice rather than never.
 */
export function openMailLane<Due extends DueMail>({ outbox, mailer, log, secondMs }: Deps<Due>) {
  let isStopped = false
  let isPending = false
  let running: Promise<void> | undefined
  let serverFailures = 0
  let restsUntil = 0
  /** The mails on which the server has failed since it last took one: one of these may be the cause. */
  const failedOn = new Set<string>()

  function look(): void {
    if (isStopped || !mailer.configured || performance.now() < restsUntil) return
    isPending = true
    running ??= run()
  }

  async function run(): Promise<void> {
    try {
      // A mail may be queued while the last claim finds none: look again.
      while (isPending) {
        isPending = false
        while (await sendNext());
      }
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be used')
    } finally {
      running = undefined
    }
  }

  /** False when the queue is empty or the mail server fails. */
  async function sendNext(): Promise<boolean> {
    const due = isStopped ? undefined : await outbox.claim([...failedOn])
    if (!due) return false
    const { id, mail, isLate } = due
    if (isLate || !mail || mail.to === NOBODY) {
      await setAside(due, outbox, log)
      return true
    }
    // Lets requests in between, because composing a mail takes as long as reading it.
    await nextTurn()
    try {
      await mailer.send(mail, id)
    } catch (error) {
      return putOff(due, error as SmtpError)
    }
    serverFailures = 0
    failedOn.clear()
    await outbox.remove(due)
    return true
  }

  async function putOff(due: Due, error: SmtpError): Promise<boolean> {
    const facts = { mail: due.id, attempts: due.attempts, ...causeOf(error) }
    if (isFinal(error)) {
      log.error(facts, 'mail refused')
      await outbox.giveUp(due)
      return true
    }
    const isServers = !isAboutMail(error)
    await outbox.postpone(due, isServers ? LONGEST_WAIT_FOR_SERVER : undefined)
    log.warn(facts, 'mail failed')
    serverFailures = isServers ? serverFailures + 1 : 0
    if (!isServers) return true
    failedOn.add(due.id)
    restsUntil = performance.now() + restAfterFailure(serverFailures) * secondMs
    return false
  }

  return {
    look,
    /** Resolves when all due mails have been sent or postponed. */
    settled: async () => running,
    /** Sends no further mail; the answer waits for the current one. */
    async stop() {
      isStopped = true
      await running
    },
  }
}

/** Removes a mail to nobody, gives up one that is too old, and postpones one that cannot be read. */
async function setAside<Due extends DueMail>(
  due: Due,
  outbox: MailQueue<Due>,
  log: Logger,
): Promise<void> {
  const facts = { mail: due.id, attempts: due.attempts }
  if (due.mail?.to === NOBODY) {
    await outbox.remove(due)
    return
  }
  if (due.isLate) {
    await outbox.giveUp(due)
    log.error(facts, 'mail given up')
    return
  }
  await outbox.postpone(due)
  log.error(facts, 'mail cannot be read: it was encrypted with another secret.key')
}

type SmtpError = { code?: string; responseCode?: number; command?: string }

/** The error's codes for the log. Its message is left out, because it may quote the address. */
function causeOf(error: SmtpError) {
  const { code, responseCode, command } = error
  const reason = whyMailFailed(error)
  return {
    cause: code,
    reason,
    responseCode,
    command: command?.match(/^[A-Z]+(?: [A-Z]+)?\b/)?.[0],
  }
}

/** Checks whether the mail server refused this one mail, as opposed to all mail. */
function isAboutMail({ code, command }: SmtpError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM'
}

/** Checks whether a retry is useless. Addresses that nodemailer itself refuses have no response code. */
function isFinal(error: SmtpError): boolean {
  return isAboutMail(error) && (error.responseCode ?? 500) >= 500
}
