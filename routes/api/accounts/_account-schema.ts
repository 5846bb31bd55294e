import { z } from '@hono/zod-openapi'
import { ROLES } from '#domain/accounts/roles.ts'
import { FACTOR_WAYS } from '#domain/accounts/second-factor.ts'
import { PAID_PLANS, PLAN_IDS } from '#domain/plans/plan.ts'

/** An account as its holder sees it. */
export const user = z
  .object({
    id: z.string(),
    name: z.string(),
    email: z.string().nullable(),
    mobile: z.string().nullable(),
    login_id: z
      .string()
      .nullable()
      .openapi({ description: 'signs in an account without email and mobile number' }),
    role: z.enum(ROLES),
    subscription_plan: z.enum(PLAN_IDS),
    subscription_ends_at: z.iso.datetime().nullable().openapi({ description: 'null: no end' }),
    subscription_ended: z
      .object({ plan: z.enum(PAID_PLANS), at: z.iso.datetime() })
      .nullable()
      .openapi({ description: 'the plan that ended, until it is renewed' }),
    is_active: z.boolean(),
    qr_count: z.int(),
    qr_limit: z.int().openapi({ description: '-1 means unlimited' }),
    child_qr_quota: z.int().openapi({ description: 'child codes left to create' }),
    parent_id: z.string().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('User')

const whole = z.object({ user, session_token: z.string() }).openapi('SignedIn')
const half = z
  .object({
    second_factor: z.literal(true),
    ticket: z.string().openapi({ description: 'for `POST /api/auth/second-factor`, 10 minutes' }),
    ways: z.array(z.enum(FACTOR_WAYS)).openapi({
      description:
        'what can answer it, beside a recovery code; a passkey signs in without the ticket',
    }),
  })
  .openapi('SecondFactorAsked')
export const signedIn = z.union([whole, half])
export const wholeSignedIn = whole

/** A one-time code that was mailed; test mode shows it. */
export const sentOtp = z.object({
  message: z.string(),
  test_mode: z.boolean(),
  test_otp: z.string().optional(),
  expires_in: z.int().openapi({ description: 'seconds' }),
})
