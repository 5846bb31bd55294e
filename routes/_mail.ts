import type { Mail } from '#mail/mailer.ts'
import type { AppContext } from '#routes/_deps.ts'

/** What every mail says about where and when it was asked for. */
export function mailOrigin({ var: { deps } }: AppContext) {
  return { site: new URL(deps.config.publicUrl).host, timezone: deps.config.timezone }
}

/** Sends a mail that nobody waits for, if mail can be sent here; a failure is in the log alone. */
export function sendInPassing(c: AppContext, mail: Mail): void {
  const { mailer } = c.var.deps
  if (mailer.configured) mailer.send(mail).catch((error) => logMailFailure(c, error))
}

/** The message may quote the address; the codes of nodemailer and of the mail server do not. */
export function logMailFailure(
  c: AppContext,
  { code: cause, responseCode }: { code?: string; responseCode?: number },
): void {
  c.var.deps.log.error({ requestId: c.var.requestId, cause, responseCode }, 'mail failed')
}
