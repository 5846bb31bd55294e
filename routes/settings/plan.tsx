import { Hono } from 'hono'
import { drawReceiptFile } from '#actions/plans/receipts.ts'
import { PlanSettings, type PlanSettingsView } from '#components/plans/plan-settings.tsx'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { countSeenCodes } from '#db/codes/qr-codes.ts'
import { type AccountNow, accountNow, findPermittedPlan } from '#db/plans/plan-now.ts'
import { listReceipts, type Receipt } from '#db/plans/receipts.ts'
import { PLANS } from '#domain/plans/plan.ts'
import type { PermittedPlan } from '#domain/plans/term.ts'
import { likelyPlan } from '#domain/plans/upgrade.ts'
import { daysBetween, formatDate, toDayIn } from '#domain/time.ts'
import type { AppContext, AppEnv } from '#routes/_http/context.ts'
import { sendFile } from '#routes/_http/downloads.ts'
import { requireAccount } from '#routes/_http/guards.ts'
import { renderSettings } from '#routes/settings/_page.tsx'

/** The plan of an account with its end, and the receipts of its payments. */
export const planPages = new Hono<AppEnv>()

planPages.get('/', (c) =>
  renderSettings(c, { page: 'plan', title: 'Plan and receipts' }, async () => {
    const { db, clock } = c.var.deps
    const account = accountNow(requireAccount(c), clock())
    const receipts = await listReceipts(db, account.id)
    const count = account.qr_limit < 0 ? countSeenCodes(db, account) : countQrCodes(db, account.id)
    const permitted = await findPermittedPlan(db, account)
    const view = toView(c, { ...account, permitted }, await count)
    return <PlanSettings view={view} receipts={receipts.map(rowOf(c))} />
  }),
)

planPages.get('/receipts/:file', async (c) => {
  const { deps, brand } = c.var
  const { name, content } = await drawReceiptFile(
    deps,
    requireAccount(c),
    c.req.param('file'),
    brand,
  )
  return sendFile(c, content, { name, type: 'application/pdf' })
})

type Held = AccountNow & { permitted: PermittedPlan | undefined }

function toView(c: AppContext, account: Held, qr_count: number): PlanSettingsView {
  const { clock, config } = c.var.deps
  const { timezone, prices } = config
  const { subscription_plan: plan, subscription_ends_at: end, subscription_ended: ended } = account
  const given = end === null ? account.permitted?.ends_at : undefined
  const dayOf = (instant: string) => toDayIn(timezone, new Date(instant))
  return {
    plan,
    price: plan === 'free' ? 0 : prices[plan],
    until: end && formatDate(end, timezone),
    given_until: given && formatDate(given, timezone),
    days_left: end ? daysBetween(toDayIn(timezone, clock()), dayOf(end)) : null,
    ended: ended && `${PLANS[ended.plan].name} ended on ${formatDate(ended.at, timezone)}`,
    offer: likelyPlan(account),
    qr_count,
    qr_limit: account.qr_limit,
    child_qr_quota: account.child_qr_quota,
  }
}

function rowOf(c: AppContext) {
  const { timezone } = c.var.deps.config
  return ({ number, issued_at, plan, starts_at, ends_at, amount }: Receipt) => ({
    number,
    issued: formatDate(issued_at, timezone),
    plan: PLANS[plan].name,
    from: formatDate(starts_at, timezone),
    until: ends_at && formatDate(ends_at, timezone),
    amount,
  })
}
