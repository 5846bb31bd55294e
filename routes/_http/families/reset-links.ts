import { requireLiveLink, resetByLink } from '#actions/families/reset-links.ts'
import { passwordTurn } from '#routes/_http/accounts/guesser.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { limitRefusals } from '#routes/_http/rate-limits.ts'

/** Sets the password that a link allows to set. Throws invalid and too_many. */
export async function setPasswordByLink(
  c: AppContext,
  { token, password }: { token: string; password: string },
): Promise<void> {
  const { deps } = c.var
  // Before the password is hashed: guessing must not be what the processor is busy with.
  const tokenHash = await limitRefusals(c, ['link'], () => requireLiveLink(deps, token))
  await resetByLink(deps, tokenHash, { password, turn: passwordTurn(c, tokenHash) })
}
