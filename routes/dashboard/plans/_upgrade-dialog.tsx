import type { ReactElement } from 'react'
import { supportContact, takesPayments, toPaymentView } from '#actions/plans/payment.ts'
import { UpgradeDialog } from '#components/plans/upgrade-dialog.tsx'
import type { PlanOffer } from '#components/plans/upgrade-plans.tsx'
import type { UpgradeView } from '#components/plans/upgrade-view.ts'
import { countQrCodes } from '#db/accounts/accounts.ts'
import { type AccountNow, accountNow, findPermittedPlan } from '#db/plans/plan-now.ts'
import { listOwnRedemptions } from '#db/plans/promo-redemptions.ts'
import { findDiscount } from '#db/plans/upgrade-discounts.ts'
import { findLastUpgradeRequest, type UpgradeRequest } from '#db/plans/upgrade-requests.ts'
import type { Account } from '#db/schema.ts'
import { displayPhone } from '#domain/accounts/phone.ts'
import { FILE_REFUSALS } from '#domain/papers/file-kind.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PLANS, UNLIMITED } from '#domain/plans/plan.ts'
import { benefitText } from '#domain/plans/promo.ts'
import { effectOf, type PermittedPlan } from '#domain/plans/term.ts'
import { DEFAULT_MONTHS, discountedPrice, likelyPlan, plansOnOffer } from '#domain/plans/upgrade.ts'
import { formatDate } from '#domain/time.ts'
import { qrSvg } from '#formats/qr-image.ts'
import { Island } from '#islands/_island.tsx'
import { englishText, englishTexts } from '#locales/refusal.ts'
import type { AppContext } from '#routes/_http/context.ts'

/** A refused form with its fields, or the reason to open the dialog. */
export type UpgradeState = Partial<
  Pick<UpgradeView, 'tab' | 'message' | 'code' | 'problem' | 'earlier'>
> & {
  why?: string | undefined
  typed?: Record<string, string>
}

/** Renders the Upgrade dialog, if the address asks for it. */
export async function requestedUpgrade(
  c: AppContext,
  account: Account,
): Promise<ReactElement | undefined> {
  const why = c.req.query('upgrade')
  return why && hasPlans() ? upgradeDialog(c, account, { why }) : undefined
}

export async function upgradeDialog(
  c: AppContext,
  account: Account,
  { why, typed = {}, ...state }: UpgradeState = {},
): Promise<ReactElement> {
  const { db, config, mailer, clock } = c.var.deps
  const request = await findLastUpgradeRequest(db, account.id)
  const now = accountNow(account, clock())
  const held = { ...now, permitted: await findPermittedPlan(db, now) }
  const offers = await offersFor(c, held)
  const pending = request?.status === 'pending' ? request.requested_plan : undefined
  const wanted = offers.find(({ id }) => id === c.req.query('plan'))?.id
  const view: UpgradeView = {
    current: held.subscription_plan,
    until: untilText(c, held),
    offers,
    chosen: wanted ?? pending ?? likelyPlan(held),
    request: request?.status === 'pending' ? toOpenRequest(c, request, typed) : undefined,
    rejected: request?.status === 'rejected' ? { notes: request.decision_notes } : undefined,
    waiting: await listWaiting(c, account),
    contact: supportContact(config),
    takesPayments: takesPayments(config),
    operator: { name: config.operator.name, writes: writesTo(account) },
    mails: mailer.configured && account.email !== null,
    tab: why === 'promo' ? 'promo' : 'payment',
    limit: why === 'limit' ? await limitText(c, account) : undefined,
    ...state,
  }
  const { id, has_screenshot: sent } = view.request ?? {}
  const props = { id: id ?? '', sent: Boolean(sent), texts: englishTexts(FILE_REFUSALS) }
  const screenshot = id && <Island name="upgrade-screenshot" props={props} />
  return <UpgradeDialog view={view} screenshot={screenshot} />
}

async function listWaiting(c: AppContext, { id }: Account): Promise<UpgradeView['waiting']> {
  const { db, clock } = c.var.deps
  const waiting = await listOwnRedemptions(db, id, clock())
  return waiting
    .filter(({ status }) => status === 'pending')
    .map((redemption) => ({ code: redemption.code, benefit: benefitText(redemption) }))
}

type Held = AccountNow & { permitted: PermittedPlan | undefined }

async function offersFor(c: AppContext, account: Held): Promise<PlanOffer[]> {
  const { db, config } = c.var.deps
  const discount = (await findDiscount(db, account.id))?.discount_value ?? 0
  const { subscription_plan: plan, permitted } = account
  const until = untilText(c, account)
  return plansOnOffer(account).map((id) => {
    const price = config.prices[id]
    // Beneath a higher plan a permission goes on.
    const end = until ?? (permitted && id === plan ? dayOf(c, permitted.ends_at) : undefined)
    const effect = end && effectOf(id, plan, end)
    return { id, ...PLANS[id], price, amount: discountedPrice(price, discount), effect }
  })
}

function untilText(c: AppContext, { subscription_ends_at }: AccountNow): string | undefined {
  return subscription_ends_at ? dayOf(c, subscription_ends_at) : undefined
}

function dayOf(c: AppContext, instant: string): string {
  return formatDate(instant, c.var.deps.config.timezone)
}

function toOpenRequest(
  c: AppContext,
  request: UpgradeRequest,
  typed: Record<string, string>,
): UpgradeView['request'] {
  const { id, requested_plan, payment_method, payment_reference, notes } = request
  const { request_id: _, ...payment } = toPaymentView(c.var.deps.config, request, c.var.brand)
  const { upi_url } = payment.payment_methods ?? {}
  return {
    id,
    requested_plan,
    months: request.months ?? DEFAULT_MONTHS,
    requested: dayOf(c, request.requested_at),
    note: { payment_method, payment_reference, notes, ...typed },
    has_screenshot: request.screenshot_name !== null,
    payment: { ...payment, upi_image: upi_url ? svgImage(upi_url) : undefined },
  }
}

/** An account may have only a mobile number. */
function writesTo({ email, mobile }: Account): string {
  if (email) return `writes to ${email}`
  return mobile ? `calls or writes to ${displayPhone(mobile)}` : 'tells you'
}

function svgImage(text: string): string {
  return `data:image/svg+xml;base64,${Buffer.from(qrSvg(text, 10)).toString('base64')}`
}

async function limitText(c: AppContext, { id, qr_limit }: Account): Promise<string | undefined> {
  if (qr_limit === UNLIMITED) return undefined
  const values = { count: await countQrCodes(c.var.deps.db, id), limit: qr_limit }
  return englishText({ code: 'plan_limit.codes', values })
}
