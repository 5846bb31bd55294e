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

/** The causes in nodemailer's messages, in words without the addresses that these may quote. */
const REASONS: [RegExp, string][] = [
  [/ECONNREFUSED/, 'nothing listens at that host and port'],
  [/ENOTFOUND|EAI_AGAIN|EDNS|getaddrinfo|queryA/, 'the name of the host cannot be resolved'],
  [/EHOSTUNREACH|ENETUNREACH/, 'the network of the host cannot be reached'],
  [
    /wrong version number|packet length|unknown protocol/i,
    'it speaks no TLS there: smtps:// is for TLS from the start (465), smtp:// for STARTTLS (587)',
  ],
  [
    /certificate|altname|CERT_/i,
    'its certificate is not trusted: NODE_EXTRA_CA_CERTS names a file of your own authority, and the host must be the name in it',
  ],
  [/Missing credentials/i, 'it wants a user and a password'],
  [/EAUTH/, 'it refuses the user or the password'],
  [/ETIMEDOUT|timeout|aborted/i, 'it does not answer in time'],
]

/** Returns why the mail server could not be used, without an address or a secret; undefined for other errors. */
export function whyMailFailed(error: unknown): string | undefined {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return REASONS.find(([pattern]) => pattern.test(`${code} ${message}`))?.[1]
}

const CHECK_LIMIT_MS = 5_000

/** Connects and signs in to the configured mail server without a mail. Returns why that fails, if it does. */
export async function checkMailServer(smtpUrl: string): Promise<string | undefined> {
  const { createTransport } = await import('nodemailer')
  const limits = {
    connectionTimeout: CHECK_LIMIT_MS,
    greetingTimeout: CHECK_LIMIT_MS,
    dnsTimeout: CHECK_LIMIT_MS,
  }
  const transport = createTransport({ url: smtpUrl, ...limits, socketTimeout: CHECK_LIMIT_MS })
  try {
    await transport.verify()
    return undefined
  } catch (error) {
    const { code } = error as { code?: string }
    return whyMailFailed(error) ?? `it answers with an error (${code})`
  } finally {
    transport.close()
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
