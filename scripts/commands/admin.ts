import { type Command, Option } from 'commander'
import type { Permitted } from '#db/accounts/entitlements.ts'
import { grantRole, listPermitted, revokeRole } from '#db/accounts/permissions.ts'
import { signInContact } from '#domain/accounts/contact.ts'
import { isUnproven } from '#domain/accounts/permission.ts'
import { ROLES, type Role, roleLabel } from '#domain/accounts/roles.ts'
import { CommandError } from '#domain/error.ts'
import { hasPlans, onOffer } from '#domain/plans/offer.ts'
import { withPlanNow } from '#domain/plans/term.ts'
import { CONTACT } from '#scripts/_contact.ts'
import {
  type Answer,
  answering,
  type Context,
  example,
  type Installation,
} from '#scripts/_context.ts'
import { formatMomentIn, toTable } from '#scripts/_terminal.ts'
import { endOf, parseUntil, type Until } from '#scripts/_until.ts'

export function addAdminCommands(program: Command, context: Context): void {
  const grantable = onOffer(ROLES).filter((role) => role !== 'client')
  const admin = program.command('admin').description('roles of accounts')
  admin
    .command('grant')
    .description('give an account a role, permanently or until a date')
    .addArgument(CONTACT)
    .addOption(
      new Option(
        '--role <role>',
        hasPlans() ? 'premium is the premium plan with its quotas' : 'what it may do',
      )
        .choices(grantable.toReversed())
        .default('super_admin'),
    )
    .option('--until <date>', 'the last day (2026-12-31) or an instant in ISO 8601', parseUntil)
    .addHelpText('after', example('admin grant asha@example.in --role admin --until 2026-12-31'))
    .action(answering(context, grant, { mayBegin: true }))
  admin
    .command('revoke')
    .description('make an account a client again')
    .addArgument(CONTACT)
    .addHelpText('after', example('admin revoke asha@example.in'))
    .action(answering(context, revoke))
  admin
    .command('list')
    .description('list the accounts with a role')
    .addHelpText('after', example('admin list'))
    .action(answering(context, list))
}

async function grant(
  { db, config, now }: Installation,
  contact: string,
  options: { role: Role; until?: Until },
): Promise<Answer> {
  const until = options.until ? endOf(options.until, config.timezone) : null
  if (until && until <= now) throw new CommandError('--until must be in the future')
  const granted = await grantRole(db, { contact, role: options.role, until }, now)
  const permitted = withPlanNow(granted, now)
  return { view: toView(permitted), text: describe(permitted, config.terminalZone) }
}

async function revoke({ db, config, now }: Installation, contact: string): Promise<Answer> {
  const permitted = withPlanNow(await revokeRole(db, contact, now), now)
  return { view: toView(permitted), text: describe(permitted, config.terminalZone) }
}

async function list({ db, config, now }: Installation): Promise<Answer> {
  const all = (await listPermitted(db)).map((each) => withPlanNow(each, now))
  const rows = all.map((each) => [
    `${signInContact(each)}${isUnproven(each) ? ' (not verified)' : ''}`,
    each.name,
    each.role,
    ...(hasPlans() ? [each.subscription_plan] : []),
    each.expires_at ? formatMomentIn(config.terminalZone, each.expires_at) : '',
  ])
  return {
    view: all.map(toView),
    text:
      rows.length === 0
        ? 'No account has a role yet. Give one with: admin grant EMAIL'
        : toTable(['E-MAIL', 'NAME', 'ROLE', ...(hasPlans() ? ['PLAN'] : []), 'UNTIL'], rows),
  }
}

function toView({ email, mobile, name, role, subscription_plan, ...rest }: Permitted) {
  const { qr_limit, child_qr_quota, expires_at } = rest
  const email_verified = rest.email_verified_at !== null
  return {
    email,
    email_verified,
    mobile,
    name,
    role,
    subscription_plan,
    qr_limit,
    child_qr_quota,
    expires_at,
  }
}

function describe(account: Permitted, zone: string) {
  const { role, subscription_plan, expires_at } = account
  const end = expires_at ? ` until ${formatMomentIn(zone, expires_at)}` : ''
  const plan = hasPlans() ? ` on the ${subscription_plan} plan` : ''
  return `${signInContact(account)} is ${roleLabel(role)}${plan}${end}`
}
