/** A mail without its address, as the files of `mail` write it: the same words in both forms. */
export type MailText = { subject: string; text: string; html: string }
export type Mail = MailText & { to: string }
/** An instant after which the mail is worthless, if that is soon. */
export type WaitingMail = Mail & { expiresAt?: string }

/** How long a mail is tried for that is not worthless earlier. */
export const MAIL_LIFE_SECONDS = 2 * 86_400

const MINUTE = 60
const WAITS = [1, 5, 30, 120].map((minutes) => minutes * MINUTE)
const TRIES_AT_LEAST = 20

/**
 * Seconds until a mail is tried again that failed so many times: longer each time, but so short
 * that a mail which soon is worthless, as an OTP's, gets its twenty tries too.
 */
export function waitAfterFailure(attempts: number, lifeSeconds: number): number {
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1] ?? MINUTE
  return Math.min(wait, Math.ceil(lifeSeconds / TRIES_AT_LEAST))
}

/** Seconds for which nothing is sent after the mail server itself has failed so many times. */
export function restAfterFailure(failures: number): number {
  return Math.min(5 * 2 ** (failures - 1), MINUTE)
}
