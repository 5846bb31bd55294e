import type { OwnQrCode } from '#db/codes/qr-codes.ts'
import { replaceQrCode } from '#db/codes/replacing.ts'
import type { AppContext } from '#routes/_http/context.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { assertMayTry, countTry } from '#routes/_http/rate-limits.ts'

/** Gives a code of the caller a new id. Throws the errors of the verb, and too_many. */
export async function replaceForCaller(c: AppContext, qrId: string): Promise<OwnQrCode> {
  assertMayTry(c, 'replace')
  const { db, clock } = c.var.deps
  const code = await replaceQrCode(db, requireAccount(c), qrId, clock())
  countTry(c, 'replace')
  return code
}
