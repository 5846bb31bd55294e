import type { Config } from '#config.ts'

/** Returns whether the login page makes accounts, by a one-time code or by the sign-in provider. */
export function takesRegistrations({
  registration,
  testMode,
  mail,
  google,
}: Pick<Config, 'registration' | 'testMode' | 'mail' | 'google'>): boolean {
  return registration.mode === 'open' && (testMode || Boolean(mail.smtpUrl ?? google))
}
