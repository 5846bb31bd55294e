import type { Config } from '#config.ts'

export type Mail = { to: string; subject: string; text: string }
export type Mailer = {
  /** false when no mail server is configured: nothing can be sent */
  configured: boolean
  /** Resolves when the mail server has taken the mail; rejects when it has not. */
  send(mail: Mail): Promise<void>
}

/** Sends through the configured SMTP server; without one it refuses. */
export function createMailer(config: Config): Mailer {
  const { smtpUrl, from } = config.mail
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
    async send({ to, subject, text }) {
      // As an object it is one mailbox; as text it could be a list, or an address in a name.
      await (await transport()).sendMail({ to: { name: '', address: to }, subject, text })
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
