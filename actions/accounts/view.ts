import { countQrCodes } from '#db/accounts/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Account } from '#db/schema.ts'

/** An account as its holder sees it. */
export async function toUserView(db: Db, account: Account) {
  return {
    id: account.id,
    name: account.name,
    email: account.email,
    mobile: account.mobile,
    role: account.role,
    subscription_plan: account.subscription_plan,
    is_active: fromFlag(account.is_active),
    qr_count: await countQrCodes(db, account.id),
    qr_limit: account.qr_limit,
    child_qr_quota: account.child_qr_quota,
    parent_id: account.parent_id,
    created_at: account.created_at,
  }
}

export async function toSignedIn(db: Db, account: Account, bearerToken: string) {
  return { user: await toUserView(db, account), session_token: bearerToken }
}
