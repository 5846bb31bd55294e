import type { Config } from '#config.ts'
import type { Mail } from '#domain/mail.ts'

export type Mailer = {
  /** false when no mail server is configured; `send` then rejects */
  configured: boolean
  /** Loads what the first mail needs: together they would delay all answers by 30 ms. */
  load(): Promise<unknown>
  /**
   * Resolves when the mail server has accepted the mail; rejects when it has not within 45 s. `id`
   * becomes the Message-ID, by which mail programs recognise a mail that was sent twice.
   */
  send(mail: Mail, id?: string): Promise<void>
}

/** nodemailer's timeouts apply to single steps, so a slow server could exceed their sum. */
const SEND_LIMIT_MS = 45_000

/** Sends through the configured SMTP server. */
export function createMailer({ mail: { smtpUrl, from }, publicUrl }: Config): Mailer {
  if (!smtpUrl) {
    const send = () => Promise.reject(new Error('Email is not configured'))
    return { configured: false, load: async () => {}, send }
  }
  const own = mailboxIn(from)
  const transport = lazily(async () => {
    // Not at the start, and not without a mail server, to save time and memory.
    const { createTransport } = await import('nodemailer')
    return createTransport(
      { url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
      { from: own, disableFileAccess: true, disableUrlAccess: true },
    )
  })
  return {
    configured: true,
    load: transport,
    async send({ to, sender, ...mail }, id) {
      const nodemailer = await transport()
      await nodemailer.sendMail({
        ...mail,
        ...(sender && { from: { name: sender, address: own.address } }),
        // A brand's logo: mail programs show attachments, and no data: URLs.
        attachDataUrls: true,
        // An object is exactly one mailbox; a string could be parsed as a list.
        to: { name: '', address: to },
        messageId: id && `<${id}@${new URL(publicUrl).hostname}>`,
        // Keeps out-of-office replies away (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(SEND_LIMIT_MS),
      })
    },
  }
}

/**
 * `Keys <no-reply@example.in>`, also with its name in quotes, or the address alone. Taken apart here, because
 * in a string a colon would begin a group of addresses.
 */
function mailboxIn(from: string): { name: string; address: string } {
  const [, name = '', address = from] = /^([^<]*)<([^>]+)>$/.exec(from) ?? []
  return { name: name.trim().replace(/^"(.*)"$/, '$1'), address }
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
