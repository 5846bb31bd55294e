import type { Logger } from 'pino'
import { type Mail, restAfterFailure } from '#domain/mail.ts'
import type { Mailer } from '#mail/mailer.ts'

type DueMail = { id: string; attempts: number; isLate: boolean; mail: Mail | undefined }

/** The queue of mails in the database. */
type Outbox<Due extends DueMail> = {
  claim(): Promise<Due | undefined>
  remove(mail: Due): Promise<void>
  /** `longest` is in seconds */
  postpone(mail: Due, longest?: number): Promise<void>
  /** calls back when a mail is queued */
  watch(onPut: () => void): void
}

export type Sender = ReturnType<typeof startSender>

/** While the server fails, mails wait no longer than this, so they go out soon after it recovers. */
const LONGEST_WAIT_FOR_SERVER = 60
const POLL_MS = 5_000

/**
 * Sends queued mails one at a time, as soon as they are queued. A mail is removed after the mail
 * server accepted it, so a crash in between sends it twice rather than never.
 */
export function startSender<Due extends DueMail>({
  outbox,
  mailer,
  log,
  secondMs = 1_000,
}: {
  outbox: Outbox<Due>
  mailer: Mailer
  log: Logger
  /** shortened in tests */
  secondMs?: number
}) {
  let isStopped = false
  let isPending = false
  let running: Promise<void> | undefined
  let serverFailures = 0
  let restsUntil = 0

  function look(): void {
    if (isStopped || performance.now() < restsUntil) return
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
    const due = isStopped ? undefined : await outbox.claim()
    if (!due) return false
    const { id, attempts, mail, isLate } = due
    if (isLate) {
      await outbox.remove(due)
      log.error({ mail: id, attempts }, 'mail given up')
      return true
    }
    if (!mail) {
      await outbox.postpone(due)
      log.error(
        { mail: id, attempts },
        'mail cannot be read: it was encrypted with another secret.key',
      )
      return true
    }
    try {
      await mailer.send(mail, id)
    } catch (error) {
      return putOff(due, error as SmtpError)
    }
    serverFailures = 0
    await outbox.remove(due)
    return true
  }

  async function putOff(due: Due, error: SmtpError): Promise<boolean> {
    const facts = { mail: due.id, attempts: due.attempts, ...causeOf(error) }
    if (isFinal(error)) {
      log.error(facts, 'mail refused')
      await outbox.remove(due)
      return true
    }
    const isServers = !isAboutMail(error)
    await outbox.postpone(due, isServers ? LONGEST_WAIT_FOR_SERVER : undefined)
    log.warn(facts, 'mail failed')
    serverFailures = isServers ? serverFailures + 1 : 0
    if (!isServers) return true
    restsUntil = performance.now() + restAfterFailure(serverFailures) * secondMs
    return false
  }

  outbox.watch(look)
  const timer = setInterval(look, POLL_MS * (secondMs / 1_000)).unref()
  look()
  return {
    /** Resolves when all due mails have been sent or postponed. */
    settled: async () => running,
    /** Sends no further mail, and waits up to 5 s for the current one. */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 5_000).unref())])
    },
  }
}

type SmtpError = { code?: string; responseCode?: number; command?: string }

/** The error's codes for the log. Its message is left out, because it may quote the address. */
export function causeOf({ code, responseCode, command }: SmtpError) {
  return { cause: code, responseCode, command: command?.match(/^[A-Z]+(?: [A-Z]+)?\b/)?.[0] }
}

/** Whether the mail server refused this one mail, as opposed to all mail. */
function isAboutMail({ code, command }: SmtpError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM'
}

/** Whether a retry is useless. Addresses that nodemailer itself refuses have no response code. */
function isFinal(error: SmtpError): boolean {
  return isAboutMail(error) && (error.responseCode ?? 500) >= 500
}
