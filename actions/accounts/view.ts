import { z } from '@hono/zod-openapi'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import type { Db } from '#db/client.ts'
import type { Account } from '#db/schema.ts'
import { ROLES } from '#domain/accounts/roles.ts'
import { PLAN_IDS } from '#domain/plans/plan.ts'

/** An account as its holder sees it. */
export const user = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    mobile: z.string().nullable(),
    role: z.enum(ROLES),
    subscription_plan: z.enum(PLAN_IDS),
    is_active: z.boolean(),
    qr_count: z.int(),
    qr_limit: z.int().openapi({ description: '-1 means unlimited' }),
    child_qr_quota: z.int().openapi({ description: 'child codes that are left to create' }),
    parent_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('User')

export const signedIn = z.object({ user, session_token: z.string() })

export type UserView = z.infer<typeof user>

export async function toUserView(db: Db, account: Account): Promise<UserView> {
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

export async function toSignedIn(
  db: Db,
  account: Account,
  bearerToken: string,
): Promise<z.infer<typeof signedIn>> {
  return { user: await toUserView(db, account), session_token: bearerToken }
}
