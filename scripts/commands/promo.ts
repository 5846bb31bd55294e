import { type Command, Option } from 'commander'
import { COMMAND_LINE } from '#db/admin/audit-events.ts'
import { createPromoCode, togglePromoCode } from '#db/plans/promo-changes.ts'
import { getPromoCode, listPromoCodes } from '#db/plans/promo-codes.ts'
import { CommandError } from '#domain/error.ts'
import { hasPlans } from '#domain/plans/offer.ts'
import { PAID_PLANS, type PaidPlan } from '#domain/plans/plan.ts'
import {
  benefitText,
  isExpired,
  MOST_CHILD_CODES,
  PROMO_USAGE_LIMIT,
  toPromoCodeView,
} from '#domain/plans/promo.ts'
import { cleanLine } from '#domain/text.ts'
import {
  type Answer,
  answeringOnPlans,
  type Context,
  example,
  type Installation,
} from '#scripts/_context.ts'
import { formatMomentIn, toTable } from '#scripts/_terminal.ts'
import { endOf, parseMonths, parseUntil, type Until } from '#scripts/_until.ts'
import { wholeNumber } from '#scripts/_whole-number.ts'

type CreateOptions = {
  plan?: PaidPlan
  months?: number
  childQr: number
  limit: number
  expires?: Until
  approval: boolean
  description?: string
}

const parseSlots = wholeNumber(0, MOST_CHILD_CODES)
const parseLimit = wholeNumber(1, Number.MAX_SAFE_INTEGER)

export function addPromoCommands(program: Command, context: Context): void {
  const promo = program.command('promo', { hidden: !hasPlans() }).description('promo codes')
  promo
    .command('create')
    .description('create a promo code for a plan, child QR codes or both')
    .argument('<code>', 'the code that people type, in any letter case')
    .addOption(new Option('--plan <plan>', 'the plan it gives').choices(PAID_PLANS))
    .option('--months <n>', 'for how many months it gives the plan; without, for good', parseMonths)
    .option('--child-qr <n>', 'number of extra child QR codes', parseSlots, 0)
    .option('--limit <n>', 'number of accounts that may use it', parseLimit, PROMO_USAGE_LIMIT)
    .option('--expires <date>', 'the last day (2026-12-31) or an instant in ISO 8601', parseUntil)
    .option('--no-approval', 'apply it at once, without approval by an admin')
    .option('--description <text>', 'its purpose')
    .addHelpText('after', example('promo create DIWALI --plan premium --limit 50 --no-approval'))
    .action((code, options, command) => {
      if (options.months && !options.plan) command.error('error: --months needs --plan')
      return answeringOnPlans(context, create)(code, options, command)
    })
  promo
    .command('list')
    .description('list the promo codes, newest first')
    .addHelpText('after', example('promo list'))
    .action(answeringOnPlans(context, list))
  promo
    .command('toggle')
    .description('switch a promo code off, or on again')
    .argument('<code>', 'the code, in any letter case')
    .addHelpText('after', example('promo toggle DIWALI'))
    .action(answeringOnPlans(context, toggle))
}

async function create(
  { db, config, now }: Installation,
  code: string,
  { plan, months, childQr, limit, expires, approval, description }: CreateOptions,
): Promise<Answer> {
  const end = expires ? endOf(expires, config.timezone) : null
  if (end && end <= now) throw new CommandError('--expires must be in the future')
  const fields = {
    code,
    description: cleanLine(description),
    subscription_plan: plan ?? null,
    plan_months: months ?? null,
    child_qr_quantity: childQr,
    discount_value: 0,
    usage_limit: limit,
    expires_at: end?.toISOString() ?? null,
    requires_approval: approval,
  }
  const made = await createPromoCode(db, fields, COMMAND_LINE, now)
  const way = made.requires_approval ? 'after approval by an admin' : 'at once'
  const text = `${made.code} gives ${benefitText(made)} ${way} (limit ${made.usage_limit})`
  return { view: toPromoCodeView(made, now), text }
}

async function list({ db, config, now }: Installation): Promise<Answer> {
  const { promo_codes: all } = await listPromoCodes(db, now)
  const rows = all.map((promo) => [
    promo.code,
    benefitText(promo),
    `${promo.usage_count}/${promo.usage_limit}`,
    promo.expires_at ? formatMomentIn(config.terminalZone, promo.expires_at) : '',
    promo.requires_approval ? 'yes' : 'no',
    isExpired(promo, now) ? 'expired' : promo.is_active ? 'active' : 'inactive',
  ])
  return {
    view: all.map((promo) => toPromoCodeView(promo, now)),
    text:
      rows.length === 0
        ? 'There is no promo code yet. Create one with: promo create CODE'
        : toTable(['CODE', 'GIVES', 'USED', 'EXPIRES', 'APPROVAL', 'STATE'], rows),
  }
}

async function toggle({ db, now }: Installation, code: string): Promise<Answer> {
  const { id } = await getPromoCode(db, code)
  const promo = await togglePromoCode(db, id, COMMAND_LINE, now)
  const text = `${promo.code} is ${promo.is_active ? 'active' : 'inactive'}`
  return { view: toPromoCodeView(promo, now), text }
}
