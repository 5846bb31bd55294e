import { isLoopback } from '#config.ts'
import { getAccountOf } from '#db/accounts/account-changes.ts'
import { findAccountByContact } from '#db/accounts/accounts.ts'
import type { Db } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { normalizeEmail } from '#domain/accounts/contact.ts'
import { CommandError } from '#domain/error.ts'
import type { Context, Installation } from '#scripts/_context.ts'

/** Returns the account with an address. Throws not_found, and conflict for one that a child user typed. */
export async function getOwnerByEmail(db: Db, typed: string): Promise<Account> {
  const email = normalizeEmail(typed)
  if (await findAccountByContact(db, { kind: 'email', email })) return getAccountOf(db, email)
  throw new CommandError(`No account has the address ${email}`)
}

/** Warns before codes are printed with an address that no phone can open. */
export function warnOfLoopback(
  { config: { publicUrl } }: Installation,
  { terminal }: Context,
): void {
  if (!isLoopback(new URL(publicUrl).hostname)) return
  const remedy = 'set PUBLIC_URL before you print'
  terminal.err.write(
    `driveqr: these codes open ${publicUrl}, which works only on this machine: ${remedy}\n`,
  )
}
