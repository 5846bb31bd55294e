import type { Logger } from 'pino'
import { type Mail, restAfterFailure } from '#domain/mail.ts'
import type { Mailer } from '#mail/mailer.ts'

type DueMail = { id: string; attempts: number; isLate: boolean; mail: Mail | undefined }

/** Where the mails wait. */
type Outbox<Due extends DueMail> = {
  claim(): Promise<Due | undefined>
  remove(mail: Due): Promise<void>
  /** `longest` is in seconds */
  postpone(mail: Due, longest?: number): Promise<void>
  watch(onPut: () => void): void
}

export type Sender = ReturnType<typeof startSender>

/** A mail server that is back finds nothing put off for longer. */
const LONGEST_WAIT_FOR_SERVER = 60
const LOOK_EVERY_MS = 5_000

/**
 * Sends what waits in the outbox, one mail after the other, as soon as it is put in. A mail is
 * taken out when the mail server has it, so that a crash in between sends it twice rather than
 * never.
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
  /** Tests wait for shorter seconds. */
  secondMs?: number
}) {
  let isStopped = false
  let isAsked = false
  let running: Promise<void> | undefined
  let serverFailures = 0
  let restsUntil = 0

  function look(): void {
    if (isStopped || performance.now() < restsUntil) return
    isAsked = true
    running ??= run()
  }

  async function run(): Promise<void> {
    try {
      // What was put in while the last look found nothing would wait for the next one.
      while (isAsked) {
        isAsked = false
        while (await sendNext());
      }
    } catch (error) {
      log.error({ err: error }, 'the outbox could not be used')
    } finally {
      running = undefined
    }
  }

  /** False when there is nothing to send, or nobody to send it through. */
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
        'mail cannot be read: it was sealed with another secret.key',
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
  const timer = setInterval(look, LOOK_EVERY_MS * (secondMs / 1_000)).unref()
  look()
  return {
    /** Resolves when what was found to send has been sent or put off. */
    settled: async () => running,
    /** Sends no further mail, and waits for the one that is on its way, for 5 s at most. */
    async stop() {
      isStopped = true
      clearInterval(timer)
      await Promise.race([running, new Promise((resolve) => setTimeout(resolve, 5_000).unref())])
    },
  }
}

type SmtpError = { code?: string; responseCode?: number; command?: string }

/** The message may quote the address; the codes of nodemailer and of the mail server do not. */
export function causeOf({ code, responseCode, command }: SmtpError) {
  return { cause: code, responseCode, command: command?.match(/^[A-Z]+(?: [A-Z]+)?\b/)?.[0] }
}

/** The mail server said something of this mail, rather than of itself, of us or nothing at all. */
function isAboutMail({ code, command }: SmtpError): boolean {
  return (code === 'EENVELOPE' || code === 'EMESSAGE') && command !== 'MAIL FROM'
}

/** Trying again would be answered the same; nodemailer refuses addresses itself, by no code. */
function isFinal(error: SmtpError): boolean {
  return isAboutMail(error) && (error.responseCode ?? 500) >= 500
}
