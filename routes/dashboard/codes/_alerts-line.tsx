import type { ReactElement } from 'react'
import { AlertsLine } from '#components/alerts/alerts-line.tsx'
import { hasConnectedChannel } from '#db/alerts/channels.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import type { Account } from '#db/schema.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** Renders the line about slow alerts for an account that finders of one of these codes can only write to. */
export async function alertsLine(
  c: AppContext,
  account: Account,
  codes: OwnQrCode[],
): Promise<ReactElement | undefined> {
  if (!codes.some(({ contact_mode }) => contact_mode === 'relay')) return undefined
  if (await hasConnectedChannel(c.var.deps.db, account.id)) return undefined
  return <AlertsLine hasMail={hasMail(c, account)} />
}

/** Returns whether alerts reach an account by e-mail. */
export function hasMail(
  { var: { deps } }: AppContext,
  { email, email_verified_at }: Pick<Account, 'email' | 'email_verified_at'>,
): boolean {
  return Boolean(email && email_verified_at) && deps.outbox.isOpen
}
