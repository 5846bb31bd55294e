import { z } from '@hono/zod-openapi'
import type { ListedAccount } from '#db/accounts/accounts.ts'
import { fromFlag } from '#db/cast.ts'
import { ROLES } from '#domain/accounts/roles.ts'
import { filteredRole } from '#domain/admin/management.ts'
import { PLAN_IDS } from '#domain/plans/plan.ts'
import { withPlanNow } from '#domain/plans/term.ts'
import { mustBe } from '#routes/_http/schema.ts'
import { pageFields, toPage } from '#routes/api/_paging.ts'

/** An account as admins see it. */
export const adminUser = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    mobile: z.string().nullable(),
    login_id: z
      .string()
      .nullable()
      .openapi({ description: 'of an account without email and mobile number' }),
    email_verified: z.boolean().openapi({ description: 'whether the account verified the email' }),
    role: z.enum(ROLES),
    is_active: z.boolean(),
    subscription_plan: z.enum(PLAN_IDS),
    subscription_ends_at: z.iso.datetime().nullable().openapi({ description: 'null: no end' }),
    qr_count: z.int(),
    qr_limit: z.int().openapi({ description: '-1 means unlimited' }),
    doc_count: z.int(),
    parent_id: z.string().nullable(),
    permission_expires_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('AdminUser')

export function toAdminUser(stored: ListedAccount, now: Date): z.infer<typeof adminUser> {
  const account = withPlanNow(stored, now)
  const { id, name, email, mobile, login_id, role, expires_at } = account
  const { subscription_plan, subscription_ends_at } = account
  const { qr_count, qr_limit, doc_count, parent_id, created_at } = account
  return {
    id,
    name,
    email,
    mobile,
    login_id,
    email_verified: account.email_verified_at !== null,
    role,
    is_active: fromFlag(account.is_active),
    subscription_plan,
    subscription_ends_at,
    qr_count,
    qr_limit,
    doc_count,
    parent_id,
    permission_expires_at: expires_at,
    created_at,
  }
}

/** Without page and limit the answer is every user. */
export const userQuery = z
  .object({
    ...pageFields,
    role_filter: z
      .enum(['', 'all', ...ROLES], { error: mustBe('role_filter', `all, ${ROLES.join(', ')}`) })
      .default(''),
  })
  .transform(({ role_filter, ...page }) => ({
    ...toPage(page),
    role: filteredRole(role_filter || 'all'),
  }))

export const childUser = z.object({
  id: z.string(),
  name: z.string(),
  email: z.string().nullable(),
  mobile: z.string().nullable(),
  is_active: z.boolean(),
  qr_count: z.int().openapi({ description: 'codes of this user' }),
})

export const relative = childUser.pick({ id: true, name: true, email: true, mobile: true })

type Person = Pick<ListedAccount, 'id' | 'name' | 'email' | 'mobile'>

export function toRelative({ id, name, email, mobile }: Person): z.infer<typeof relative> {
  return { id, name, email, mobile }
}
