import { forgetPrograms } from '#db/accounts/known-programs.ts'
import { forgetGuesses } from '#db/accounts/wrong-guesses.ts'
import { endChannels } from '#db/alerts/channels.ts'
import type { DbOrTrx } from '#db/client.ts'
import { endApprovedLinks, forgetOpenLinks } from '#db/families/reset-decisions.ts'
import { removeCalendar } from '#db/papers/calendars.ts'
import { endShareLinks } from '#db/papers/share-links.ts'
import type { SecretKey } from '#db/secrets.ts'
import { endTransfers } from '#db/transfers/transfers.ts'
import type { EndedAccess } from '#domain/accounts/ended-access.ts'

/** A null hash means that the account has no password. */
export type NewPassword = { accountId: string; passwordHash: string | null }

/** What ended with the earlier password. */
export type PasswordSet = EndedAccess & { accountId: string; hasPassword: boolean }

/**
 * Changes an account's password, ends everything that the earlier one opened, closes its open reset
 * links, and deletes wrong guesses at the old one.
 */
export async function setPassword(
  db: DbOrTrx,
  key: SecretKey,
  { accountId, passwordHash }: NewPassword,
): Promise<PasswordSet> {
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute()
  await forgetOpenLinks(db, accountId)
  await forgetGuesses(db, key, accountId)
  return { accountId, hasPassword: passwordHash !== null, ...(await endAccess(db, accountId)) }
}

/**
 * Ends an account's sessions except the one in `keep`, its API keys, its shared links, the
 * reset links that it approved for others, its transfers, the channels of its alerts, and its calendar.
 */
export async function endAccess(
  db: DbOrTrx,
  accountId: string,
  keptSession = '',
): Promise<EndedAccess> {
  await db
    .deleteFrom('sessions')
    .where('account_id', '=', accountId)
    .where('id', '!=', keptSession)
    .execute()
  await forgetPrograms(db, accountId)
  const keys = await db
    .deleteFrom('api_keys')
    .where('account_id', '=', accountId)
    .returning('name')
    .execute()
  await endApprovedLinks(db, accountId)
  await endTransfers(db, accountId)
  const links = await endShareLinks(db, accountId)
  const channels = await endChannels(db, accountId)
  const calendar = await removeCalendar(db, accountId)
  return { keys: keys.map(({ name }) => name).sort(), links, channels, calendar }
}
