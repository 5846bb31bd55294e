import type { Trx } from '#db/client.ts'
import { moveClaim } from '#db/codes/claims.ts'
import { assertAdmitted, type Pass, type RegistrationRule } from '#domain/accounts/admission.ts'

/** The operator's rule, and the link of a claimed code that the browser carries. */
export type Admission = { rule: RegistrationRule; takeToken: string | undefined }

/** Uses up the pass of an account that was just made. Throws forbidden, which takes the account back. */
export async function admitNew(
  trx: Trx,
  { rule, takeToken }: Admission,
  account: { id: string; email: string },
  now: Date,
): Promise<void> {
  assertAdmitted(rule, await spendPass(trx, { rule, takeToken }, account.id, now), account.email)
}

async function spendPass(
  trx: Trx,
  { rule, takeToken }: Admission,
  accountId: string,
  now: Date,
): Promise<Pass> {
  // In `open` the holder of the link still chooses to take the code.
  if (rule.mode !== 'invite' || !takeToken) return 'none'
  return (await moveClaim(trx, takeToken, accountId, now)) ? 'claim' : 'none'
}
