/** A mail without its address. `text` and `html` say the same. */
export type MailText = {
  subject: string
  text: string
  html: string
  /** the sender's name; without one, the installation's */
  sender?: string | null | undefined
}
export type Mail = MailText & { to: string }
/** The recipient of a mail that is stored as any other, so that an answer takes as long, and not sent. */
export const NOBODY = ''

/**
 * A queued mail. `expiresAt` is when it becomes useless, if that is soon; `dueAt`, until when it waits;
 * `accountId`, whom it is for, where the address is not, or not any more, that of the account.
 */
export type WaitingMail = Mail & { expiresAt?: string; dueAt?: string; accountId?: string }

/** The time for which a mail without `expiresAt` is retried. */
export const MAIL_LIFE_SECONDS = 2 * 86_400

const MINUTE = 60
const WAITS = [0.5, 5, 30, 120].map((minutes) => minutes * MINUTE)
const MIN_TRIES = 20

/**
 * Seconds until the next try after `attempts` failures. The wait grows, but a mail with a short
 * life, such as an OTP, still gets twenty tries.
 */
export function waitAfterFailure(attempts: number, lifeSeconds: number): number {
  const wait = WAITS[Math.min(attempts, WAITS.length) - 1] ?? MINUTE
  return Math.min(wait, Math.ceil(lifeSeconds / MIN_TRIES))
}

/** Seconds for which no mail is sent after the mail server has failed this many times in a row. */
export function restAfterFailure(failures: number): number {
  return Math.min(5 * 2 ** (failures - 1), MINUTE)
}

const ENTITIES: Record<string, string> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

export function escapeHtml(text: string): string {
  return text.replace(/[&<>"']/g, (character) => ENTITIES[character] ?? '')
}
