import { requireLiveLink, resetByLink } from '#actions/families/reset-links.ts'
import { passwordTurn } from '#routes/_http/accounts/guesser.ts'
import { deviceOf } from '#routes/_http/accounts/known-device.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { limitFailures } from '#routes/_http/rate-limits.ts'

/** Sets a password by a link. Throws invalid and too_many. */
export async function setPasswordByLink(
  c: AppContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { deps } = c.var
  // The token is checked first, because hashing is expensive.
  const tokenHash = await limitFailures(c, ['link'], () => requireLiveLink(deps, token))
  const turn = passwordTurn(c, tokenHash)
  await resetByLink(deps, tokenHash, { password, turn, from: deviceOf(c) })
}
