import type { Config } from '#config.ts'
import type { Mail } from '#domain/mail.ts'

export type Mailer = {
  /** false when no mail server is configured: nothing can be sent */
  configured: boolean
  /**
   * Resolves when the mail server has taken the mail; rejects when it has not, or not in 45 s. Two
   * mails with the same `id` are one mail that was sent twice, and mail programs may show it once.
   */
  send(mail: Mail, id?: string): Promise<void>
}

/** The time limits of nodemailer are each for one step: a server could take all day byte by byte. */
const SEND_LIMIT_MS = 45_000

/** Sends through the configured SMTP server; without one it refuses. */
export function createMailer({ mail: { smtpUrl, from }, publicUrl }: Config): Mailer {
  if (!smtpUrl) {
    return { configured: false, send: () => Promise.reject(new Error('Email is not configured')) }
  }
  const transport = lazily(async () => {
    // Loaded with the first mail: most of a server's life passes without one.
    const { createTransport } = await import('nodemailer')
    return createTransport(
      { url: smtpUrl, connectionTimeout: 10_000, greetingTimeout: 10_000, socketTimeout: 20_000 },
      { from, disableFileAccess: true, disableUrlAccess: true },
    )
  })
  return {
    configured: true,
    async send({ to, ...mail }, id) {
      const nodemailer = await transport()
      await nodemailer.sendMail({
        ...mail,
        // As an object it is one mailbox; as text it could be a list, or an address in a name.
        to: { name: '', address: to },
        messageId: id && `<${id}@${new URL(publicUrl).hostname}>`,
        // Out-of-office programs do not answer such a mail (RFC 3834).
        headers: { 'Auto-Submitted': 'auto-generated' },
        signal: AbortSignal.timeout(SEND_LIMIT_MS),
      })
    },
  }
}

function lazily<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | undefined
  return () => {
    made ??= make()
    return made
  }
}
