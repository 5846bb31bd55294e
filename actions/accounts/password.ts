import { aboutPassword } from '#actions/accounts/security-alerts.ts'
import { type TypedPassword, tryPassword } from '#actions/accounts/sign-in.ts'
import type { ActionDeps } from '#actions/deps.ts'
import type { Caller } from '#db/accounts/credentials.ts'
import { replacePassword } from '#db/accounts/passwords.ts'
import type { Account } from '#db/schema.ts'
import { hashPassword } from '#db/secrets.ts'
import { rolePasswordProblem } from '#domain/accounts/password-strength.ts'
import { DomainError } from '#domain/error.ts'
import type { Device } from '#mail/account-notices.ts'

/** Throws invalid for a password that is too weak for the role. */
export function assertFitsRole({ role }: Pick<Account, 'role'>, password: string): void {
  const problem = rolePasswordProblem(role, password)
  if (problem) throw new DomainError(problem)
}

/** Checks the password of a signed-in account. Throws unauthenticated for a wrong one, and too_many. */
export async function requirePassword(
  deps: ActionDeps,
  account: Account,
  typed: TypedPassword,
): Promise<void> {
  const tried = await tryPassword(deps, account, typed)
  if (!tried.account) throw new DomainError('unauthenticated.password')
}

/** A new password and the device that sets it; `queueKeys` are the keys of the queue for hashing. */
export type PasswordChange = { password: string; queueKeys: string[]; from: Device }

/**
 * Changes the password of the caller's account; `account` has the present one, which the route has checked. Ends
 * every other session and every other access by the earlier password. Returns the account with the new one. Throws
 * the errors of `replacePassword`.
 */
export async function changePassword(
  deps: ActionDeps,
  account: Account,
  caller: Caller,
  { password, queueKeys, from }: PasswordChange,
): Promise<Account> {
  const { db, secretKey } = deps
  const passwordHash = await hashPassword(password, queueKeys)
  const replacement = { passwordHash, earlierHash: account.password_hash }
  const notify = aboutPassword(deps, 'settings', from)
  await replacePassword(db, secretKey, caller, replacement, notify)
  return { ...account, password_hash: passwordHash }
}
