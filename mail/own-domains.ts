import type { DomainAlert } from '#domain/brands/domain-name.ts'
import { unlinked } from '#domain/text.ts'
import { formatDateTime } from '#domain/time.ts'
import { asAlert, type WrittenAlert } from '#mail/alerts.ts'
import { writeLetter } from '#mail/letter.ts'
import type { Origin } from '#mail/texts.ts'

type Said = { subject: string; what: string; further: string }

const NOT_YOU =
  'Not you? Remove it and set a new password: choose "Forgot Password?" on the login form.'

/** Writes the alert that an account has an own domain now, may lose it, or has lost it. */
export function ownDomainAlert(
  alert: DomainAlert,
  { site, timezone, now, url }: Origin & { now: Date; url: string },
): WrittenAlert {
  const { subject, what, further } = say(alert, timezone)
  const letter = writeLetter({
    subject,
    site,
    reason: `On ${formatDateTime(now, timezone)} (${timezone}) ${what}.`,
    parts: [further, { label: 'See your own address', url }],
  })
  return asAlert(letter, { event: 'security', url })
}

function say(alert: DomainAlert, timezone: string): Said {
  const name = unlinked(alert.domain)
  switch (alert.kind) {
    case 'proven':
      return {
        subject: 'Your DriveQR account has an own address',
        what: `${name} was verified as the own address of your account. Links and prints of your codes have it from now on`,
        further: NOT_YOU,
      }
    case 'missing':
      return {
        subject: 'The proof of your own address is missing',
        what: `the proof that ${name} is yours was not found any more`,
        further: `Put the record into the DNS again, or point the name to this server. Otherwise the address ends on ${formatDateTime(alert.endsAt, timezone)} (${timezone}), and codes that were printed with it stop working.`,
      }
    case 'ended':
      return {
        subject: 'Your own address has ended',
        what: `${name} ended as the own address of your account, because its proof was missing for a week`,
        further:
          'Codes that were printed with it do not work any more. They work again when you prove the address again.',
      }
    case 'taken':
      return {
        subject: 'Your own address belongs to another account now',
        what: `another account proved by the DNS that ${name} is its own, so it ended as the own address of your account`,
        further:
          'Whoever has the name in the DNS has the address. If the name is yours, prove it again.',
      }
  }
}
