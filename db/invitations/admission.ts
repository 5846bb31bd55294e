import type { Trx } from '#db/client.ts'
import { moveClaim } from '#db/codes/claims.ts'
import { spendInvitation } from '#db/invitations/invitations.ts'
import { assertAdmitted, type Pass, type RegistrationRule } from '#domain/accounts/admission.ts'
import { passOfInvitation } from '#domain/accounts/invitation.ts'

/** The operator's rule, and the links that the browser carries: of a claimed code, and of an invitation. */
export type Admission = {
  rule: RegistrationRule
  takeToken: string | undefined
  inviteToken: string | undefined
}

type NewAccount = { id: string; email: string }

/** Uses up the pass of an account that was just made. Throws forbidden, which takes the account back. */
export async function admitNew(
  trx: Trx,
  admission: Admission,
  account: NewAccount,
  now: Date,
): Promise<void> {
  const pass = await spendPass(trx, admission, account, now)
  assertAdmitted(admission.rule, pass, account.email)
}

async function spendPass(
  trx: Trx,
  { rule, takeToken, inviteToken }: Admission,
  account: NewAccount,
  now: Date,
): Promise<Pass> {
  const invitation = await spendInvitation(trx, inviteToken, account, now)
  if (invitation) return passOfInvitation(invitation)
  // In `open` the holder of the link still chooses to take the code.
  if (rule.mode !== 'invite' || !takeToken) return 'none'
  return (await moveClaim(trx, takeToken, account.id, now)) ? 'claim' : 'none'
}
