import type { HalfSignedIn } from '#actions/accounts/sign-in.ts'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import { accountNow } from '#db/plans/plan-now.ts'
import type { Account } from '#db/schema.ts'

/** Returns an account as its holder sees it at an instant. */
export async function toUserView(db: Db, stored: Account, now: Date) {
  const account = accountNow(stored, now)
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    mobile: account.mobile,
    login_id: account.login_id,
    role: account.role,
    subscription_plan: account.subscription_plan,
    subscription_ends_at: account.subscription_ends_at,
    subscription_ended: account.subscription_ended,
    is_active: fromFlag(account.is_active),
    qr_count: await countQrCodes(db, account.id),
    qr_limit: account.qr_limit,
    child_qr_quota: account.child_qr_quota,
    parent_id: account.parent_id,
    created_at: account.created_at,
  }
}

export async function toSignedIn(
  { db, clock }: { db: Db; clock: () => Date },
  { account, bearerToken }: { account: Account; bearerToken: string },
) {
  return { user: await toUserView(db, account, clock()), session_token: bearerToken }
}

/** Returns the view of `toSignedIn`, or the ticket of a sign-in that waits for its second factor. */
export async function toAnyHow(
  deps: { db: Db; clock: () => Date },
  signedIn: { account: Account; bearerToken: string } | HalfSignedIn,
) {
  if ('ticket' in signedIn) return { second_factor: true as const, ...signedIn }
  return toSignedIn(deps, signedIn)
}
