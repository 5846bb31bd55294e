import { type Caller, inTransactionOf } from '#db/accounts/credentials.ts'
import { countPasskeys } from '#db/accounts/factor-state.ts'
import { forgetPrograms } from '#db/accounts/known-programs.ts'
import { forgetTrustedDevices } from '#db/accounts/trusted-devices.ts'
import { forgetGuesses } from '#db/accounts/wrong-guesses.ts'
import { endChannels } from '#db/alerts/channels.ts'
import { doubtDomain } from '#db/brands/domain-proofs.ts'
import type { Db, DbOrTrx } from '#db/client.ts'
import { endApprovedLinks, forgetOpenLinks } from '#db/families/reset-decisions.ts'
import type { Notify } from '#db/outbox.ts'
import { removeCalendar } from '#db/papers/calendars.ts'
import { endShareLinks } from '#db/papers/share-links.ts'
import type { SecretKey } from '#db/secrets.ts'
import { endTransfers } from '#db/transfers/transfers.ts'
import type { EndedAccess } from '#domain/accounts/ended-access.ts'
import { DomainError } from '#domain/error.ts'

/** A null hash means that the account has no password. */
export type NewPassword = {
  accountId: string
  passwordHash: string | null
  /** the one session that does not end */
  keptSession?: string | undefined
}

/** The access that ended with the earlier password. */
export type PasswordSet = EndedAccess & {
  accountId: string
  hasPassword: boolean
  /** how many still sign in without it */
  passkeys: number
}

/**
 * Changes an account's password, ends everything that the earlier one opened, closes its open reset
 * links, and deletes wrong guesses at the old one.
 */
export async function setPassword(
  db: DbOrTrx,
  key: SecretKey,
  { accountId, passwordHash, keptSession }: NewPassword,
): Promise<PasswordSet> {
  await db
    .updateTable('accounts')
    .set({ password_hash: passwordHash })
    .where('id', '=', accountId)
    .execute()
  await forgetOpenLinks(db, accountId)
  await forgetGuesses(db, key, accountId)
  return {
    accountId,
    hasPassword: passwordHash !== null,
    passkeys: await countPasskeys(db, accountId),
    ...(await endAccess(db, accountId, keptSession)),
  }
}

type Replacement = {
  passwordHash: string
  /** of the password that was checked; null if there was none */
  earlierHash: string | null
}

/**
 * Replaces the password of the caller's account, as `setPassword`, and keeps the caller's session. Throws
 * unauthenticated when that has ended, and conflict when the password was changed since it was checked.
 */
export async function replacePassword(
  db: Db,
  key: SecretKey,
  caller: Caller,
  { passwordHash, earlierHash }: Replacement,
  notify: Notify<PasswordSet>,
): Promise<void> {
  const { accountId, credential } = caller
  await inTransactionOf(db, caller, async (trx) => {
    await trx
      .selectFrom('accounts')
      .select('id')
      .where('id', '=', accountId)
      .where('password_hash', 'is not distinct from', earlierHash)
      .executeTakeFirstOrThrow(() => new DomainError('conflict.password_changed'))
    const set = { accountId, passwordHash, keptSession: credential.id }
    await notify(trx, await setPassword(trx, key, set))
  })
}

/**
 * Ends an account's sessions except the one in `keep`, its API keys, its shared links, the
 * reset links that it approved for others, its transfers, the channels of its alerts, and its calendar. New
 * links leave its own domain out until it confirms that.
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
  await forgetTrustedDevices(db, accountId)
  await db.deleteFrom('sign_in_tickets').where('account_id', '=', accountId).execute()
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
  const domain = await doubtDomain(db, accountId)
  return { keys: keys.map(({ name }) => name).sort(), links, channels, calendar, domain }
}
