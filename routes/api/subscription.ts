import { createRoute, z } from '@hono/zod-openapi'
import { PLAN_IDS, planViews } from '#domain/plan.ts'
import { answer, apiRouter } from '#routes/_schema.ts'

const plan = z
  .object({
    id: z.enum(PLAN_IDS),
    name: z.string(),
    price: z.int().openapi({ description: 'rupees a month' }),
    qr_limit: z.int().openapi({ description: '-1 means unlimited' }),
    child_qr_limit: z.int(),
    features: z.array(z.string()),
  })
  .openapi('Plan')

const listPlans = createRoute({
  method: 'get',
  path: '/plans',
  responses: { 200: answer('What is on offer', z.object({ plans: z.array(plan) })) },
})

export const subscription = apiRouter().openapi(listPlans, (c) =>
  c.json({ plans: planViews(c.var.deps.config.prices) }, 200),
)
