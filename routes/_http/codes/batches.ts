import { makingOf } from '#actions/codes/making.ts'
import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { createChildCodes, createUnclaimedCodes } from '#db/codes/qr-creation.ts'
import type { AppContext } from '#routes/_http/deps.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { assertMayTry, countTry } from '#routes/_http/rate-limits.ts'

const CREATE = { bulk: createUnclaimedCodes, child: createChildCodes }

/** Creates codes for the caller. Throws the errors of the verbs, and too_many. */
export async function createBatch(
  c: AppContext,
  kind: keyof typeof CREATE,
  quantity: unknown,
): Promise<OwnQrCode[]> {
  assertMayTry(c, 'batch')
  const { id } = requireAccount(c)
  const codes = await CREATE[kind](c.var.deps.db, id, quantity, makingOf(c.var.deps))
  countTry(c, 'batch')
  return codes
}
