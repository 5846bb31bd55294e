import { aboutPassword } from '#actions/accounts/security-alerts.ts'
import { type Typed, tryPassword } from '#actions/accounts/sign-in.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { replacePassword } from '#db/accounts/passwords.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { rolePasswordProblem } from '#domain/accounts/password-strength.ts'
import { DomainError } from '#domain/error.ts'
import type { Device } from '#mail/account-notices.ts'

/** Throws invalid for a password that the role may not have. */
export function assertFitsRole({ role }: Pick<Account, 'role'>, password: string): void {
  const problem = rolePasswordProblem(role, password)
  if (problem) throw new DomainError(problem)
}

/** Throws unauthenticated for a wrong password of a signed-in account, and too_many. */
export async function requirePassword(
  deps: ActionDeps,
  account: Account,
  typed: Typed,
): Promise<void> {
  const tried = await tryPassword(deps, account, typed)
  if (!tried.account) throw new DomainError('unauthenticated.password')
}

/** A new password and the device that sets it; `turn` holds the keys of the queue for hashing. */
export type Wanted = { password: string; turn: string[]; from: Device }

/**
 * Changes the password of the caller's account, after the present one was checked. Ends every other session and
 * every other access by the earlier password. Returns the account with the new one.
 */
export async function changePassword(
  deps: ActionDeps,
  account: Account,
  caller: Caller,
  { password, turn, from }: Wanted,
): Promise<Account> {
  const { db, secretKey } = deps
  const passwordHash = await hashPassword(password, turn)
  const replacement = { passwordHash, earlierHash: account.password_hash }
  const notify = aboutPassword(deps, 'settings', from)
  await replacePassword(db, secretKey, caller, replacement, notify)
  return { ...account, password_hash: passwordHash }
}
